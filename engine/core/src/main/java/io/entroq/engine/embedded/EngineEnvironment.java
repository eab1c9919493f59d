package io.entroq.engine.embedded;

import io.entroq.engine.JvmFlags;
import io.entroq.engine.fault.FaultHook;
import io.entroq.engine.feed.FeedHub;
import io.entroq.engine.log.RunFactory;
import io.entroq.engine.log.chronicle.ChronicleLog;
import io.entroq.engine.maintenance.MaintenanceRunner;
import io.entroq.engine.state.ResultSink;
import java.security.SecureRandom;
import java.util.Objects;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * What an engine takes from its machine, except files and log time, which {@link EmbeddedConfig}
 * sets. Simulations supply their own. Immutable; each {@code with} method returns a changed copy.
 *
 * @param runs creates the files of the log
 * @param faults called where a crash would be most revealing
 * @param seeds source of the id and seed of a new log; used only while an engine opens
 * @param nanoTime monotonic time for intervals, in nanoseconds from any origin; called from any
 *     thread of the engine
 * @param upkeep writes snapshots; a {@link io.entroq.engine.maintenance.SteppedMaintenance} belongs
 *     to one engine at a time
 * @param firstAnswers gets the results of an opening's first records, such as the end of claims
 *     that waited when the last process ended
 * @param processId shown to other processes that find the directory in use
 * @param feedRingBytes memory of the effects that live readers may still read; a power of two from
 *     64 KiB to 1 GiB
 */
public record EngineEnvironment(
    RunFactory runs,
    FaultHook faults,
    RandomGenerator seeds,
    LongSupplier nanoTime,
    MaintenanceRunner upkeep,
    ResultSink firstAnswers,
    long processId,
    int feedRingBytes) {
  public EngineEnvironment {
    Objects.requireNonNull(runs, "runs");
    Objects.requireNonNull(faults, "faults");
    Objects.requireNonNull(seeds, "seeds");
    Objects.requireNonNull(nanoTime, "nanoTime");
    Objects.requireNonNull(upkeep, "upkeep");
    Objects.requireNonNull(firstAnswers, "firstAnswers");
  }

  /** An environment in this process that discards the results of first records. */
  public EngineEnvironment(
      RunFactory runs,
      FaultHook faults,
      RandomGenerator seeds,
      LongSupplier nanoTime,
      MaintenanceRunner upkeep) {
    this(
        runs,
        faults,
        seeds,
        nanoTime,
        upkeep,
        ResultSink.DISCARDING,
        ProcessHandle.current().pid(),
        FeedHub.RING_BYTES);
  }

  /**
   * The environment of every engine that is not simulated.
   *
   * @throws IllegalStateException if the JVM lacks a flag; the message has the line to add
   */
  public static EngineEnvironment ofThisMachine() {
    JvmFlags.require();
    return new EngineEnvironment(
        ChronicleLog.RUNS,
        FaultHook.NONE,
        new SecureRandom(),
        System::nanoTime,
        MaintenanceRunner.THREAD);
  }

  public EngineEnvironment withFaults(FaultHook other) {
    return new EngineEnvironment(
        runs, other, seeds, nanoTime, upkeep, firstAnswers, processId, feedRingBytes);
  }

  public EngineEnvironment withUpkeep(MaintenanceRunner other) {
    return new EngineEnvironment(
        runs, faults, seeds, nanoTime, other, firstAnswers, processId, feedRingBytes);
  }

  EngineEnvironment withFeedRingBytes(int other) {
    return new EngineEnvironment(
        runs, faults, seeds, nanoTime, upkeep, firstAnswers, processId, other);
  }
}

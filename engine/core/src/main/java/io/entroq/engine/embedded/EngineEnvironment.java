package io.entroq.engine.embedded;

import io.entroq.engine.JvmFlags;
import io.entroq.engine.fault.FaultHook;
import io.entroq.engine.log.RunFactory;
import io.entroq.engine.log.chronicle.ChronicleLog;
import io.entroq.engine.maintenance.MaintenanceRunner;
import io.entroq.engine.state.ResultSink;
import java.security.SecureRandom;
import java.util.Objects;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * What an engine takes from the machine it runs on besides files and log time, which {@link
 * EmbeddedConfig} names by a directory, of any file system, and a clock. A simulated world brings
 * its own. Immutable; each {@code with} gives a changed copy.
 *
 * @param runs what holds the bytes of the log
 * @param faults called where a crash would be most telling
 * @param seeds where the id and the seed of a new log come from; used only while an engine opens
 * @param nanoTime the time by which intervals pass, in nanoseconds from any origin, never going
 *     back; called from any thread of the engine
 * @param upkeep who writes snapshots; a {@link io.entroq.engine.maintenance.SteppedMaintenance}
 *     belongs to one engine at a time
 * @param firstAnswers hears what the first records of an opening bring about, such as the end of
 *     claims that waited when the last process ended; mostly nobody is left who wants to know
 * @param processId what the engine's process is called, for whoever finds its directory in use
 */
public record EngineEnvironment(
    RunFactory runs,
    FaultHook faults,
    RandomGenerator seeds,
    LongSupplier nanoTime,
    MaintenanceRunner upkeep,
    ResultSink firstAnswers,
    long processId) {
  /** Nothing is null. */
  public EngineEnvironment {
    Objects.requireNonNull(runs, "runs");
    Objects.requireNonNull(faults, "faults");
    Objects.requireNonNull(seeds, "seeds");
    Objects.requireNonNull(nanoTime, "nanoTime");
    Objects.requireNonNull(upkeep, "upkeep");
    Objects.requireNonNull(firstAnswers, "firstAnswers");
  }

  /** Those of an engine of this process whose first records nobody wants to hear of. */
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
        ProcessHandle.current().pid());
  }

  /**
   * Those of every engine outside simulated worlds.
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

  /** The same with another hook. */
  public EngineEnvironment withFaults(FaultHook other) {
    return new EngineEnvironment(runs, other, seeds, nanoTime, upkeep, firstAnswers, processId);
  }

  /** The same with somebody else to write snapshots. */
  public EngineEnvironment withUpkeep(MaintenanceRunner other) {
    return new EngineEnvironment(runs, faults, seeds, nanoTime, other, firstAnswers, processId);
  }
}

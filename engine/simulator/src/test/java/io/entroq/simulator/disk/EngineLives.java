package io.entroq.simulator.disk;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.Durability;
import io.entroq.codec.command.TaskDataFields;
import io.entroq.codec.message.IdFields;
import io.entroq.codec.message.Slice;
import io.entroq.codec.message.ValueKinds;
import io.entroq.engine.embedded.DrivenEngine;
import io.entroq.engine.embedded.EmbeddedConfig;
import io.entroq.engine.embedded.EngineEnvironment;
import io.entroq.engine.fault.FaultHook;
import io.entroq.engine.log.Forcer;
import io.entroq.engine.log.LogDirectory;
import io.entroq.engine.log.scan.HolePolicy;
import io.entroq.engine.maintenance.SteppedMaintenance;
import io.entroq.engine.recovery.RecoveredState;
import io.entroq.engine.recovery.StateRecovery;
import io.entroq.engine.snapshot.SnapshotDirectory;
import io.entroq.engine.state.ResultSink;
import io.entroq.engine.state.StateMachine;
import io.entroq.engine.state.StateMachineConfig;
import io.entroq.engine.time.ManualClock;
import io.entroq.simulator.virtual.SeededRandom;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.TreeMap;

/**
 * An engine at level {@code DISK} on a simulated disk that ends and is opened again, and its state
 * after each command, to compare it with what is recovered.
 */
final class EngineLives {
  private static final int RECORDS_OF_ONE_CALL_MAX = 3;
  private static final byte[] QUEUE = "q".getBytes(StandardCharsets.UTF_8);
  private static final Slice NO_QUEUE = new Slice();

  private final SimulatedDisk disk = new SimulatedDisk();
  private final SeededRandom random;
  private final TreeMap<Long, Long> digests = new TreeMap<>();
  private final IdFields id = new IdFields();
  private final TaskDataFields task = new TaskDataFields();
  private DiskProcess process;
  private DrivenEngine engine;
  private SteppedMaintenance upkeep;
  private long inserted;

  /** The last record that must be recovered. */
  private long written;

  /** The last record of this life. */
  private long newest;

  private long forced;
  private int snapshots;
  private long fingerprint;

  EngineLives(int seed) {
    random = new SeededRandom(seed);
  }

  SimulatedDisk disk() {
    return disk;
  }

  SeededRandom random() {
    return random;
  }

  /** Snapshots that were written. */
  int snapshots() {
    return snapshots;
  }

  long fingerprint() {
    return fingerprint;
  }

  boolean isDead() {
    return !process.isAlive();
  }

  void open() {
    engine = null;
    process = disk.startProcess();
    upkeep = new SteppedMaintenance();
    EmbeddedConfig config =
        EmbeddedConfig.in(process.path("/data"))
            .durability(Durability.DISK)
            .segmentBytes(16 << 10)
            .snapshotLogBytes(64 << 10)
            .clock(new ManualClock(Instant.ofEpochSecond(1_700_000_000)))
            .build();
    EngineEnvironment seams =
        new EngineEnvironment(process.runs(), FaultHook.NONE, random::next, () -> 0, upkeep);
    engine = DrivenEngine.open(config, (sequence, result) -> {}, seams);
    note();
    forced = engine.forcedSequence();
  }

  /** Some commands, forces and snapshots. */
  void work() {
    for (int i = 50 + random.below(300); i >= 0; i--) {
      if (random.oneIn(3)) {
        engine.modify().delete(id.set(1, random.between(1, inserted + 1)), 0, NO_QUEUE);
      } else {
        insert();
      }
      engine.executeUnforced();
      note();
      if (random.oneIn(5)) {
        engine.force();
        forced = engine.forcedSequence();
      }
      if (random.oneIn(3)) {
        snapshots += upkeep.hasSnapshot() ? 1 : 0;
        upkeep.step();
      }
    }
  }

  private void insert() {
    inserted++;
    task.clear();
    task.queue().wrap(QUEUE);
    task.valueKind(ValueKinds.BYTES)
        .value()
        .wrap(new byte[1 + random.below(random.oneIn(50) ? 20_000 : 600)]);
    engine.modify().insert(id.set(1, inserted), task);
  }

  private void note() {
    written = engine.sequence();
    newest = written;
    digests.put(written, digest(engine.machine()));
  }

  private static long digest(StateMachine machine) {
    return machine.historyDigest() * 31 + machine.contentDigest();
  }

  void close() {
    engine.close();
    forced = written;
    process.die();
  }

  /** The process dies, and its memory is freed. */
  void kill() {
    process.die();
    if (engine != null) {
      engine.abandon();
    }
  }

  PowerLoss losePower() {
    PowerLoss loss = disk.losePower(random);
    kill();
    written = forced;
    return loss;
  }

  /**
   * The recovered state must be that after some record, not before the last guaranteed one.
   * Recovers on a copy of the disk, because recovery forces what it reads.
   */
  void checkRecovery() {
    SimulatedDisk copy = new SimulatedDisk();
    copy.restore(disk.image());
    Path data = copy.startProcess().path("/data");
    if (copy.files(path -> path.startsWith("/data/log")).isEmpty()) {
      assertThat(written).isZero();
      digests.clear();
    } else {
      check(data);
    }
  }

  private void check(Path data) {
    RecoveredState state =
        new StateRecovery(
                LogDirectory.read(data),
                new SnapshotDirectory(data, Forcer.DISK),
                HolePolicy.CUT_UNFORCED,
                Forcer.DISK,
                StateMachineConfig.DEFAULT,
                warning -> {})
            .recover(ResultSink.DISCARDING);
    try (StateMachine machine = state.machine()) {
      long sequence = state.log().sequence();
      assertThat(sequence).isBetween(written, newest + RECORDS_OF_ONE_CALL_MAX);
      Long expected = digests.get(sequence);
      if (expected != null) {
        assertThat(digest(machine)).isEqualTo(expected);
      }
      digests.tailMap(sequence, false).clear();
      written = sequence;
      fingerprint = SeededRandom.mix(fingerprint + digest(machine)) + sequence;
    }
  }
}

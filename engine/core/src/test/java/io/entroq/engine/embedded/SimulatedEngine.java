package io.entroq.engine.embedded;

import io.entroq.codec.command.ClaimEncoder;
import io.entroq.codec.command.ModifyEncoder;
import io.entroq.codec.command.TaskDataFields;
import io.entroq.codec.message.IdFields;
import io.entroq.codec.message.Slice;
import io.entroq.codec.record.RecordType;
import io.entroq.engine.fault.FaultHook;
import io.entroq.engine.log.PlainRuns;
import io.entroq.engine.log.RunFactory;
import io.entroq.engine.maintenance.SteppedMaintenance;
import io.entroq.engine.time.ManualClock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import org.agrona.ExpandableArrayBuffer;

/** A {@link DrivenEngine} in a simulated environment: one thread, one seed and a manual clock. */
final class SimulatedEngine {
  static final Duration SNAPSHOT_INTERVAL = Duration.ofSeconds(20);

  private static final Slice QUEUE = new Slice("q".getBytes(StandardCharsets.UTF_8));

  final SteppedMaintenance upkeep = new SteppedMaintenance();
  final ManualClock clock = new ManualClock(TestEntroQ.START);
  private final EmbeddedConfig config;
  private final Random random;
  private final ExpandableArrayBuffer command = new ExpandableArrayBuffer();
  private final TaskDataFields data = new TaskDataFields();
  private RunFactory runs = new PlainRuns();
  private FaultHook faults = FaultHook.NONE;
  private long nowNs;
  private long inserted;
  private DrivenEngine engine;

  SimulatedEngine(Path directory, long seed) {
    random = new Random(seed);
    data.queue().wrap("q".getBytes(StandardCharsets.UTF_8));
    data.valueKind(1).value().wrap(new byte[500]);
    config =
        EmbeddedConfig.in(directory)
            .clock(clock)
            .segmentBytes(16 << 10)
            .snapshotLogBytes(64 << 10)
            .snapshotInterval(SNAPSHOT_INTERVAL)
            .memoryBytesMax(64 << 20)
            .build();
  }

  SimulatedEngine withFaults(FaultHook hook) {
    faults = hook;
    return this;
  }

  SimulatedEngine withRuns(RunFactory opener) {
    runs = opener;
    return this;
  }

  DrivenEngine open() {
    EngineEnvironment environment =
        new EngineEnvironment(runs, faults, random, () -> nowNs, upkeep);
    engine = DrivenEngine.open(config, (sequence, result) -> {}, environment);
    return engine;
  }

  void pass(Duration time) {
    clock.advance(time);
    nowNs += time.toNanos();
  }

  /** Commands a few milliseconds apart, each tenth with a force and a step of the upkeep. */
  void work(int commands) {
    for (int i = 0; i < commands; i++) {
      pass(Duration.ofMillis(random.nextInt(5)));
      oneCommand();
      if (i % 10 == 9) {
        engine.force();
        upkeep.step();
      }
    }
  }

  private void oneCommand() {
    if (random.nextInt(3) > 0 || engine.taskCount() < 20) {
      insert();
    } else {
      claimAndDelete();
    }
  }

  private void insert() {
    inserted++;
    int length =
        new ModifyEncoder()
            .wrap(command, 0)
            .identity(3, 3, inserted, inserted)
            .insert(new IdFields().set(8, inserted), data)
            .length();
    engine.executeEncoded(RecordType.MODIFY, command, 0, length);
  }

  private void claimAndDelete() {
    int length = new ClaimEncoder().wrap(command, 0).queue(QUEUE).leaseMs(1_000).length();
    engine.executeEncoded(RecordType.CLAIM, command, 0, length);
    if (engine.result().claimedCount() == 0) {
      return;
    }
    var task = engine.result().claimed(0);
    IdFields id = new IdFields().set(task.idHigh(), task.idLow());
    length = new ModifyEncoder().wrap(command, 0).delete(id, task.version(), new Slice()).length();
    engine.executeEncoded(RecordType.MODIFY, command, 0, length);
  }
}

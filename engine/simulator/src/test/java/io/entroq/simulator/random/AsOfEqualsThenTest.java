package io.entroq.simulator.random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.codec.effect.EffectReader;
import io.entroq.codec.effect.EffectWriter;
import io.entroq.codec.effect.StepFrame;
import io.entroq.codec.snapshot.ChunkFrame;
import io.entroq.engine.effect.EffectEncoder;
import io.entroq.engine.gateway.EffectConsumer;
import io.entroq.engine.gateway.HistoryPoint;
import io.entroq.engine.history.HistoryDirectory;
import io.entroq.engine.history.HistoryException;
import io.entroq.engine.history.HistoryReader;
import io.entroq.engine.history.ReplayWatch;
import io.entroq.engine.history.StateAt;
import io.entroq.engine.log.CommandLog;
import io.entroq.engine.log.Forcer;
import io.entroq.engine.log.LogConfig;
import io.entroq.engine.log.LogDamagedException;
import io.entroq.engine.log.LogDirectory;
import io.entroq.engine.log.LogRun;
import io.entroq.engine.log.LogSegment;
import io.entroq.engine.log.SegmentLayout;
import io.entroq.engine.log.chronicle.ChronicleLog;
import io.entroq.engine.log.scan.FirstRecordReader;
import io.entroq.engine.log.scan.HolePolicy;
import io.entroq.engine.snapshot.Snapshot;
import io.entroq.engine.snapshot.SnapshotDirectory;
import io.entroq.engine.snapshot.SnapshotWriter;
import io.entroq.engine.state.Levels;
import io.entroq.engine.state.ResultSink;
import io.entroq.engine.state.StateMachine;
import io.entroq.engine.state.StateMachineConfig;
import io.entroq.simulator.check.LoggedRecord;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The state as of a point is the one of then, and a replay tells what was told live. */
class AsOfEqualsThenTest {
  private static final int ACTIONS = 700;
  private static final int SNAPSHOTS = 4;
  private static final int STRIDE = 29;
  private static final long MEMORY = 1L << 30;
  private static final LogConfig CONFIG =
      LogConfig.defaults().withSegmentBytes(64 << 10).withPayloadBytesMax(64 << 10);

  @TempDir private Path data;
  private final long seed = Long.getLong("test.seed", 101);
  private final List<Then> then = new ArrayList<>();
  private final List<Long> snapshotted = new ArrayList<>();
  private final LiveFrames live = new LiveFrames();
  private int steps;

  /** The state after a step, as it was seen live. */
  private record Then(long timeMs, long historyDigest, long contentDigest) {
    static Then of(StateMachine machine) {
      return new Then(machine.logTimeMs(), machine.historyDigest(), machine.contentDigest());
    }
  }

  /** Copies the frame of each step that has effects. */
  private static final class LiveFrames extends EffectEncoder {
    private final UnsafeBuffer buffer = new UnsafeBuffer(ByteBuffer.allocateDirect(1 << 20));
    private final Map<Long, ByteBuffer> frames = new HashMap<>();

    @Override
    protected boolean begin(EffectWriter into) {
      into.wrap(buffer, 0, buffer.capacity());
      return true;
    }

    @Override
    protected void end(long sequence, int effects, int length) {
      assertThat(length).isPositive();
      if (effects > 0) {
        frames.put(sequence, bytes(buffer, 0, length));
      }
    }
  }

  /** Copies the frames that a replay tells. */
  private static final class ReplayedFrames implements EffectConsumer {
    private final Map<Long, ByteBuffer> frames = new HashMap<>();
    private final List<Long> marks = new ArrayList<>();
    private int effects;

    @Override
    public void onEffect(EffectReader effect) {
      StepFrame step = effect.step();
      assertThat(effect.index()).isEqualTo(frames.containsKey(step.sequence()) ? effects : 0);
      effects = effect.index() + 1;
      frames.put(step.sequence(), bytes(step.buffer(), step.offset(), step.length()));
    }

    @Override
    public void onMark(long sequence, long logTimeMs) {
      marks.add(sequence);
    }
  }

  private static ByteBuffer bytes(DirectBuffer buffer, int offset, int length) {
    byte[] bytes = new byte[length];
    buffer.getBytes(offset, bytes);
    return ByteBuffer.wrap(bytes);
  }

  /** Writes a log as an engine that is killed at its end, and reads some of it meanwhile. */
  @BeforeEach
  void write() {
    List<LoggedRecord> records = WatchedMachine.log(seed, Levels.MAX, ACTIONS);
    steps = records.size();
    SnapshotDirectory snapshots = new SnapshotDirectory(data, Forcer.DISK);
    try (LogDirectory directory = LogDirectory.open(data);
        StateMachine machine = new StateMachine(StateMachineConfig.DEFAULT)) {
      machine.tellEffects(live);
      CommandLog log = ChronicleLog.open(directory, CONFIG, ChunkFrame.logTag(~seed), 0, 0);
      for (LoggedRecord record : records) {
        log.append(
            record.type(),
            record.sequence(),
            record.logTimeMs(),
            record.crc(),
            record.payload(),
            0,
            record.payload().capacity());
        record.applyTo(machine, ResultSink.DISCARDING);
        then.add(Then.of(machine));
        if (machine.sequence() % (steps / (SNAPSHOTS + 1)) == 0) {
          new SnapshotWriter(snapshots, 0)
              .write(machine.freeze(), at -> log.force(), () -> false, written -> {});
          machine.thaw();
          snapshotted.add(machine.sequence());
          assertAsThen(machine.sequence());
          assertAsThen(machine.sequence() / 2);
        }
      }
      log.abandon();
    }
    assertThat(snapshotted).hasSizeGreaterThanOrEqualTo(SNAPSHOTS);
  }

  private Then stateAt(HistoryPoint point) {
    try (HistoryDirectory history = open();
        StateMachine machine = new StateAt(history, MEMORY, ReplayWatch.NONE).open(point)) {
      assertThat(machine.recomputeContentDigest()).isEqualTo(machine.contentDigest());
      return Then.of(machine);
    }
  }

  private HistoryDirectory open() {
    return HistoryDirectory.open(data, HolePolicy.REFUSE, "test");
  }

  private void assertAsThen(long sequence) {
    assertThat(stateAt(HistoryPoint.at(sequence)))
        .as("seed %d, step %d of %d", seed, sequence, steps)
        .isEqualTo(then.get((int) sequence - 1));
  }

  private ReplayedFrames read(HistoryPoint after, HistoryPoint until) {
    ReplayedFrames replayed = new ReplayedFrames();
    try (HistoryDirectory history = open()) {
      new HistoryReader(new StateAt(history, MEMORY, ReplayWatch.NONE), true)
          .read(after, until, replayed);
    }
    return replayed;
  }

  @Test
  void shouldRestoreTheStateOfEachSequence() {
    for (long sequence = 1; sequence <= steps; sequence += STRIDE) {
      assertAsThen(sequence);
    }
    for (long snapshot : snapshotted) {
      assertAsThen(snapshot - 1);
      assertAsThen(snapshot);
      assertAsThen(snapshot + 1);
    }
    assertAsThen(steps);
  }

  @Test
  void shouldRestoreTheStateOfEachTime() {
    for (int step = STRIDE; step <= steps; step += STRIDE) {
      long timeMs = then.get(step - 1).timeMs();
      assertThat(stateAt(HistoryPoint.atTime(timeMs))).isEqualTo(lastAt(timeMs));
      assertThat(stateAt(HistoryPoint.atTime(timeMs - 1))).isEqualTo(lastAt(timeMs - 1));
    }
    Then last = then.get(steps - 1);
    assertThat(stateAt(HistoryPoint.atTime(last.timeMs() + 1))).isEqualTo(last);
    assertThat(stateAt(HistoryPoint.END)).isEqualTo(last);
  }

  /** The last state at or before a time. */
  private Then lastAt(long timeMs) {
    return then.stream().filter(each -> each.timeMs() <= timeMs).reduce((a, b) -> b).orElseThrow();
  }

  @Test
  void shouldTellWhatWasToldLive() {
    assertThat(live.frames).hasSizeGreaterThan(ACTIONS / 4);
    long middle = snapshotted.get(1);
    assertTold(0, steps);
    assertTold(0, 1);
    assertTold(middle - 5, middle);
    assertTold(middle, middle + 5);
    assertTold(middle + 5, snapshotted.get(3) + 5);
    assertTold(steps, steps);
  }

  private void assertTold(long after, long until) {
    ReplayedFrames replayed = read(HistoryPoint.at(after), HistoryPoint.at(until));
    Map<Long, ByteBuffer> expected = new HashMap<>(live.frames);
    expected.keySet().removeIf(sequence -> sequence <= after || sequence > until);
    assertThat(replayed.frames).as("after %d until %d", after, until).isEqualTo(expected);
    assertThat(replayed.marks).containsExactly(until);
  }

  @Test
  void shouldTellTheStepsWithinTimes() {
    long from = then.get(steps / 3).timeMs();
    long until = then.get(steps / 2).timeMs();
    Map<Long, ByteBuffer> expected = new HashMap<>(live.frames);
    expected.keySet().removeIf(sequence -> then.get((int) (long) sequence - 1).timeMs() < from);
    expected.keySet().removeIf(sequence -> then.get((int) (long) sequence - 1).timeMs() > until);
    assertThat(read(HistoryPoint.atTime(from - 1), HistoryPoint.atTime(until)).frames)
        .isEqualTo(expected);
  }

  @Test
  void shouldSkipDamagedSnapshots() throws IOException {
    for (Snapshot snapshot : new SnapshotDirectory(data, Forcer.DISK).newestFirst()) {
      if (snapshot.sequence() > snapshotted.get(0)) {
        byte[] state = Files.readAllBytes(snapshot.state());
        state[state.length / 2]++;
        Files.write(snapshot.state(), state);
      }
    }
    assertAsThen(steps);
    assertAsThen(snapshotted.get(2));
  }

  @Test
  void shouldReadUpToDamage() throws IOException {
    LogSegment damaged = segments().get(segments().size() / 2);
    long first = new FirstRecordReader().sequenceOf(damaged);
    byte[] bytes = Files.readAllBytes(damaged.file());
    bytes[SegmentLayout.FIRST_RECORD_OFFSET + 70]++;
    Files.write(damaged.file(), bytes);
    long below = snapshotted.stream().filter(each -> each < first).reduce((a, b) -> b).orElse(0L);
    long above = snapshotted.stream().filter(each -> each >= first).findFirst().orElseThrow();
    assertAsThen(first - 1);
    assertAsThen(above);
    assertThat(below).isLessThan(first);
    assertThatThrownBy(() -> stateAt(HistoryPoint.at(first)))
        .isInstanceOf(LogDamagedException.class)
        .hasMessageContaining("can be read up to record %,d. ".formatted(first - 1));
  }

  @Test
  void shouldNameTheFirstAndTheLastPoint() throws IOException {
    assertThatThrownBy(() -> stateAt(HistoryPoint.at(steps + 1)))
        .isInstanceOfSatisfying(
            HistoryException.class,
            e -> {
              assertThat(e.reason()).isEqualTo(HistoryException.Reason.FUTURE);
              assertThat(e.sequence()).isEqualTo(steps);
            });
    assertThatThrownBy(() -> read(HistoryPoint.at(steps + 1), HistoryPoint.END))
        .isInstanceOf(HistoryException.class)
        .hasMessageContaining("the log ends with record %,d, at ".formatted(steps));
    assertThatThrownBy(() -> stateAt(HistoryPoint.atTime(then.get(0).timeMs() - 1)))
        .isInstanceOf(HistoryException.class)
        .hasMessageContaining("has no record up to ");

    long rest = new FirstRecordReader().sequenceOf(segments().get(1)) - 1;
    long first = snapshotted.stream().filter(each -> each >= rest).findFirst().orElseThrow();
    for (Snapshot snapshot : new SnapshotDirectory(data, Forcer.DISK).newestFirst()) {
      if (snapshot.sequence() < first) {
        Files.delete(snapshot.state());
        Files.delete(snapshot.manifest());
        Files.delete(snapshot.directory());
      }
    }
    Files.delete(segments().get(0).file());
    assertAsThen(first);
    assertAsThen(first + 1);
    assertThatThrownBy(() -> stateAt(HistoryPoint.at(first - 1)))
        .isInstanceOfSatisfying(
            HistoryException.class,
            e -> {
              assertThat(e.reason()).isEqualTo(HistoryException.Reason.GONE);
              assertThat(e.sequence()).isEqualTo(first);
            })
        .hasMessageContaining("the first point that is kept is record %,d, at ".formatted(first));
  }

  private List<LogSegment> segments() {
    List<LogSegment> segments = new ArrayList<>();
    for (LogRun run : LogDirectory.read(data).runs()) {
      segments.addAll(run.segments());
    }
    assertThat(segments).hasSizeGreaterThan(2);
    return segments;
  }
}

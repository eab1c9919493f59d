package io.entroq.simulator.golden;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.codec.wire.log.RaiseLevel;
import io.entroq.engine.effect.EffectDigest;
import io.entroq.engine.log.CommandLog;
import io.entroq.engine.log.Forcer;
import io.entroq.engine.log.LogConfig;
import io.entroq.engine.log.LogDirectory;
import io.entroq.engine.log.chronicle.ChronicleLog;
import io.entroq.engine.log.scan.HolePolicy;
import io.entroq.engine.log.scan.LogScanner;
import io.entroq.engine.recovery.LevelReader;
import io.entroq.engine.snapshot.Manifest;
import io.entroq.engine.snapshot.Snapshot;
import io.entroq.engine.snapshot.SnapshotDirectory;
import io.entroq.engine.state.Levels;
import io.entroq.engine.state.ResultSink;
import io.entroq.engine.state.StateLoader;
import io.entroq.engine.state.StateMachine;
import io.entroq.engine.state.StateMachineConfig;
import io.entroq.simulator.check.LoggedRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Old snapshots keep their meaning: each behavior level's golden snapshot, with what follows it in
 * the golden log, leads every later build to the digests that were recorded when the level was new.
 */
class GoldenSnapshotTest {
  private static final List<StateMachineConfig> SHAPES =
      List.of(
          StateMachineConfig.DEFAULT,
          new StateMachineConfig(1, 1, 1),
          new StateMachineConfig(9, 12, 10));

  @TempDir private Path data;

  static IntStream levels() {
    return IntStream.rangeClosed(Levels.MIN, Levels.MAX);
  }

  @ParameterizedTest
  @MethodSource("levels")
  void shouldReachTheRecordedDigestsFromTheSnapshotAtAnyCapacity(int level) throws IOException {
    GoldenLog golden = GoldenLog.read(level);
    LogDirectory.open(data).close();
    GoldenSnapshot.copy(level, data);
    Manifest manifest = snapshots().reader(newest()).manifest();
    writeLog(golden, manifest.logTag());
    for (StateMachineConfig shape : SHAPES) {
      StateMachine machine = load(shape);
      assertThat(Digests.of(machine))
          .isEqualTo(
              new Digests(manifest.sequence(), manifest.historyDigest(), manifest.contentDigest()));

      List<Digests> reached = new ArrayList<>();
      try (LogDirectory log = LogDirectory.open(data)) {
        new LogScanner(log, HolePolicy.REFUSE)
            .scanAfter(
                manifest.sequence(),
                manifest.logTag(),
                manifest.logTimeMs(),
                (type, sequence, logTimeMs, crc, payload, offset, length) -> {
                  EffectDigest effects = new EffectDigest();
                  machine.tellEffects(effects);
                  machine.apply(
                      type,
                      payload,
                      offset,
                      length,
                      crc,
                      logTimeMs,
                      sequence,
                      ResultSink.DISCARDING);
                  reached.add(Digests.of(machine));
                  assertThat(effects.value())
                      .as("effects of record %d", sequence)
                      .isEqualTo(golden.effects().get((int) sequence - 1));
                })
            .requireUndamaged();
      }
      assertThat(reached).hasSize(golden.records().size() - (int) manifest.sequence());
      assertThat(reached).containsAll(behind(manifest.sequence(), golden.digests()));
      assertThat(machine.recomputeContentDigest()).isEqualTo(machine.contentDigest());
      machine.close();
    }
  }

  private static List<Digests> behind(long sequence, List<Digests> digests) {
    List<Digests> behind =
        digests.stream().filter(recorded -> recorded.sequence() > sequence).toList();
    assertThat(behind).hasSizeGreaterThan(1);
    return behind;
  }

  /** A small snapshot would prove little. */
  @ParameterizedTest
  @MethodSource("levels")
  void shouldHoldMuchThatIsUnderWay(int level) throws IOException {
    GoldenSnapshot.copy(level, data);
    StateMachine machine = load(StateMachineConfig.DEFAULT);
    assertThat(machine.level()).isEqualTo(level);
    assertThat(GoldenSnapshot.hasUnfinishedWork(machine)).as("work for the next step").isTrue();
    assertThat(machine.parkedCount()).isPositive();
    assertThat(machine.clientCount()).isGreaterThan(1);
    assertThat(machine.taskCount()).isGreaterThan(100);
    machine.close();
  }

  /** Reads the level without the state. */
  @ParameterizedTest
  @MethodSource("levels")
  void shouldTellTheLevelFromTheSnapshotAndTheLogBehindIt(int level) throws IOException {
    GoldenLog golden = GoldenLog.read(level);
    LogDirectory.open(data).close();
    GoldenSnapshot.copy(level, data);
    int logTag = snapshots().reader(newest()).manifest().logTag();
    writeLog(golden, logTag);
    assertThat(levelRead()).isEqualTo(level);

    LoggedRecord last = golden.records().get(golden.records().size() - 1);
    RaiseLevel raise = RaiseLevel.newBuilder().setLevel(level + 1).build();
    append(List.of(LoggedRecord.of(raise, last.logTimeMs(), last.sequence() + 1)), logTag);
    assertThat(levelRead()).as("raised behind the snapshot").isEqualTo(level + 1);

    Files.writeString(newest().manifest(), "damaged");
    assertThat(levelRead()).as("from the log alone").isEqualTo(level + 1);
  }

  private int levelRead() {
    return new LevelReader(LogDirectory.read(data), HolePolicy.REFUSE).read();
  }

  @ParameterizedTest
  @MethodSource("levels")
  void shouldWriteASnapshotWhenALevelHasNoneAndThenRefuse(int level) throws IOException {
    Path folder = Files.createDirectories(data.resolve(GoldenLog.folder(level)));
    GoldenSnapshotWriter.write(data, level);
    assertThat(new SnapshotDirectory(folder, Forcer.DISK).newestFirst()).hasSize(1);

    assertThatThrownBy(() -> GoldenSnapshotWriter.write(data, level))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("stays as it is");
  }

  private StateMachine load(StateMachineConfig shape) {
    StateLoader loader = new StateLoader(shape);
    snapshots().reader(newest()).read(loader);
    return loader.finish();
  }

  private Snapshot newest() {
    return snapshots().newestFirst().get(0);
  }

  private SnapshotDirectory snapshots() {
    return new SnapshotDirectory(data, Forcer.DISK);
  }

  /** The golden log as an engine would have it in its directory. */
  private void writeLog(GoldenLog golden, int logTag) {
    append(golden.records(), logTag);
  }

  private void append(List<LoggedRecord> records, int logTag) {
    long before = records.get(0).sequence() - 1;
    try (LogDirectory directory = LogDirectory.open(data);
        CommandLog log =
            ChronicleLog.open(directory, LogConfig.defaults(), logTag, before, before)) {
      for (LoggedRecord record : records) {
        log.append(
            record.type(),
            record.sequence(),
            record.logTimeMs(),
            record.crc(),
            record.payload(),
            0,
            record.payload().capacity());
      }
      log.force();
    }
  }
}

package io.entroq.simulator.random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.codec.effect.EffectReader;
import io.entroq.codec.effect.StepFrame;
import io.entroq.codec.snapshot.ChunkFrame;
import io.entroq.codec.wire.IdKey;
import io.entroq.engine.Trees;
import io.entroq.engine.effect.EffectIds;
import io.entroq.engine.fault.FaultHook;
import io.entroq.engine.gateway.EffectConsumer;
import io.entroq.engine.gateway.HistoryPoint;
import io.entroq.engine.history.HistoryDirectory;
import io.entroq.engine.history.HistoryException;
import io.entroq.engine.history.HistoryReader;
import io.entroq.engine.history.ReplayWatch;
import io.entroq.engine.history.StateAt;
import io.entroq.engine.idfilter.IdFilterDirectory;
import io.entroq.engine.idfilter.IdRecorder;
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
import io.entroq.engine.maintenance.HistoryPolicy;
import io.entroq.engine.maintenance.ObsoleteFiles;
import io.entroq.engine.recovery.RecoveredState;
import io.entroq.engine.recovery.StateRecovery;
import io.entroq.engine.snapshot.Snapshot;
import io.entroq.engine.snapshot.SnapshotDirectory;
import io.entroq.engine.snapshot.SnapshotWriter;
import io.entroq.engine.state.Levels;
import io.entroq.engine.state.ResultSink;
import io.entroq.engine.state.StateMachine;
import io.entroq.engine.state.StateMachineConfig;
import io.entroq.simulator.check.LoggedRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.agrona.DirectBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The history of a task is the same whether all that is kept is read or what its filters name. */
class TaskHistoryTest {
  private static final int ACTIONS = 600;
  private static final int STEPS_PER_SNAPSHOT = 40;
  private static final int FILTERS = 16;
  private static final int IDS_IN_FILTER = 10;
  private static final int TASKS = 24;
  private static final int SEEDS = 100;
  private static final int PAYLOAD_BYTES_MAX = 48 << 10;
  private static final long MEMORY = 1L << 30;
  private static final Forcer NOT_FORCED = (what, action) -> {};
  private static final IdKey NEVER = new IdKey(0x5EED_5EED, 0x1234_5678, "");
  private static final LogConfig CONFIG =
      LogConfig.defaults().withSegmentBytes(64 << 10).withPayloadBytesMax(PAYLOAD_BYTES_MAX);

  @TempDir private Path data;

  /** Which ids a machine tells a recorder. */
  private interface Noting {
    Noting ALL = (machine, recorder) -> recorder.begin(machine);

    void begin(StateMachine machine, IdRecorder recorder);
  }

  /** Effects of tasks, each as the position, the kind and the bytes of its step. */
  private static final class Told implements EffectConsumer {
    private final List<String> effects = new ArrayList<>();
    private final Map<IdKey, List<String>> byTask = new HashMap<>();
    private final List<Long> marks = new ArrayList<>();

    @Override
    public void onEffect(EffectReader effect) {
      StepFrame step = effect.step();
      String told =
          "%d.%d %d %x"
              .formatted(
                  step.sequence(),
                  effect.index(),
                  effect.kind(),
                  hash(step.buffer(), step.offset(), step.length()));
      effects.add(told);
      if (effect.isOfTask()) {
        IdKey id = new IdKey(effect.idHigh(), effect.idLow(), "");
        byTask.computeIfAbsent(id, key -> new ArrayList<>()).add(told);
      }
    }

    private static int hash(DirectBuffer buffer, int offset, int length) {
      int hash = 0;
      for (int i = 0; i < length; i++) {
        hash = hash * 31 + buffer.getByte(offset + i);
      }
      return hash;
    }

    @Override
    public void onMark(long sequence, long logTimeMs) {
      marks.add(sequence);
    }
  }

  /** An engine as far as its directory shows: it is killed now and then, and goes on. */
  private void write(long seed, HistoryPolicy policy, Noting noting) {
    Random random = new Random(seed);
    long used = seed;
    List<LoggedRecord> records = WatchedMachine.log(used, Levels.MAX, ACTIONS);
    while (records.stream().anyMatch(each -> each.payload().capacity() > PAYLOAD_BYTES_MAX)) {
      // A segment has no room for it.
      used += SEEDS;
      records = WatchedMachine.log(used, Levels.MAX, ACTIONS);
    }
    int next = 0;
    while (next < records.size()) {
      // Now and then all at once, so that there are files of many records, too.
      int until = Math.min(records.size(), next + 1 + random.nextInt(records.size()));
      next = life(ChunkFrame.logTag(~used), records, until, policy, noting, random);
    }
  }

  /** Returns the last record. */
  private int life(
      int tag,
      List<LoggedRecord> records,
      int until,
      HistoryPolicy policy,
      Noting noting,
      Random random) {
    SnapshotDirectory snapshots = new SnapshotDirectory(data, NOT_FORCED);
    // Small enough that most stretches have several.
    IdRecorder recorder = new IdRecorder(FILTERS, IDS_IN_FILTER);
    try (LogDirectory directory = LogDirectory.open(data)) {
      RecoveredState recovered =
          new StateRecovery(
                  directory,
                  snapshots,
                  HolePolicy.REFUSE,
                  NOT_FORCED,
                  StateMachineConfig.DEFAULT,
                  skipped -> {})
              .beginningWith(machine -> noting.begin(machine, recorder))
              .recover(ResultSink.DISCARDING);
      try (StateMachine machine = recovered.machine()) {
        long last = machine.sequence();
        CommandLog log = ChronicleLog.open(directory, CONFIG, tag, last, last);
        ObsoleteFiles obsolete = new ObsoleteFiles(directory, snapshots, policy, 0, FaultHook.NONE);
        boolean isLost = false;
        while (!isLost && machine.sequence() < until) {
          LoggedRecord record = records.get((int) machine.sequence());
          append(log, record);
          record.applyTo(machine, ResultSink.DISCARDING);
          if (random.nextInt(STEPS_PER_SNAPSHOT) == 0) {
            recorder.cut();
            new IdFilterDirectory(data).write(recorder, 0);
            // Some are killed between the file and the snapshot.
            isLost = random.nextInt(6) == 0;
            if (!isLost) {
              new SnapshotWriter(snapshots, 0)
                  .write(machine.freeze(), at -> {}, () -> false, written -> {});
              machine.thaw();
              obsolete.remove();
            }
          }
        }
        log.abandon();
        return (int) machine.sequence();
      }
    }
  }

  private static void append(CommandLog log, LoggedRecord record) {
    log.append(
        record.type(),
        record.sequence(),
        record.logTimeMs(),
        record.crc(),
        record.payload(),
        0,
        record.payload().capacity());
  }

  private HistoryDirectory open() {
    return new HistoryDirectory(
        LogDirectory.read(data), new SnapshotDirectory(data, NOT_FORCED), HolePolicy.REFUSE);
  }

  private Told read(List<IdKey> ids, HistoryPoint after, HistoryPoint until) {
    Told told = new Told();
    try (HistoryDirectory history = open()) {
      new HistoryReader(new StateAt(history, MEMORY, ReplayWatch.NONE), ids, true)
          .read(after, until, told);
    }
    return told;
  }

  private HistoryPoint first() {
    try (HistoryDirectory history = open()) {
      return HistoryPoint.at(history.first());
    }
  }

  /** Compares the history of tasks with that in all effects. */
  private void assertSameAsAll(HistoryPoint after, HistoryPoint until, int tasks, Random random) {
    Told all = read(List.of(), after, until);
    all.byTask.put(NEVER, List.of());
    List<IdKey> ids = new ArrayList<>(all.byTask.keySet());
    Collections.shuffle(ids, random);
    ids.add(0, NEVER);
    for (IdKey id : ids.subList(0, Math.min(tasks, ids.size()))) {
      Told told = read(List.of(id), after, until);
      assertThat(told.effects)
          .as("task %s after %s until %s", id, after, until)
          .isEqualTo(all.byTask.get(id));
      assertThat(told.marks).isEqualTo(all.marks);
    }
    List<IdKey> some = ids.subList(0, Math.min(3, ids.size()));
    List<String> expected =
        all.effects.stream()
            .filter(told -> some.stream().anyMatch(id -> all.byTask.get(id).contains(told)))
            .toList();
    assertThat(read(some, after, until).effects).isEqualTo(expected);
  }

  private void assertSameAsAll(Random random) {
    HistoryPoint first = first();
    Told all = read(List.of(), first, HistoryPoint.END);
    long last = all.marks.get(0);
    assertThat(all.byTask).hasSizeGreaterThan(10);
    assertSameAsAll(first, HistoryPoint.END, TASKS, random);
    long after = first.sequence() + (long) (random.nextDouble() * (last - first.sequence()));
    long until = after + (long) (random.nextDouble() * (last - after));
    assertSameAsAll(HistoryPoint.at(after), HistoryPoint.at(until), TASKS / 3, random);
    try (HistoryDirectory history = open();
        StateMachine at =
            new StateAt(history, MEMORY, ReplayWatch.NONE)
                .open(HistoryPoint.at(Math.max(1, after)))) {
      assertSameAsAll(
          HistoryPoint.atTime(at.logTimeMs()),
          HistoryPoint.atTime(Long.MAX_VALUE - 1),
          TASKS / 3,
          random);
    }
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> files = Files.list(data.resolve(IdFilterDirectory.NAME))) {
      return files.sorted().toList();
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void shouldBeTheSameByFilters(long seed) throws IOException {
    write(seed, HistoryPolicy.ofBytes(1L << 40), Noting.ALL);
    assertThat(files()).hasSizeGreaterThan(3);
    assertSameAsAll(new Random(seed));
  }

  @ParameterizedTest
  @ValueSource(longs = {5, 6, 7})
  void shouldBeTheSameOfALogWhoseBeginIsGone(long seed) throws IOException {
    write(seed, HistoryPolicy.ofBytes(30_000), Noting.ALL);
    long first = first().sequence();
    assertThat(first).isPositive();
    assertThat(files())
        .isNotEmpty()
        .allMatch(file -> Long.parseLong(file.getFileName().toString().substring(4)) > first);
    assertSameAsAll(new Random(seed));
    assertThatThrownBy(() -> read(List.of(NEVER), HistoryPoint.at(first - 1), HistoryPoint.END))
        .isInstanceOfSatisfying(
            HistoryException.class,
            e -> assertThat(e.reason()).isEqualTo(HistoryException.Reason.GONE));
  }

  @ParameterizedTest
  @ValueSource(longs = {8, 9, 10})
  void shouldBeTheSameWithDamagedFiles(long seed) throws IOException {
    write(seed, HistoryPolicy.ofBytes(1L << 40), Noting.ALL);
    Random random = new Random(seed);
    List<Path> files = files();
    for (int i = 0; i < files.size(); i++) {
      damage(files.get(i), files.get(random.nextInt(files.size())), i % 6, random);
    }
    for (Snapshot snapshot : new SnapshotDirectory(data, NOT_FORCED).newestFirst()) {
      if (random.nextInt(3) == 0) {
        byte[] state = Files.readAllBytes(snapshot.state());
        state[random.nextInt(state.length)]++;
        Files.write(snapshot.state(), state);
      }
    }
    assertSameAsAll(random);
  }

  private static void damage(Path file, Path other, int how, Random random) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    switch (how) {
      case 0 -> Files.delete(file);
      case 1 -> {
        bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
        Files.write(file, bytes);
      }
      case 2 -> Files.write(file, new byte[random.nextInt(100)]);
      case 3 -> Files.write(file, Arrays.copyOf(bytes, random.nextInt(bytes.length)));
      case 4 -> Files.write(file, Files.exists(other) ? Files.readAllBytes(other) : bytes);
      default -> {
        // It stays as it is.
      }
    }
  }

  /** The same ids, positions and log id, but another history. */
  @Test
  void shouldNotTrustFilesOfALogThatWentOnDifferently() throws IOException {
    write(11, HistoryPolicy.ofBytes(1L << 40), Noting.ALL);
    assertSameAsAll(new Random(11));
    Path other = Files.createDirectory(data.resolveSibling(data.getFileName() + "-other"));
    try {
      for (Path file : files()) {
        Files.copy(file, other.resolve(file.getFileName()));
      }
      for (String part : List.of("log", "snapshots", IdFilterDirectory.NAME, "readers")) {
        Trees.delete(data.resolve(part));
      }
      write(12, HistoryPolicy.ofBytes(1L << 40), Noting.ALL);
      for (Path file : files()) {
        Files.delete(file);
      }
      List<Path> foreign;
      try (Stream<Path> found = Files.list(other)) {
        foreign = found.toList();
      }
      for (Path file : foreign) {
        Files.copy(file, data.resolve(IdFilterDirectory.NAME).resolve(file.getFileName()));
      }
      assertSameAsAll(new Random(12));
    } finally {
      Trees.delete(other);
    }
  }

  @Test
  void shouldReadDirectoriesWithoutFiltersAsBefore() throws IOException {
    write(13, HistoryPolicy.ofBytes(1L << 40), Noting.ALL);
    Trees.delete(data.resolve(IdFilterDirectory.NAME));
    assertSameAsAll(new Random(13));
  }

  /** A bug: of what a step does, the id of one effect is not noted. */
  @ParameterizedTest
  @ValueSource(ints = {2, 4})
  void shouldNoticeIdsThatAreNotNoted(int part) {
    write(
        14,
        HistoryPolicy.ofBytes(1L << 40),
        (machine, recorder) -> {
          recorder.begin(machine);
          machine.tellIds(new Forgetful(recorder, part));
        });
    assertThatThrownBy(
            () -> assertSameAsAll(first(), HistoryPoint.END, Integer.MAX_VALUE, new Random(1)))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("task IdKey");
  }

  private static final class Forgetful implements EffectIds {
    private final EffectIds to;
    private final int part;
    private int told;

    Forgetful(EffectIds to, int part) {
      this.to = to;
      this.part = part;
    }

    @Override
    public boolean wants(long insertSequence, long sequence) {
      return to.wants(insertSequence, sequence);
    }

    @Override
    public void onTask(long high, long low) {
      told++;
      if (told % part != 0) {
        to.onTask(high, low);
      }
    }

    @Override
    public void onStepEnd(long sequence) {
      to.onStepEnd(sequence);
    }
  }

  /** What is left out is not read. */
  @Test
  void shouldNotReadWhatItLeavesOut() throws IOException {
    write(15, HistoryPolicy.ofBytes(1L << 40), Noting.ALL);
    List<String> expected = read(List.of(NEVER), first(), HistoryPoint.END).effects;
    Consumer<List<IdKey>> reading = ids -> read(ids, HistoryPoint.at(0), HistoryPoint.END);
    LogSegment damaged = segments().get(0);
    byte[] bytes = Files.readAllBytes(damaged.file());
    bytes[SegmentLayout.FIRST_RECORD_OFFSET + 200]++;
    Files.write(damaged.file(), bytes);
    assertThat(new FirstRecordReader().sequenceOf(damaged)).isEqualTo(1);
    assertThat(read(List.of(NEVER), HistoryPoint.at(0), HistoryPoint.END).effects)
        .isEqualTo(expected);
    assertThatThrownBy(() -> reading.accept(List.of())).isInstanceOf(LogDamagedException.class);
  }

  private List<LogSegment> segments() {
    List<LogSegment> segments = new ArrayList<>();
    for (LogRun run : LogDirectory.read(data).runs()) {
      segments.addAll(run.segments());
    }
    return segments;
  }
}

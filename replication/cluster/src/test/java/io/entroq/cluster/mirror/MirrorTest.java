package io.entroq.cluster.mirror;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.cluster.image.ImageStore;
import io.entroq.codec.effect.EffectReader;
import io.entroq.codec.wire.IdKey;
import io.entroq.engine.Trees;
import io.entroq.engine.gateway.EffectConsumer;
import io.entroq.engine.gateway.HistoryPoint;
import io.entroq.engine.history.HistoryDirectory;
import io.entroq.engine.history.HistoryReader;
import io.entroq.engine.history.ReplayWatch;
import io.entroq.engine.history.StateAt;
import io.entroq.engine.idfilter.IdFilterDirectory;
import io.entroq.engine.log.Forcer;
import io.entroq.engine.log.LogDirectory;
import io.entroq.engine.log.RunFactory;
import io.entroq.engine.log.chronicle.ChronicleLog;
import io.entroq.engine.log.scan.HolePolicy;
import io.entroq.engine.maintenance.HistoryPolicy;
import io.entroq.engine.state.StateMachine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A mirror holds all applied records, or reports that it does not. */
class MirrorTest {
  private static final int LOT = 20;
  private static final MirrorConfig SMALL = MirrorConfig.DEFAULT.withSegmentBytes(16 << 10);

  @TempDir static Path sources;
  private static MirrorRecords records;
  private static MirrorRecords others;

  @TempDir Path temporary;
  private Path directory;

  @BeforeAll
  static void makeRecords() {
    records = MirrorRecords.of(sources.resolve("one"), 120, 1_000);
    others = MirrorRecords.of(sources.resolve("another"), 120, 1_000);
  }

  @BeforeEach
  void makeDirectory() throws IOException {
    directory = Files.createTempDirectory(temporary, "member");
  }

  private Mirrored open() throws IOException {
    return open(SMALL, ChronicleLog.RUNS, Mirrored.newMachine());
  }

  private Mirrored open(MirrorConfig config, RunFactory runs, StateMachine machine)
      throws IOException {
    return new Mirrored(directory, config, runs, machine);
  }

  @Test
  void shouldHoldAppliedRecords() throws IOException {
    Mirrored mirrored = open().apply(records);
    mirrored.untilWritten();
    assertThat(mirrored.stats().state()).isEqualTo(MirrorState.FOLLOWING);
    assertThat(mirrored.stats().lagRecords()).isZero();
    mirrored.closeAndCompare();
  }

  @Test
  void shouldContinueAfterRestart() throws IOException {
    for (int last : List.of(1, 50, 51, records.count())) {
      Mirrored mirrored = open();
      assertThat(mirrored.mirror().foundLogTimeMs() == 0).isEqualTo(last == 1);
      mirrored.apply(records, last).closeAndCompare();
    }
    assertThat(setAside()).isFalse();
  }

  @Test
  void shouldWriteNothingUntilItIsVerified() throws IOException {
    open().apply(records, 100).close();
    Mirrored mirrored = open().apply(records, 99);
    assertThat(mirrored.stats().state()).isEqualTo(MirrorState.PROVING);
    mirrored.apply(records, 101);
    assertThat(mirrored.stats().state()).isEqualTo(MirrorState.FOLLOWING);
    mirrored.closeAndCompare();
  }

  @Test
  void shouldSetAsideRecordsUnknownToTheCluster() throws IOException {
    open().apply(records, 100).close();
    String before = Mirrored.digestOf(directory);

    Mirrored mirrored = open().apply(others, 60);
    mirrored.untilWritten();
    assertThat(mirrored.stats().seeds()).isEqualTo(1);
    mirrored.apply(others).closeAndCompare();
    assertThat(Mirrored.digestOf(directory.resolve(MirrorStore.SET_ASIDE))).isEqualTo(before);
  }

  @Test
  void shouldSetAsideSnapshotUnknownToTheCluster() throws IOException {
    Mirrored first = open().apply(records, 100);
    first.snapshot();
    first.close();
    Mirrored mirrored = open().apply(others);
    mirrored.until("it begins anew", () -> mirrored.stats().seeds() == 1);
    mirrored.closeAndCompare();
    assertThat(setAside()).isTrue();
  }

  @Test
  void shouldSetAsideSnapshotOfAnotherStateAtAClusterSnapshot() throws IOException {
    Mirrored first = open().apply(records, 100);
    first.snapshot();
    first.untilSnapshot();
    first.close();
    Mirrored mirrored = open().apply(others, 100);
    assertThat(mirrored.stats().state()).isEqualTo(MirrorState.PROVING);
    mirrored.snapshot();
    assertThat(mirrored.stats().state()).isEqualTo(MirrorState.OUT);
    mirrored.apply(others, 101);
    mirrored.until("it begins anew", () -> mirrored.stats().seeds() == 1);
    mirrored.closeAndCompare();
    assertThat(setAside()).isTrue();
  }

  @Test
  void shouldKeepTwoSnapshotsAndTheLogAfterThem() throws IOException {
    Mirrored mirrored = open();
    long segments = 0;
    for (int last = 40; last <= records.count(); last += 40) {
      mirrored.apply(records, last);
      mirrored.snapshot();
      mirrored.untilSnapshot();
      segments = Math.max(segments, segments());
    }
    assertThat(mirrored.snapshots()).hasSize(2);
    mirrored.apply(records).closeAndCompare();
    assertThat(segments()).isLessThan(segments + 3);
    // From the snapshot that a member would start with, and from before that.
    StateMachine begun = Mirrored.recover(directory);
    assertThat(begun.sequence()).isEqualTo(records.count());
    begun.close();
    open().apply(records).closeAndCompare();
    assertThat(setAside()).isFalse();
  }

  @Test
  void shouldKeepTheHistoryAskedForAndNotReadItAtStart() throws IOException {
    MirrorConfig all = SMALL.withHistory(HistoryPolicy.ofAge(Duration.ofDays(365)), 0);
    Mirrored mirrored = open(all, ChronicleLog.RUNS, Mirrored.newMachine());
    takeThree(mirrored);
    mirrored.apply(records).closeAndCompare();
    List<Path> segments = files(directory.resolve("log"));
    assertThat(hasFirstRecord()).isTrue();
    Path history = segments.get(0);
    truncate(history);

    try (Mirrored again = open(all, ChronicleLog.RUNS, Mirrored.recover(directory))) {
      assertThat(again.stats().seeds()).isZero();
      assertThat(setAside()).as("by who reads only what it needs").isFalse();
    }
    open().close();
    assertThat(setAside()).as("by who reads everything").isTrue();
  }

  /** Snapshots of its own, and images that it shares. */
  @Test
  void shouldFindTheHistoryOfATaskWithoutReadingAllOfIt() throws IOException {
    MirrorConfig all = SMALL.withHistory(HistoryPolicy.ofAge(Duration.ofDays(365)), 0);
    Mirrored mirrored = open(all, ChronicleLog.RUNS, Mirrored.newMachine());
    takeThree(mirrored);
    mirrored.apply(records, 140);
    ImageStore images = ImageStore.open(directory, Forcer.DISK);
    mirrored.offer(images);
    mirrored.until("the image is shared", () -> mirrored.snapshots().get(0).sequence() == 140);
    mirrored.apply(records).closeAndCompare();
    assertThat(files(directory.resolve(IdFilterDirectory.NAME)))
        .extracting(file -> file.getFileName().toString())
        .contains("ids-00000000000000000040", "ids-00000000000000000140");

    Map<IdKey, List<Long>> expected = history(List.of());
    assertThat(expected).hasSizeGreaterThan(100);
    expected.forEach((id, steps) -> assertThat(history(List.of(id))).isEqualTo(Map.of(id, steps)));
    truncate(files(directory.resolve("log")).get(0));
    assertThat(history(List.of(new IdKey(1, 1, "")))).as("nothing of it is read").isEmpty();
  }

  /** The steps that have effects on each task. */
  private Map<IdKey, List<Long>> history(List<IdKey> ids) {
    Map<IdKey, List<Long>> steps = new HashMap<>();
    try (HistoryDirectory history = HistoryDirectory.open(directory, HolePolicy.REFUSE, "test")) {
      new HistoryReader(new StateAt(history, 1L << 30, ReplayWatch.NONE), ids, false)
          .read(
              HistoryPoint.at(0),
              HistoryPoint.END,
              new EffectConsumer() {
                @Override
                public void onEffect(EffectReader effect) {
                  IdKey id = new IdKey(effect.idHigh(), effect.idLow(), "");
                  steps.computeIfAbsent(id, key -> new ArrayList<>()).add(effect.step().sequence());
                }

                @Override
                public void onMark(long sequence, long logTimeMs) {
                  assertThat(sequence).isEqualTo(records.count());
                }
              });
    }
    return steps;
  }

  @Test
  void shouldGiveHistoryUpWhileTheDiskHasLittleRoom() throws IOException {
    HistoryPolicy year = HistoryPolicy.ofAge(Duration.ofDays(365));
    MirrorConfig scarce = SMALL.withHistory(year, Long.MAX_VALUE);
    Mirrored mirrored = open(scarce, ChronicleLog.RUNS, Mirrored.newMachine());
    takeThree(mirrored);
    mirrored.until("the beginning is let go", () -> !hasFirstRecord());
    mirrored.until("two snapshots are left", () -> mirrored.snapshots().size() == 2);
    mirrored.apply(records).closeAndCompare();
  }

  private static void takeThree(Mirrored mirrored) {
    for (int last = 40; last <= 120; last += 40) {
      long sequence = last;
      mirrored.apply(records, last);
      mirrored.snapshot();
      mirrored.until(
          "it is taken",
          () -> mirrored.snapshots().stream().anyMatch(each -> each.sequence() == sequence));
      mirrored.mirror().yieldState();
    }
  }

  private boolean hasFirstRecord() {
    return LogDirectory.read(directory).runs().get(0).segments().get(0).number() == 0;
  }

  private static void truncate(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.truncate(channel.size() / 2);
    }
  }

  @Test
  void shouldVerifyRecordsAfterAClusterSnapshot() throws IOException {
    Mirrored first = open().apply(records, 100);
    first.snapshot();
    first.untilSnapshot();
    first.close();
    StateMachine begun = Mirrored.recover(directory);
    assertThat(begun.sequence()).isEqualTo(100);

    Mirrored mirrored = open(SMALL, ChronicleLog.RUNS, begun).apply(records);
    assertThat(mirrored.stats().state()).isEqualTo(MirrorState.FOLLOWING);
    mirrored.closeAndCompare();
    assertThat(setAside()).isFalse();
  }

  @Test
  void shouldRestartIfTheClusterStartsAfterItsSnapshot() throws IOException {
    open().apply(records, 120).close();
    StateMachine begun = Mirrored.recover(directory);

    Mirrored mirrored = open(SMALL, ChronicleLog.RUNS, begun).apply(records, 121);
    mirrored.untilWritten();
    assertThat(mirrored.stats().seeds()).isEqualTo(1);
    mirrored.apply(records).closeAndCompare();
    assertThat(setAside()).isTrue();
  }

  @Test
  void shouldDropOutInsteadOfWaitingAndRestartWithASnapshot() throws IOException {
    FaultyDisk disk = new FaultyDisk().stick();
    MirrorConfig config = SMALL.withQueueBytes(64 << 10);
    Mirrored mirrored = open(config, disk, Mirrored.newMachine()).apply(records, 195);
    assertThat(mirrored.stats().state()).isEqualTo(MirrorState.OUT);
    assertThat(mirrored.stats().dropouts()).isEqualTo(1);
    assertThat(mirrored.stats().lagBytes()).isBetween(32L << 10, 64L << 10);

    disk.mend();
    mirrored.until("the queue is empty", () -> mirrored.stats().lagBytes() == 0);
    mirrored.snapshot();
    assertThat(mirrored.stats().state()).isEqualTo(MirrorState.FOLLOWING);
    applyAsItIsWritten(mirrored).closeAndCompare();
    assertThat(setAside()).isFalse();
  }

  /** All at once may fill the queue again before its writer gets a processor. */
  private Mirrored applyAsItIsWritten(Mirrored mirrored) {
    while (mirrored.sequence() < records.count()) {
      mirrored.apply(records, Math.min(records.count(), mirrored.sequence() + LOT));
      mirrored.until("it is written", () -> mirrored.stats().lagBytes() == 0);
    }
    return mirrored;
  }

  @Test
  void shouldNotRestartBeforeTheQueueIsWritten() throws IOException {
    FaultyDisk disk = new FaultyDisk().stick();
    MirrorConfig config = SMALL.withQueueBytes(64 << 10);
    Mirrored mirrored = open(config, disk, Mirrored.newMachine()).apply(records, 195);
    mirrored.snapshot();
    assertThat(mirrored.stats().state()).isEqualTo(MirrorState.OUT);
    assertThat(mirrored.stats().seeds()).isZero();

    disk.mend();
    mirrored.until("it begins anew", () -> mirrored.stats().seeds() == 1);
    applyAsItIsWritten(mirrored).closeAndCompare();
  }

  @Test
  void shouldDropOutWhenTheDiskRefuses() throws IOException {
    MirrorConfig config = SMALL.withReserveBytes(Long.MAX_VALUE / 2);
    Mirrored mirrored = open(config, ChronicleLog.RUNS, Mirrored.newMachine()).apply(records, 1);
    mirrored.until(
        "it is out",
        () -> {
          mirrored.apply(records, Math.min(records.count(), mirrored.sequence() + 1));
          return mirrored.stats().state() == MirrorState.OUT;
        });
    mirrored.apply(records).close();
  }

  @Test
  void shouldRestartOnceWhenTheDiskRecovers() throws IOException {
    FaultyDisk disk = new FaultyDisk();
    Mirrored mirrored = open(SMALL, disk, Mirrored.newMachine()).apply(records, 50);
    mirrored.untilWritten();
    disk.refuse();
    mirrored.apply(records, 51);
    mirrored.until("it is out", () -> mirrored.stats().state() == MirrorState.OUT);
    mirrored.apply(records, 52);
    disk.mend();
    mirrored.until("the queue is empty", () -> mirrored.stats().lagBytes() == 0);
    mirrored.snapshot();
    mirrored.apply(records);
    assertThat(mirrored.stats().state()).isEqualTo(MirrorState.FOLLOWING);
    assertThat(mirrored.stats().dropouts()).isEqualTo(1);
    assertThat(mirrored.stats().seeds()).isEqualTo(1);
    mirrored.closeAndCompare();
  }

  @Test
  void shouldReleaseTheStateBeforeItsSnapshotIsOnDisk() throws Exception {
    FaultyDisk disk = new FaultyDisk();
    Mirrored mirrored = open(SMALL, disk, Mirrored.newMachine()).apply(records, 195);
    mirrored.until("the queue is empty", () -> mirrored.stats().lagBytes() == 0);

    disk.stick();
    mirrored.apply(records, 200).snapshot();
    // Two more cluster snapshots, while the mirror's waits for its log.
    mirrored.mirror().yieldState();
    mirrored.snapshot();
    mirrored.mirror().yieldState();
    mirrored.snapshot();
    disk.mend();
    mirrored.apply(records).closeAndCompare();
    assertThat(mirrored.stats().dropouts()).isZero();
  }

  @Test
  void shouldNotFollowWithoutItsFirstSnapshot() throws Exception {
    FaultyDisk disk = new FaultyDisk().stick();
    MirrorConfig config = SMALL.withQueueBytes(64 << 10);
    Mirrored mirrored = open(config, disk, Mirrored.newMachine()).apply(records, 195);
    disk.mend();
    mirrored.until("the queue is empty", () -> mirrored.stats().lagBytes() == 0);

    disk.stick();
    mirrored.snapshot();
    assertThat(mirrored.stats().seeds()).isEqualTo(1);
    // The cluster needs the state for its own snapshot before the mirror's is written.
    mirrored.mirror().yieldState();
    disk.mend();
    while (mirrored.stats().lagBytes() > 0) {
      Thread.onSpinWait();
    }
    refuseSnapshots();
    mirrored.mirror().onSnapshot(null);
    mirrored.until("it drops out again", () -> mirrored.stats().dropouts() == 2);

    mirrored.snapshot();
    mirrored.apply(records).closeAndCompare();
    assertThat(mirrored.stats().seeds()).isEqualTo(2);
  }

  @Test
  void shouldShareTheImageOfTheCluster() throws Exception {
    Mirrored mirrored = open(SMALL, ChronicleLog.RUNS, Mirrored.newMachine()).apply(records, 195);
    ImageStore images = ImageStore.open(directory, Forcer.DISK);
    mirrored.share(images);
    assertThat(
            Files.isSameFile(
                mirrored.snapshots().get(0).state(), images.at(195).orElseThrow().state()))
        .isTrue();
    mirrored.apply(records).closeAndCompare();

    // Damage to it is the member's to find.
    spoil(images.at(195).orElseThrow().state());
    try (Mirrored again = open()) {
      assertThat(again.apply(records).stats().seeds()).isZero();
      assertThat(directory.resolve("mirror-set-aside")).doesNotExist();
    }
    images.remove(position -> true);
    open().close();
    assertThat(directory.resolve("mirror-set-aside")).exists();
  }

  @Test
  void shouldWriteItsFirstSnapshotItselfIfTheImageInItsPlaceFails() throws Exception {
    FaultyDisk disk = new FaultyDisk().stick();
    Mirrored mirrored =
        open(SMALL.withQueueBytes(64 << 10), disk, Mirrored.newMachine()).apply(records, 195);
    disk.mend();
    mirrored.until("the queue is empty", () -> mirrored.stats().lagBytes() == 0);
    disk.stick();
    mirrored.snapshot();
    assertThat(mirrored.stats().seeds()).isEqualTo(1);
    Forcer refusing =
        (what, action) -> {
          throw new IOException("the disk refuses");
        };
    mirrored.offer(ImageStore.open(directory, refusing, Forcer.DISK));
    disk.mend();
    mirrored.untilSnapshot();
    assertThat(mirrored.stats().dropouts()).isEqualTo(1);
    mirrored.closeAndCompare();
  }

  private static void spoil(Path state) throws IOException {
    byte[] bytes = Files.readAllBytes(state);
    bytes[bytes.length / 2] ^= 1;
    Files.write(state, bytes);
  }

  private void refuseSnapshots() throws IOException {
    Path snapshots = directory.resolve("snapshots");
    Trees.delete(snapshots);
    Files.createFile(snapshots);
  }

  @Test
  void shouldDetectDamageAndRestart() throws IOException {
    findDamage(3);
  }

  @Test
  @Tag("long")
  void shouldDetectAnyDamageAndRestart() throws IOException {
    findDamage(60);
  }

  private void findDamage(int times) throws IOException {
    long seed = Long.getLong("test.seed", System.nanoTime());
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    for (int i = 0; i < times; i++) {
      for (String part : List.of("log", "snapshots")) {
        Mirrored first = open().apply(records, 100);
        first.snapshot();
        first.untilSnapshot();
        first.apply(records).close();
        List<Path> files = files(directory.resolve(part));
        flip(files.get(random.nextInt(files.size())), random);
        open().apply(records).closeAndCompare();
        makeDirectory();
      }
    }
  }

  private static void flip(Path file, Random random) throws IOException {
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      ByteBuffer one = ByteBuffer.allocate(1);
      long at = random.nextLong(channel.size());
      channel.read(one, at);
      one.put(0, (byte) (one.get(0) ^ (1 << random.nextInt(8)))).rewind();
      channel.write(one, at);
    }
  }

  private static List<Path> files(Path part) throws IOException {
    try (Stream<Path> files = Files.walk(part)) {
      return files.filter(Files::isRegularFile).sorted().toList();
    }
  }

  private long segments() throws IOException {
    while (true) {
      try {
        return files(directory.resolve("log")).stream()
            .filter(file -> file.toString().endsWith(".cq4"))
            .count();
      } catch (UncheckedIOException e) {
        // The mirror has just deleted one.
        assertThat(e).hasCauseInstanceOf(NoSuchFileException.class);
      }
    }
  }

  private boolean setAside() {
    return Files.exists(directory.resolve(MirrorStore.SET_ASIDE));
  }
}

package io.entroq.engine.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.codec.command.TaskDataFields;
import io.entroq.codec.message.IdFields;
import io.entroq.codec.message.Slice;
import io.entroq.engine.log.CleanCloseMarker;
import io.entroq.engine.log.Forcer;
import io.entroq.engine.log.LogDirectory;
import io.entroq.engine.log.LogException;
import io.entroq.engine.log.scan.HolePolicy;
import io.entroq.engine.recovery.RecoveredState;
import io.entroq.engine.recovery.StateRecovery;
import io.entroq.engine.snapshot.SnapshotDirectory;
import io.entroq.engine.state.ResultSink;
import io.entroq.engine.state.StateMachine;
import io.entroq.engine.state.StateMachineConfig;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A small directory with snapshots and a log whose beginning is gone, damaged in every way that
 * fits one file: what is recovered is the last state that there was, or nothing is. Only where no
 * mark says how far the log went may it be one before, and not an older one than the damage
 * explains.
 */
class DirectoryDamageTest {
  private static final int BYTES_SKIPPED_MAX = 300;
  private static final int LONG_BYTES_SKIPPED_MAX = 20;

  private static final Slice QUEUE = new Slice("queue".getBytes(StandardCharsets.UTF_8));
  private static final IdFields ME = new IdFields().set(0, 42);

  @TempDir Path directory;

  private final TaskDataFields data = new TaskDataFields();
  private long lastId;

  /** The digests after each record. */
  private final Map<Long, Digests> truth = new HashMap<>();

  private final long seed = Long.getLong("test.seed", System.nanoTime());
  private long lastSequence;
  private List<Path> files;
  private boolean isTorn;

  /** Whether the directory says where its log has ended. */
  private boolean isMarked = true;

  private record Digests(long history, long content) {
    static Digests of(StateMachine machine) {
      return new Digests(machine.historyDigest(), machine.contentDigest());
    }
  }

  @BeforeEach
  void makeDirectory() throws IOException {
    System.out.println("seed " + seed);
    EmbeddedConfig config =
        EmbeddedConfig.in(directory)
            .segmentBytes(4 << 10)
            .snapshotInterval(Duration.ofMillis(1))
            .build();
    for (int opening = 0; opening < 2; opening++) {
      try (DrivenEngine engine = DrivenEngine.open(config, (sequence, result) -> {})) {
        for (int snapshots = 0; snapshots < 2; snapshots++) {
          runUntilSnapshot(engine);
        }
        run(engine, 10);
      }
    }
    try (Stream<Path> walk = Files.walk(directory)) {
      files = walk.filter(Files::isRegularFile).sorted().toList();
    }
  }

  @Test
  void shouldRecoverItAllWhenNothingIsDamaged() {
    for (HolePolicy policy : HolePolicy.values()) {
      assertThat(recover(policy)).isEqualTo(lastSequence);
    }
  }

  @ParameterizedTest
  @EnumSource(HolePolicy.class)
  void shouldRecoverATrueStateOrNoneWhenABitIsFlipped(HolePolicy policy) throws IOException {
    flip(policy, new SplittableRandom(seed), BYTES_SKIPPED_MAX);
  }

  @ParameterizedTest
  @EnumSource(HolePolicy.class)
  @Tag("long")
  void shouldRecoverATrueStateOrNoneWhicheverByteIsFlipped(HolePolicy policy) throws IOException {
    flip(policy, new SplittableRandom(seed), 1);
  }

  @ParameterizedTest
  @EnumSource(HolePolicy.class)
  void shouldRecoverATrueStateOrNoneWhenAFileIsCut(HolePolicy policy) throws IOException {
    cut(policy, BYTES_SKIPPED_MAX);
  }

  @ParameterizedTest
  @EnumSource(HolePolicy.class)
  @Tag("long")
  void shouldRecoverATrueStateOrNoneWhereverAFileIsCut(HolePolicy policy) throws IOException {
    cut(policy, LONG_BYTES_SKIPPED_MAX);
  }

  private void cut(HolePolicy policy, int stepMax) throws IOException {
    SplittableRandom random = new SplittableRandom(seed);
    for (Path file : files) {
      byte[] whole = Files.readAllBytes(file);
      for (int length = 0; length < whole.length; length += 1 + random.nextInt(stepMax)) {
        int cut = length;
        withDamage(
            file,
            whole,
            channel -> channel.truncate(cut),
            () -> check(policy, file, "cut to " + cut));
      }
    }
  }

  @ParameterizedTest
  @EnumSource(HolePolicy.class)
  void shouldRecoverATrueStateOrNoneWhenAPageIsMissing(HolePolicy policy) throws IOException {
    SplittableRandom random = new SplittableRandom(seed);
    for (Path file : files) {
      byte[] whole = Files.readAllBytes(file);
      for (int round = 0; round < 30; round++) {
        int from = random.nextInt(Math.max(1, whole.length));
        int to = Math.min(whole.length, from + 1 + random.nextInt(1_000));
        withDamage(
            file,
            whole,
            channel -> channel.write(ByteBuffer.allocate(to - from), from),
            () -> check(policy, file, "zeros from " + from + " to " + to));
      }
    }
  }

  @ParameterizedTest
  @EnumSource(HolePolicy.class)
  void shouldRecoverATrueStateOrNoneWhenAFileIsGone(HolePolicy policy) throws IOException {
    for (Path file : files) {
      Path aside = Files.move(file, directory.resolveSibling(directory.getFileName() + ".aside"));
      check(policy, file, "gone");
      Files.move(aside, file);
    }
    check(policy, directory, "nothing at all");
  }

  @ParameterizedTest
  @EnumSource(HolePolicy.class)
  void shouldRecoverATrueStateOrNoneWhenNobodyHadClosedIt(HolePolicy policy) throws IOException {
    Files.delete(CleanCloseMarker.fileIn(directory));
    files = List.of(lastSegment());
    isMarked = false;
    flip(policy, new SplittableRandom(seed), BYTES_SKIPPED_MAX);
    cut(policy, BYTES_SKIPPED_MAX);
    shouldRecoverATrueStateOrNoneWhenAPageIsMissing(policy);
    shouldRecoverATrueStateOrNoneWhenAFileIsGone(policy);
  }

  private void flip(HolePolicy policy, SplittableRandom random, int stepMax) throws IOException {
    for (Path file : files) {
      byte[] whole = Files.readAllBytes(file);
      // Chronicle's metadata decides nothing, and is as long as all the rest.
      int step = file.endsWith("metadata.cq4t") ? 100 * stepMax : stepMax;
      for (int at = 0; at < whole.length; at += 1 + random.nextInt(step)) {
        byte flipped = (byte) (whole[at] ^ 1 << random.nextInt(8));
        int offset = at;
        withDamage(
            file,
            whole,
            channel -> channel.write(ByteBuffer.wrap(new byte[] {flipped}), offset),
            () -> check(policy, file, "a bit flipped at " + offset));
      }
    }
  }

  private interface Damage {
    void to(FileChannel channel) throws IOException;
  }

  private static void withDamage(Path file, byte[] whole, Damage damage, Runnable check)
      throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      damage.to(channel);
      check.run();
    } finally {
      Files.write(file, whole);
    }
  }

  private void check(HolePolicy policy, Path file, String how) {
    String what = "%s: %s, seed %d".formatted(directory.relativize(file), how, seed);
    try {
      long sequence = recover(policy);
      if (isMarked || sequence == lastSequence) {
        assertThat(sequence).as(what).isEqualTo(lastSequence);
      } else {
        // A log that ends between two records looks as if it had never been longer.
        assertThat(isTorn || file.equals(lastSegment())).as(what).isTrue();
        assertThat(file.getFileName().toString()).as(what).endsWith(".cq4");
        assertThat(sequence).as(what).isGreaterThanOrEqualTo(newestSnapshot());
      }
    } catch (LogException e) {
      // Refused: somebody has to be told where, and what to do.
      assertThat(e.getMessage()).as(what).contains(directory.toString());
      assertThat(e.getMessage().length()).as(what + ": " + e.getMessage()).isGreaterThan(80);
    }
  }

  private Path lastSegment() {
    return files.stream()
        .filter(file -> file.toString().endsWith(".cq4"))
        .reduce((a, b) -> b)
        .get();
  }

  private long newestSnapshot() {
    return snapshots().newestFirst().get(0).sequence();
  }

  private SnapshotDirectory snapshots() {
    return new SnapshotDirectory(directory, Forcer.DISK);
  }

  /** Recovers, compares the state with the one that there was, and returns its sequence. */
  private long recover(HolePolicy policy) {
    RecoveredState state =
        new StateRecovery(
                LogDirectory.read(directory),
                snapshots(),
                policy,
                (what, action) -> {},
                StateMachineConfig.DEFAULT,
                why -> assertThat(why.getMessage()).contains(directory.toString()))
            .recover(ResultSink.DISCARDING);
    try (StateMachine machine = state.machine()) {
      assertThat(Digests.of(machine)).isEqualTo(truth.get(machine.sequence()));
      assertThat(machine.recomputeContentDigest()).isEqualTo(machine.contentDigest());
      isTorn = state.log().report().isTorn();
      return machine.sequence();
    }
  }

  private void runUntilSnapshot(DrivenEngine engine) {
    long taken = engine.stats().snapshots().taken();
    Await.until(
        "a snapshot is taken",
        () -> {
          run(engine, 1);
          return engine.stats().snapshots().taken() > taken;
        });
  }

  private void run(DrivenEngine engine, int commands) {
    for (int i = 0; i < commands; i++) {
      note(engine);
      data.clear();
      data.queue().wrap("queue".getBytes(StandardCharsets.UTF_8));
      data.value().wrap(new byte[20 + i]);
      data.valueKind(1);
      engine.modify().claimant(ME).insert(new IdFields().set(1, ++lastId), data);
      engine.execute();
      note(engine);
      engine.claim().claimant(ME).queue(QUEUE).leaseMs(1_000);
      engine.execute();
    }
    note(engine);
  }

  private void note(DrivenEngine engine) {
    StateMachine machine = engine.machine();
    lastSequence = machine.sequence();
    truth.put(lastSequence, Digests.of(machine));
  }
}

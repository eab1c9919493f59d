package io.entroq.engine.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.engine.log.Forcer;
import io.entroq.engine.log.LogException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class SnapshotDirectoryTest extends SnapshotTestBase {

  @Test
  void shouldFindNothingWhereNothingIs() {
    SnapshotDirectory directory = directory();
    assertThat(directory.newestFirst()).isEmpty();
    directory.removeUnfinished();
    assertThat(directory.keepNewest(2, sequence -> false)).isZero();
    assertThat(data.resolve("snapshots")).doesNotExist();
  }

  @Test
  void shouldListTheNewestFirst() {
    SnapshotDirectory directory = directory();
    for (long sequence : new long[] {9, 100, 10}) {
      write(directory, ToySource.small(sequence));
    }
    assertThat(sequences(directory())).containsExactly(100L, 10L, 9L);
  }

  @Test
  void shouldRefuseWhatIsNotItsOwn() throws IOException {
    write(directory(), ToySource.small(1));
    Path one = data.resolve("snapshots/snapshot-00000000000000000001");
    Path snapshots = data.resolve("snapshots");
    for (String name : new String[] {"snapshot-1", "snapshot-" + "9".repeat(20), "old"}) {
      Path stranger = Files.createDirectory(snapshots.resolve(name));
      assertThatThrownBy(() -> directory().newestFirst())
          .hasMessageContaining(name + " does not belong there");
      Files.delete(stranger);
    }
    for (String name :
        new String[] {"notes.txt", "snapshot-" + "0".repeat(19) + "2", one + "/state.bak"}) {
      Path stranger = Files.createFile(snapshots.resolve(name));
      assertThatThrownBy(() -> directory().newestFirst())
          .isInstanceOf(LogException.class)
          .hasMessageContaining(stranger.getFileName() + " does not belong there: ")
          .hasMessageContaining("Move it away from " + stranger.getParent());
      assertThatThrownBy(() -> directory().keepNewest(1, sequence -> false))
          .hasMessageContaining("does not belong there");
      Files.delete(stranger);
    }
  }

  @Test
  void shouldRemoveWhatIsUnfinishedAndNothingElse() throws IOException {
    write(directory(), ToySource.small(1));
    Files.createDirectory(unfinished(2));
    Files.writeString(unfinished(2).resolve("state"), "half");
    assertThat(sequences(directory())).containsExactly(1L);
    directory().removeUnfinished();
    assertThat(unfinished(2)).doesNotExist();
    assertThat(sequences(directory())).containsExactly(1L);
    Files.createDirectory(unfinished(2));
    Files.writeString(unfinished(2).resolve("letter.txt"), "dear");
    assertThatThrownBy(() -> directory().removeUnfinished())
        .isInstanceOf(LogException.class)
        .hasMessageContaining("letter.txt does not belong there");
    assertThat(unfinished(2).resolve("letter.txt")).exists();
  }

  @Test
  void shouldShareTheFilesOfASnapshotAndOutliveThem() throws IOException {
    write(directory(), ToySource.small(7));
    Path other = Files.createDirectory(data.resolve("other"));
    SnapshotDirectory sharing = new SnapshotDirectory(other, Forcer.DISK);
    Snapshot original = directory().find(7).orElseThrow();
    sharing.share(original);
    Snapshot shared = sharing.find(7).orElseThrow();
    assertThat(Files.isSameFile(shared.state(), original.state())).isTrue();
    assertThatThrownBy(() -> sharing.share(original)).hasMessageContaining("already a snapshot");

    directory().keepOnly(sequence -> false);
    assertThat(directory().find(7)).isEmpty();
    assertThat(sharing.reader(shared).verify().sequence()).isEqualTo(7);
    assertThatThrownBy(() -> sharing.share(new Snapshot(8, original.directory())))
        .isInstanceOf(LogException.class)
        .hasMessageContaining("Cannot share");
    assertThat(sequences(sharing)).containsExactly(7L);
  }

  @Test
  void shouldContinueAnInterruptedCopyFromItsLastGoodChunk() throws IOException {
    write(directory(), large(1));
    Snapshot original = directory().find(7).orElseThrow();
    byte[] manifest = Files.readAllBytes(original.manifest());
    byte[] state = Files.readAllBytes(original.state());
    Path other = Files.createDirectory(data.resolve("other"));
    SnapshotDirectory copies = new SnapshotDirectory(other, Forcer.DISK);
    try (IncomingSnapshot first = copies.receive(manifest)) {
      assertThat(first.length()).isZero();
      first.write(ByteBuffer.wrap(state, 0, state.length / 2));
    }
    Path unfinished = other.resolve("snapshots/snapshot-%020d.tmp/state".formatted(7));
    byte[] half = Files.readAllBytes(unfinished);
    half[half.length - 1] ^= 1;
    Files.write(unfinished, half);
    try (IncomingSnapshot second = copies.receive(manifest)) {
      int good = (int) second.length();
      assertThat(good).isPositive().isLessThan(state.length / 2);
      second.write(ByteBuffer.wrap(state, good, state.length - good));
      second.finish();
    }
    assertThat(chunks(copies, copies.find(7).orElseThrow()))
        .isEqualTo(chunks(directory(), original));
  }

  private static ToySource large(long seed) {
    return ToySource.of(7, 31, seed, new int[] {500, 500, 500, 500, 500});
  }

  @Test
  void shouldStartOverWithAnotherImageAndRefuseADamagedCopy() throws IOException {
    write(directory(), large(1));
    Snapshot original = directory().find(7).orElseThrow();
    byte[] state = Files.readAllBytes(original.state());
    Path other = Files.createDirectory(data.resolve("other"));
    SnapshotDirectory copies = new SnapshotDirectory(other, Forcer.DISK);
    try (IncomingSnapshot first = copies.receive(Files.readAllBytes(original.manifest()))) {
      first.write(ByteBuffer.wrap(state));
    }
    directory().keepOnly(sequence -> false);
    write(directory(), large(2));
    state = Files.readAllBytes(original.state());
    state[state.length / 2] ^= 1;
    try (IncomingSnapshot second = copies.receive(Files.readAllBytes(original.manifest()))) {
      assertThat(second.length()).isZero();
      second.write(ByteBuffer.wrap(state));
      assertThatThrownBy(second::finish).isInstanceOf(SnapshotDamagedException.class);
    }
    assertThat(copies.newestFirst()).isEmpty();
    assertThat(other.resolve("snapshots")).isEmptyDirectory();
  }

  @Test
  void shouldKeepOnlyWhatIsWanted() {
    SnapshotDirectory directory = withFour();
    directory.keepOnly(sequence -> sequence % 2 == 0);
    assertThat(sequences(directory())).containsExactly(4L, 2L);
  }

  @Test
  void shouldKeepTheNewestAndThoseThatAreHeld() {
    SnapshotDirectory directory = withFour();
    assertThat(directory.keepNewest(2, sequence -> sequence == 1)).isEqualTo(3);
    assertThat(sequences(directory)).containsExactly(4L, 3L, 1L);
    assertThat(directory.keepNewest(2, sequence -> false)).isEqualTo(3);
    assertThat(sequences(directory)).containsExactly(4L, 3L);
    assertThat(directory.keepNewest(3, sequence -> false)).isZero();
    assertThatThrownBy(() -> directory.keepNewest(0, sequence -> false))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void shouldNotCountADamagedOneAndRemoveItOnceThereAreEnough() throws IOException {
    withFour();
    damage(4);
    damage(2);
    SnapshotDirectory reopened = directory();
    assertThat(reopened.keepNewest(3, sequence -> false)).isZero();
    assertThat(sequences(reopened)).containsExactly(4L, 3L, 2L, 1L);
    assertThat(reopened.keepNewest(2, sequence -> false)).isEqualTo(1);
    assertThat(sequences(reopened)).containsExactly(3L, 1L);
  }

  @Test
  void shouldNotCountOneThatIsDistrusted() {
    SnapshotDirectory directory = withFour();
    directory.distrust(directory.newestFirst().get(0));
    directory.reader(directory.newestFirst().get(0)).verify();
    assertThat(directory.keepNewest(2, sequence -> false)).isEqualTo(2);
    assertThat(sequences(directory)).containsExactly(3L, 2L);
  }

  @Test
  void shouldReadEachOnlyOnceToKnowThatItIsGood() throws IOException {
    SnapshotDirectory writing = withFour();
    SnapshotDirectory reopened = directory();
    Snapshot newest = reopened.newestFirst().get(0);
    reopened.reader(newest).read(new ToySource.Collector());
    reopened.reader(reopened.newestFirst().get(1)).verify();
    damage(4);
    damage(3);
    assertThat(reopened.keepNewest(2, sequence -> true)).isEqualTo(3);
    assertThat(writing.keepNewest(2, sequence -> true)).isEqualTo(3);
    assertThat(directory().keepNewest(2, sequence -> true)).isEqualTo(1);
  }

  @Test
  void shouldWriteASequenceAgainOnlyIfTheFirstIsOfNoUse() throws IOException {
    SnapshotDirectory directory = directory();
    write(directory, ToySource.small(1));
    assertThatThrownBy(() -> write(directory, ToySource.small(1)))
        .isInstanceOf(LogException.class)
        .hasMessageContaining("There is already a snapshot at record 1")
        .hasMessageContaining("Use that one");
    damage(1);
    assertThatThrownBy(() -> directory.reader(directory.newestFirst().get(0)).verify())
        .isInstanceOf(SnapshotDamagedException.class);
    write(directory, ToySource.small(1));
    assertThat(chunks(directory, directory.newestFirst().get(0)))
        .isEqualTo(ToySource.small(1).chunks());
  }

  private SnapshotDirectory withFour() {
    SnapshotDirectory directory = directory();
    for (int sequence = 1; sequence <= 4; sequence++) {
      write(directory, ToySource.small(sequence));
    }
    return directory;
  }

  private void damage(long sequence) throws IOException {
    Path state = data.resolve("snapshots/snapshot-%020d/state".formatted(sequence));
    byte[] bytes = Files.readAllBytes(state);
    bytes[bytes.length - 1] ^= 1;
    Files.write(state, bytes);
  }
}

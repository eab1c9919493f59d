package io.entroq.engine.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.engine.log.Forcer;
import io.entroq.engine.log.LogException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SnapshotCorruptionTest extends SnapshotTestBase {
  private final ToySource source = ToySource.small(7);
  private Snapshot snapshot;
  private byte[] state;
  private byte[] manifest;

  @BeforeEach
  void writeOne() throws IOException {
    write(directory(), source);
    snapshot = directory().newestFirst().get(0);
    state = Files.readAllBytes(snapshot.state());
    manifest = Files.readAllBytes(snapshot.manifest());
  }

  @Test
  void shouldRefuseEveryFlippedBitOfTheState() throws IOException {
    for (int bit = 0; bit < state.length * 8; bit++) {
      byte[] flipped = state.clone();
      flipped[bit / 8] ^= (byte) (1 << (bit % 8));
      overwrite(snapshot.state(), flipped);
      SnapshotDamagedException e = assertRefused(snapshot.state());
      assertThat(bit / 8).as("bit %d: %s", bit, e).isGreaterThanOrEqualTo((int) e.offset());
    }
  }

  @Test
  void shouldRefuseEveryFlippedBitOfTheManifest() throws IOException {
    for (int bit = 0; bit < manifest.length * 8; bit++) {
      byte[] flipped = manifest.clone();
      flipped[bit / 8] ^= (byte) (1 << (bit % 8));
      overwrite(snapshot.manifest(), flipped);
      assertRefused(snapshot.manifest());
    }
  }

  @Test
  void shouldRefuseEveryOtherLength() throws IOException {
    for (int length = state.length - 1; length >= 0; length--) {
      truncate(snapshot.state(), length);
      assertThat(assertRefused(snapshot.state()).offset()).isEqualTo(length);
    }
    for (int more : new int[] {1, 48, 4096}) {
      Files.write(snapshot.state(), Arrays.copyOf(state, state.length + more));
      assertThat(assertRefused(snapshot.state()).offset()).isEqualTo(state.length);
    }
    Files.write(snapshot.state(), state);
    for (int length = manifest.length - 1; length >= 0; length--) {
      truncate(snapshot.manifest(), length);
      assertRefused(snapshot.manifest());
    }
    Files.write(snapshot.manifest(), Arrays.copyOf(manifest, manifest.length + 1));
    assertRefused(snapshot.manifest());
  }

  @Test
  void shouldRefuseEveryHole() throws IOException {
    for (int from = 0; from < state.length; from += 8) {
      byte[] holed = state.clone();
      Arrays.fill(holed, from, Math.min(from + 64, state.length), (byte) 0);
      Files.write(snapshot.state(), holed);
      assertRefused(snapshot.state());
    }
    Files.write(snapshot.state(), new byte[state.length]);
    assertThat(assertRefused(snapshot.state())).hasMessageContaining("magic is 00000000");
  }

  @Test
  void shouldRefuseAMissingFile() throws IOException {
    Files.delete(snapshot.state());
    assertThat(assertRefused(snapshot.state())).hasMessageContaining("the file is missing");
    Files.write(snapshot.state(), state);
    Files.delete(snapshot.manifest());
    assertThat(assertRefused(snapshot.manifest())).hasMessageContaining("the file is missing");
  }

  @Test
  void shouldRefuseChunksInAnotherOrderOrLeftOut() throws IOException {
    byte[] first = Arrays.copyOfRange(state, 0, 48 + 5);
    byte[] second = Arrays.copyOfRange(state, 48 + 5, 48 + 5 + 48);
    byte[] rest = Arrays.copyOfRange(state, 48 + 5 + 48, state.length);
    Files.write(snapshot.state(), concatenated(second, first, rest));
    assertThat(assertRefused(snapshot.state()))
        .hasMessageContaining("found chunk 2 in place of chunk 1");
    Files.write(snapshot.state(), concatenated(first, rest, second));
    assertThat(assertRefused(snapshot.state()))
        .hasMessageContaining("found chunk 3 in place of chunk 2");
  }

  @Test
  void shouldRefuseTheStateOfAnotherSnapshot() throws IOException {
    SnapshotDirectory directory = directory();
    write(directory, ToySource.small(8));
    Files.copy(directory.newestFirst().get(0).state(), replaced());
    assertThat(assertRefused(snapshot.state()))
        .hasMessageContaining("chunk 1 belongs to another snapshot: record 8,");
  }

  @Test
  void shouldRefuseTheStateOfAnotherPastOfTheSameSequence() throws IOException {
    SnapshotDirectory other = new SnapshotDirectory(other(), Forcer.DISK);
    write(other, new ToySource(7, 99, source.chunks()));
    Files.copy(other.newestFirst().get(0).state(), replaced());
    assertThat(assertRefused(snapshot.state()))
        .hasMessageContaining("chunk 1 belongs to another snapshot: record 7,");
  }

  @Test
  void shouldRefuseAStateThatTheManifestDoesNotMean() throws IOException {
    SnapshotDirectory other = new SnapshotDirectory(other(), Forcer.DISK);
    write(other, ToySource.of(7, source.contentDigest(), 5, new int[] {5, 0, 17, 3}));
    Files.copy(other.newestFirst().get(0).state(), replaced());
    assertThatThrownBy(() -> directory().reader(snapshot).verify())
        .isInstanceOf(SnapshotDamagedException.class)
        .hasMessageContaining("it ends after 4 chunks with checksum ");
  }

  @Test
  void shouldRefuseAManifestOfAnotherSnapshot() throws IOException {
    SnapshotDirectory directory = directory();
    write(directory, ToySource.small(8));
    Files.delete(snapshot.manifest());
    Files.copy(directory.newestFirst().get(0).manifest(), snapshot.manifest());
    assertThat(assertRefused(snapshot.manifest()))
        .hasMessageContaining("it is for record 8, but its directory is named for another");
  }

  /** A directory in place of a file is opened like one, and gives an error when it is read. */
  @Test
  void shouldRefuseAFileThatTheDiskDoesNotGiveBack() throws IOException {
    Files.delete(snapshot.manifest());
    Files.createDirectory(snapshot.manifest());
    assertThatThrownBy(() -> directory().reader(snapshot).verify())
        .isInstanceOf(SnapshotDamagedException.class)
        .hasMessageContaining(snapshot.manifest().toString())
        .hasMessageContaining("it cannot be read: ");
  }

  /** It may be good all the same. */
  @Test
  void shouldSayWhenAFileCannotBeOpened() throws IOException {
    Files.delete(snapshot.manifest());
    Files.createSymbolicLink(snapshot.manifest(), snapshot.manifest());
    assertThatThrownBy(() -> directory().reader(snapshot).verify())
        .isInstanceOf(LogException.class)
        .isNotInstanceOf(SnapshotDamagedException.class)
        .hasMessageContaining("Cannot read the snapshot " + snapshot.manifest());
  }

  @Test
  void shouldPassOnWhatTheSinkThrows() {
    IllegalStateException thrown = new IllegalStateException("enough");
    SnapshotDirectory directory = directory();
    assertThatThrownBy(
            () ->
                directory
                    .reader(snapshot)
                    .read(
                        (kind, items, buffer, offset, length) -> {
                          throw thrown;
                        }))
        .isSameAs(thrown);
  }

  /** The snapshot is refused because of that file, and no sink saw what was not written. */
  private SnapshotDamagedException assertRefused(Path file) {
    ToySource.Collector seen = new ToySource.Collector();
    SnapshotDirectory directory = directory();
    try {
      directory.reader(snapshot).read(seen);
    } catch (SnapshotDamagedException e) {
      assertThat(e.file()).isEqualTo(file);
      assertThat(e)
          .hasMessageContaining("The snapshot is damaged: %s at offset %d: ", file, e.offset())
          .hasMessageContaining("Move %s out of the data directory", snapshot.directory());
      List<ToySource.Chunk> seenChunks = seen.chunks();
      assertThat(seenChunks.size()).isLessThan(source.chunks().size());
      assertThat(source.chunks().subList(0, seenChunks.size())).isEqualTo(seenChunks);
      return e;
    }
    throw new AssertionError(file + " was accepted");
  }

  /** In place: a file system may force a file that is truncated and written anew. */
  private static void overwrite(Path file, byte[] bytes) throws IOException {
    Files.write(file, bytes, StandardOpenOption.WRITE);
  }

  private static void truncate(Path file, int length) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.truncate(length);
    }
  }

  private Path other() throws IOException {
    return Files.createDirectory(data.resolve("other"));
  }

  private Path replaced() throws IOException {
    Files.delete(snapshot.state());
    return snapshot.state();
  }

  private static byte[] concatenated(byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }
}

package io.entroq.engine.snapshot;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.engine.log.Forcer;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

class SnapshotRoundTripTest extends SnapshotTestBase {

  @Test
  void shouldHandBackWhatWasWritten() {
    long seed = Long.getLong("test.seed", System.nanoTime());
    Random random = new Random(seed);
    SnapshotDirectory directory = directory();
    for (int i = 1; i <= 30; i++) {
      int[] lengths = new int[random.nextInt(20)];
      for (int j = 0; j < lengths.length; j++) {
        lengths[j] = random.nextInt(1 << random.nextInt(14));
      }
      ToySource source = ToySource.of(i, random.nextLong(), random.nextLong(), lengths);
      Manifest manifest = write(directory, source);
      assertThat(chunks(directory, directory.newestFirst().get(0)))
          .as("-Dtest.seed=%d", seed)
          .isEqualTo(source.chunks());
      assertThat(directory.reader(directory.newestFirst().get(0)).verify()).isEqualTo(manifest);
      assertThat(manifest.chunks()).isEqualTo(lengths.length);
    }
  }

  @Test
  void shouldHandBackChunksAroundTheSizeOfTheBuffer() {
    int most = StateFileWriter.BUFFER_BYTES - 48;
    int[] lengths = {1, most - 1, 3, most, most, most + 1, 2, most / 2, most * 2, 5, 1 << 20, 7};
    ToySource source = ToySource.of(1, 2, 3, lengths);
    SnapshotDirectory directory = directory();
    write(directory, source);
    assertThat(chunks(directory, directory.newestFirst().get(0)).equals(source.chunks())).isTrue();
  }

  @Test
  void shouldTakeChunksFromAnywhereInABuffer() {
    SnapshotDirectory directory = directory();
    UnsafeBuffer memory = new UnsafeBuffer(ByteBuffer.allocateDirect(100));
    memory.setMemory(0, 100, (byte) 1);
    memory.putStringWithoutLengthAscii(40, "payload");
    SnapshotWriter writer = new SnapshotWriter(directory, 0);
    ToySource figures = ToySource.small(1);
    writer.write(
        new WrittenBy(figures, sink -> sink.onChunk(3, 1, memory, 40, 7)),
        n -> {},
        () -> false,
        n -> {});
    assertThat(chunks(directory, directory.newestFirst().get(0)))
        .containsExactly(ToySource.Chunk.of(3, 1, "payload".getBytes(US_ASCII), 0, 7));
  }

  @Test
  void shouldWriteTheBytesOfFormat2() throws IOException {
    SnapshotDirectory directory = directory();
    write(directory, ToySource.small(731));
    Snapshot snapshot = directory.newestFirst().get(0);
    assertThat(snapshot.directory())
        .isEqualTo(data.resolve("snapshots/snapshot-00000000000000000731"));
    assertThat(Files.readString(snapshot.manifest())).isEqualTo(golden("manifest"));
    assertThat(HexFormat.of().formatHex(Files.readAllBytes(snapshot.state())))
        .isEqualTo(golden("state.hex").replaceAll("\\s", ""));
  }

  @Test
  void shouldReadTheBytesOfFormat2() throws IOException {
    Snapshot snapshot =
        new Snapshot(
            731,
            Files.createDirectories(data.resolve("snapshots/snapshot-" + "0".repeat(17) + "731")));
    Files.writeString(snapshot.manifest(), golden("manifest"));
    Files.write(
        snapshot.state(), HexFormat.of().parseHex(golden("state.hex").replaceAll("\\s", "")));
    SnapshotDirectory directory = directory();
    assertThat(directory.newestFirst()).containsExactly(snapshot);
    assertThat(chunks(directory, snapshot)).isEqualTo(ToySource.small(731).chunks());
  }

  @Test
  void shouldForceALargeSnapshotWhileItIsWritten() {
    List<String> forced = new ArrayList<>();
    SnapshotDirectory directory =
        new SnapshotDirectory(data, (Forcer) (what, action) -> forced.add(what));
    UnsafeBuffer payload = new UnsafeBuffer(new byte[1 << 20]);
    List<Long> progress = new ArrayList<>();
    new SnapshotWriter(directory, 0)
        .write(
            new WrittenBy(
                ToySource.small(1),
                sink -> {
                  for (int i = 0; i < 200; i++) {
                    sink.onChunk(1, 1, payload, 0, payload.capacity());
                  }
                }),
            n -> forced.add("log " + n),
            () -> false,
            progress::add);
    String unfinished = unfinished(1).toString();
    assertThat(forced)
        .containsExactly(
            data.toString(),
            unfinished + "/state",
            unfinished + "/state",
            unfinished + "/state",
            unfinished + "/state",
            unfinished + "/manifest",
            unfinished,
            "log 1",
            data.resolve("snapshots").toString());
    assertThat(progress).isSorted().endsWith(200L * (48 + payload.capacity()));
  }

  private static String golden(String name) throws IOException {
    try (InputStream in =
        SnapshotRoundTripTest.class.getResourceAsStream("/golden/snapshot-v2/" + name)) {
      return new String(in.readAllBytes(), US_ASCII);
    }
  }
}

package io.entroq.engine.snapshot;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

class ManifestTest {
  private static final Path FILE = Path.of("/data/snapshots/snapshot-1/manifest");
  private static final Manifest SMALL =
      new Manifest(731, 1_790_000_000_000L, 1, 1, 0x5566778811223344L, 2, -1, 12, 3, 999, 4, 5, 2);

  @Test
  void shouldReadWhatItWrote() {
    long seed = Long.getLong("test.seed", System.nanoTime());
    Random random = new Random(seed);
    for (int i = 0; i < 1_000; i++) {
      Manifest manifest = random(random);
      assertThat(Manifest.parse(FILE, manifest.bytes()))
          .as("-Dtest.seed=%d", seed)
          .isEqualTo(manifest);
    }
    assertThat(SMALL.logTag()).isEqualTo(0x11223344);
  }

  @Test
  void shouldBeginWithWhatIsKnownBeforeTheStateIsWritten() {
    ToySource state = ToySource.small(5);
    Manifest written =
        new Manifest(
            state.sequence(),
            state.logTimeMs(),
            state.level(),
            state.logIdHigh(),
            state.logIdLow(),
            state.historyDigest(),
            state.contentDigest(),
            state.taskCount(),
            state.queueCount(),
            999,
            4,
            5,
            2);
    assertThat(Manifest.headOf(state)).isEqualTo(written.head());
    assertThat(new String(written.bytes(), US_ASCII))
        .startsWith(new String(written.head(), US_ASCII) + "state-bytes 999\n");
  }

  @Test
  void shouldRefuseEveryFlippedBit() {
    byte[] bytes = SMALL.bytes();
    for (int bit = 0; bit < bytes.length * 8; bit++) {
      bytes[bit / 8] ^= (byte) (1 << (bit % 8));
      assertRefused(bytes, "");
      bytes[bit / 8] ^= (byte) (1 << (bit % 8));
    }
    assertThat(Manifest.parse(FILE, bytes)).isEqualTo(SMALL);
  }

  @Test
  void shouldRefuseEveryOtherLength() {
    byte[] bytes = SMALL.bytes();
    for (int length = 0; length < bytes.length; length++) {
      assertRefused(Arrays.copyOf(bytes, length), "");
    }
    assertRefused(Arrays.copyOf(bytes, bytes.length + 1), "does not end with a checksum line");
    assertRefused(Arrays.copyOf(bytes, 1 << 20), "does not end with a checksum line");
    assertRefused(text(new String(bytes, US_ASCII)), "its lines are not a valid manifest");
  }

  @Test
  void shouldSayWhereTheChecksumIs() {
    byte[] bytes = SMALL.bytes();
    bytes[20] ^= 1;
    assertThatThrownBy(() -> Manifest.parse(FILE, bytes))
        .isInstanceOfSatisfying(
            SnapshotDamagedException.class,
            e -> {
              assertThat(e.file()).isEqualTo(FILE);
              assertThat(e.offset()).isEqualTo(bytes.length - 13);
            })
        .hasMessageContaining("The snapshot is damaged: " + FILE + " at offset")
        .hasMessageContaining("the checksum does not match the lines above it")
        .hasMessageContaining("Move /data/snapshots/snapshot-1 out of the data directory");
  }

  @Test
  void shouldRefuseWhatNoWriterWrites() {
    String text = new String(SMALL.bytes(), US_ASCII).replaceAll("crc .{8}\n$", "");
    assertThat(Manifest.parse(FILE, text(text))).isEqualTo(SMALL);
    assertRefused(
        text(text.replace("snapshot 2", "snapshot 9").replace("tasks 12\n", "")),
        "format 9: written by a newer build");
    for (String[] change :
        new String[][] {
          {"sequence 731", "sequence 0731"},
          {"sequence 731", "sequence -731"},
          {"sequence 731", "sequence 7310000000000000000"},
          {"level 1", "level 4294967297"},
          {"ffff", "FFFF"},
          {"tasks 12\n", ""},
          {"tasks 12\n", "tasks 12\r\n"},
          {"tasks 12\nqueues 3\n", "queues 3\ntasks 12\n"},
          {"queues 3\n", "queues 3\nqueues 3\n"}
        }) {
      assertThat(text).contains(change[0]);
      assertRefused(text(text.replace(change[0], change[1])), "not a valid manifest");
    }
  }

  private static void assertRefused(byte[] bytes, String what) {
    assertThatThrownBy(() -> Manifest.parse(FILE, bytes))
        .isInstanceOf(SnapshotDamagedException.class)
        .hasMessageContaining(what);
  }

  /** A manifest of these lines with a checksum that is right. */
  private static byte[] text(String lines) {
    CRC32C crc = new CRC32C();
    crc.update(lines.getBytes(US_ASCII));
    return (lines + "crc %08x\n".formatted(crc.getValue())).getBytes(US_ASCII);
  }

  private static Manifest random(Random random) {
    return new Manifest(
        number(random),
        random.nextBoolean() ? number(random) : -number(random),
        random.nextInt(Integer.MAX_VALUE),
        random.nextLong(),
        random.nextLong(),
        random.nextLong(),
        random.nextLong(),
        number(random),
        number(random),
        number(random),
        number(random),
        random.nextInt(),
        2);
  }

  private static long number(Random random) {
    return random.nextLong(1L << random.nextInt(1, 59));
  }
}

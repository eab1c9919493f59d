package io.entroq.simulator.disk;

import static io.entroq.simulator.disk.SimulatedFileSystemTest.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.simulator.virtual.SeededRandom;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;

class DiskFaultsTest {
  private final SimulatedDisk disk = new SimulatedDisk();
  private final DiskProcess process = disk.startProcess();
  private final Path file = process.path("/file");

  @Test
  void shouldFailAsManyWritesAsWasSaidWhenTheyAreToSuchFiles() throws IOException {
    disk.faults().failWrites(path -> path.endsWith("file"), 2);
    Files.writeString(process.path("/another"), "text");

    assertThatThrownBy(() -> Files.writeString(file, "text"))
        .isInstanceOf(IOException.class)
        .hasMessage("Input/output error");
    assertThatThrownBy(() -> Files.writeString(file, "text")).isInstanceOf(IOException.class);
    Files.writeString(file, "text");

    assertThat(disk.faults().failedWrites()).isEqualTo(2);
  }

  @Test
  void shouldFailReadsWhenToldTo() throws IOException {
    Files.writeString(file, "text");
    disk.faults().failReads(path -> true, 1);

    assertThatThrownBy(() -> Files.readString(file)).hasMessage("Input/output error");

    assertThat(Files.readString(file)).isEqualTo("text");
    assertThat(disk.faults().failedReads()).isOne();
  }

  @Test
  void shouldNotForceForTheSameProcessAgainWhenAForceHasFailed() throws IOException {
    int lost = 0;
    for (int seed = 0; seed < 20; seed++) {
      SimulatedDisk other = new SimulatedDisk();
      Path path = other.startProcess().path("/file");
      try (FileChannel channel = create(path)) {
        PowerLossTest.forceDirectory(path.getParent());
        channel.write(bytes("text"));
        other.faults().failForces(name -> name.equals("/file"), 1);
        assertThatThrownBy(() -> channel.force(true)).hasMessage("Input/output error");
        channel.force(true);
      }
      assertThat(other.faults().failedForces()).isOne();
      assertThat(other.faults().forcesRepeated()).isOne();
      other.losePower(new SeededRandom(seed));
      lost += other.read("/file").length < 4 ? 1 : 0;
    }
    assertThat(lost).isPositive();
  }

  @Test
  void shouldForceForTheNextProcessWhenAForceHasFailed() throws IOException {
    try (FileChannel channel = create(file)) {
      channel.write(bytes("text"));
      disk.faults().failForces(path -> true, 1);
      assertThatThrownBy(() -> channel.force(true)).isInstanceOf(IOException.class);
    }
    process.die();
    Path seen = disk.startProcess().path("/file");
    try (FileChannel channel = FileChannel.open(seen, StandardOpenOption.WRITE)) {
      channel.force(true);
      PowerLossTest.forceDirectory(seen.getParent());
    }

    PowerLoss loss = disk.losePower(new SeededRandom(1));

    assertThat(disk.read("/file")).isEqualTo(bytes("text").array());
    assertThat(loss.namesUndone()).isZero();
  }

  @Test
  void shouldWriteWhatThereIsRoomForWhenTheDiskIsFull() throws IOException {
    disk.limit(3 * 4_096);
    try (FileChannel channel = create(file)) {
      assertThat(channel.write(ByteBuffer.allocate(5_000))).isEqualTo(5_000);
      assertThat(disk.usedBytes()).isEqualTo(2 * 4_096);
      assertThat(Files.getFileStore(file).getUsableSpace()).isEqualTo(4_096);
      assertThat(channel.write(ByteBuffer.allocate(9_000))).isEqualTo(3 * 4_096 - 5_000);
      assertThatThrownBy(() -> channel.write(bytes("a"))).hasMessage("No space left on device");
      assertThat(channel.write(bytes("a"), 0)).isOne();
      assertThat(disk.faults().refusals()).isOne();

      channel.truncate(4_096);
      assertThat(disk.usedBytes()).isEqualTo(4_096);
      disk.limit(0);
      assertThat(Files.getFileStore(file).getUsableSpace()).isZero();
      assertThatThrownBy(() -> channel.write(bytes("a"), 4_096)).isInstanceOf(IOException.class);
    }
    disk.limit(Long.MAX_VALUE);
    Files.delete(file);
    assertThat(disk.usedBytes()).isZero();
  }

  @Test
  void shouldCountTheRoomAnewWhenPowerIsLost() throws IOException {
    for (int seed = 0; seed < 50; seed++) {
      SeededRandom random = new SeededRandom(seed);
      SimulatedDisk other = new SimulatedDisk();
      Path root = other.startProcess().path("/");
      for (int i = 0; i < 5; i++) {
        Files.write(root.resolve("f" + i), new byte[1 + random.below(20_000)]);
      }
      PowerLossTest.forceDirectory(root);
      Files.delete(root.resolve("f1"));
      other.losePower(random);

      long used = 0;
      for (String path : other.files(path -> true)) {
        used += (other.read(path).length + 4_095L) / 4_096 * 4_096;
      }
      assertThat(other.usedBytes()).as("seed %d", seed).isEqualTo(used);
    }
  }

  private static FileChannel create(Path path) throws IOException {
    return FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
  }
}

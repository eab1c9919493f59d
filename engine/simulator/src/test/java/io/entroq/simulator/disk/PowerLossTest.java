package io.entroq.simulator.disk;

import static io.entroq.simulator.disk.SimulatedFileSystemTest.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.simulator.virtual.SeededRandom;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PowerLossTest {
  private static final int SEEDS = 300;
  private static final int SECTOR = 512;

  @Test
  void shouldLeaveEachSectorAsItWasForcedOrAsItIsWhenFilesAreWrittenAnywhere() throws IOException {
    for (int seed = 0; seed < SEEDS; seed++) {
      SeededRandom random = new SeededRandom(seed);
      SimulatedDisk disk = new SimulatedDisk();
      byte[] forced = {};
      byte[] written = {};
      for (int round = 0; round < 5; round++) {
        Path file = disk.startProcess().path("/file");
        try (FileChannel channel = open(file)) {
          forceDirectory(file.getParent());
          for (int i = random.below(30); i >= 0; i--) {
            if (random.oneIn(5)) {
              channel.force(false);
              forced = disk.read("/file");
            } else {
              change(channel, random);
            }
          }
          written = disk.read("/file");
        }
        int any = random.below(written.length + 1);
        int sure = disk.isForced("/file", any) ? any : 0;

        disk.losePower(random);

        byte[] left = disk.read("/file");
        assertLeft(left, forced, written, "seed " + seed);
        assertThat(Arrays.equals(left, 0, sure, written, 0, sure)).as("seed " + seed).isTrue();
        forced = left;
      }
    }
  }

  @Test
  void shouldSayThatAFileIsForcedOnceItsBytesAndAllNamesThatLeadToItAre() throws IOException {
    SimulatedDisk disk = new SimulatedDisk();
    Path directory = Files.createDirectory(disk.startProcess().path("/data"));
    try (FileChannel channel = open(directory.resolve("file"))) {
      channel.write(ByteBuffer.allocate(10));
      forceDirectory(directory);
      forceDirectory(directory.getParent());
      assertThat(disk.isForced("/data/file", 1)).isFalse();
      channel.force(false);
      assertThat(disk.isForced("/data/file", 10)).isTrue();
      assertThat(disk.isForced("/data/file", 11)).isFalse();
    }
    Path below = Files.createDirectory(directory.resolve("below"));
    try (FileChannel channel = open(below.resolve("file"))) {
      channel.write(ByteBuffer.allocate(10));
      channel.force(false);
      forceDirectory(below);
      assertThat(disk.isForced("/data/below/file", 10)).isFalse();
      forceDirectory(directory);
      assertThat(disk.isForced("/data/below/file", 10)).isTrue();
    }
  }

  private static void change(FileChannel channel, SeededRandom random) throws IOException {
    int size = (int) channel.size();
    if (random.oneIn(8)) {
      channel.truncate(random.below(size + 1));
    } else {
      byte[] bytes = new byte[1 + random.below(6_000)];
      Arrays.fill(bytes, (byte) (1 + random.below(255)));
      long at = random.oneIn(2) ? size : random.below(size + 3_000);
      channel.write(ByteBuffer.wrap(bytes), at);
    }
  }

  private static void assertLeft(byte[] left, byte[] forced, byte[] written, String seed) {
    assertThat(left.length)
        .as(seed)
        .isBetween(
            Math.min(forced.length, written.length), Math.max(forced.length, written.length));
    for (int at = 0; at < left.length; at += SECTOR) {
      int end = Math.min(left.length, at + SECTOR);
      byte[] sector = Arrays.copyOfRange(left, at, end);
      boolean isOld = Arrays.equals(sector, range(forced, at, end));
      boolean isNew = Arrays.equals(sector, range(written, at, end));
      // Truncated data that comes back is the old data, in a sector whose rest is new.
      int seam = Math.max(at, Math.min(end, written.length));
      boolean isBoth =
          Arrays.equals(range(left, at, seam), range(written, at, seam))
              && Arrays.equals(range(left, seam, end), range(forced, seam, end));
      assertThat(isOld || isNew || isBoth).as("%s, sector at %d", seed, at).isTrue();
    }
  }

  /** Padded with zeros to the length of a longer file. */
  private static byte[] range(byte[] bytes, int from, int to) {
    byte[] range = new byte[to - from];
    if (from < bytes.length) {
      System.arraycopy(bytes, from, range, 0, Math.min(to, bytes.length) - from);
    }
    return range;
  }

  @Test
  void shouldLeaveTheNamesOfSomeMomentSinceTheForceWhenTheyChange() throws IOException {
    Set<Integer> kept = new HashSet<>();
    for (int seed = 0; seed < SEEDS; seed++) {
      SeededRandom random = new SeededRandom(seed);
      SimulatedDisk disk = new SimulatedDisk();
      Path root = disk.startProcess().path("/");
      List<List<String>> moments = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        if (random.oneIn(6)) {
          forceDirectory(root);
          moments.clear();
        }
        moments.add(disk.files(path -> true));
        changeName(root, disk.files(path -> true), i, random);
      }
      moments.add(disk.files(path -> true));

      disk.losePower(random);

      List<String> left = disk.files(path -> true);
      assertThat(moments).as("seed %d", seed).contains(left);
      kept.add(moments.size() - moments.lastIndexOf(left));
    }
    assertThat(kept).contains(1, 2, 3, 4);
  }

  private static void changeName(Path root, List<String> names, int number, SeededRandom random)
      throws IOException {
    if (names.isEmpty() || random.oneIn(3)) {
      Files.createFile(root.resolve("f" + number));
      return;
    }
    Path any = root.resolve(names.get(random.below(names.size())));
    if (random.oneIn(2)) {
      Files.delete(any);
    } else {
      Path to = root.resolve(random.oneIn(2) ? "f" + number : names.get(0).substring(1));
      Files.move(any, to, StandardCopyOption.ATOMIC_MOVE);
    }
  }

  @Test
  void shouldMoveInBothDirectoriesOrInNeitherWhenAFileChangesBetweenThem() throws IOException {
    Set<List<String>> seen = new HashSet<>();
    for (int seed = 0; seed < SEEDS; seed++) {
      SimulatedDisk disk = new SimulatedDisk();
      Path root = disk.startProcess().path("/");
      Path from = Files.createDirectory(root.resolve("from"));
      Path to = Files.createDirectory(root.resolve("to"));
      forceDirectory(root);
      Files.createFile(from.resolve("a"));
      Files.createFile(from.resolve("b"));
      Files.createFile(to.resolve("c"));
      Files.move(from.resolve("a"), to.resolve("a"), StandardCopyOption.ATOMIC_MOVE);
      Files.delete(from.resolve("b"));
      if (seed % 2 == 0) {
        forceDirectory(to);
      }

      disk.losePower(new SeededRandom(seed));

      List<String> left = disk.files(path -> true);
      if (seed % 2 == 0) {
        assertThat(left).contains("/to/a", "/to/c").doesNotContain("/from/a");
      } else {
        assertThat(left.contains("/to/a") && left.contains("/from/a")).isFalse();
        assertThat(left.contains("/to/a") && !left.contains("/to/c")).isFalse();
      }
      seen.add(left);
    }
    assertThat(seen).contains(List.of(), List.of("/to/a", "/to/c"), List.of("/from/a", "/from/b"));
  }

  @Test
  void shouldLoseAFileWhenOnlyItsBytesWereForced() throws IOException {
    boolean isLost = false;
    for (int seed = 0; seed < 20; seed++) {
      SimulatedDisk disk = new SimulatedDisk();
      try (FileChannel channel = open(disk.startProcess().path("/file"))) {
        channel.write(bytes("text"));
        channel.force(true);
      }
      PowerLoss loss = disk.losePower(new SeededRandom(seed));
      isLost |= disk.files(path -> true).isEmpty() && loss.namesUndone() == 1;
    }
    assertThat(isLost).isTrue();
  }

  @Test
  void shouldLoseWhatWasForcedWhenTheDiskHasLied() throws IOException {
    int broken = 0;
    for (int seed = 0; seed < 50; seed++) {
      SimulatedDisk disk = new SimulatedDisk();
      try (FileChannel channel = open(disk.startProcess().path("/file"))) {
        forceDirectory(disk.startProcess().path("/"));
        disk.lie(true);
        channel.write(bytes("text"));
        channel.force(true);
        disk.lie(false);
      }
      PowerLoss loss = disk.losePower(new SeededRandom(seed));
      boolean isLost = !Arrays.equals(disk.read("/file"), bytes("text").array());
      assertThat(loss.isPromiseBroken() || !isLost).as("seed %d", seed).isTrue();
      assertThat(disk.faults().forcesOmitted()).isOne();
      broken += isLost ? 1 : 0;
    }
    assertThat(broken).isBetween(5, 45);
  }

  @Test
  void shouldKeepWhatTheDiskHasLiedAboutWhenALaterForceIsTrue() throws IOException {
    for (int seed = 0; seed < 50; seed++) {
      SimulatedDisk disk = new SimulatedDisk();
      Path file = disk.startProcess().path("/file");
      try (FileChannel channel = open(file)) {
        channel.write(bytes("text"));
        disk.lie(true);
        channel.force(true);
        forceDirectory(file.getParent());
        disk.lie(false);
        channel.force(true);
        forceDirectory(file.getParent());
      }
      PowerLoss loss = disk.losePower(new SeededRandom(seed));

      assertThat(loss.isPromiseBroken()).isFalse();
      assertThat(disk.read("/file")).isEqualTo(bytes("text").array());
    }
  }

  @Test
  void shouldTearPagesAtSectorsWhenTheyWereNotForced() throws IOException {
    int torn = 0;
    for (int seed = 0; seed < 50; seed++) {
      SimulatedDisk disk = new SimulatedDisk();
      Path file = disk.startProcess().path("/file");
      try (FileChannel channel = open(file)) {
        channel.write(ByteBuffer.wrap(filled(8 << 10, (byte) 1)));
        channel.force(true);
        forceDirectory(file.getParent());
        channel.write(ByteBuffer.wrap(filled(8 << 10, (byte) 2)), 0);
      }
      torn += disk.losePower(new SeededRandom(seed)).pagesTorn();
    }
    assertThat(torn).isBetween(5, 95);
  }

  @Test
  void shouldLeaveTheSameWhenTheSeedIsTheSame() throws IOException {
    assertThat(leftOf(7)).isEqualTo(leftOf(7));
    assertThat(leftOf(7)).isNotEqualTo(leftOf(8));
  }

  private static byte[] leftOf(int seed) throws IOException {
    SimulatedDisk disk = new SimulatedDisk();
    Path file = disk.startProcess().path("/file");
    try (FileChannel channel = open(file)) {
      forceDirectory(file.getParent());
      channel.write(ByteBuffer.wrap(filled(100_000, (byte) 1)));
      channel.force(true);
      channel.write(ByteBuffer.wrap(filled(200_000, (byte) 2)), 0);
    }
    disk.losePower(new SeededRandom(seed));
    return disk.read("/file");
  }

  private static byte[] filled(int length, byte with) {
    byte[] bytes = new byte[length];
    Arrays.fill(bytes, with);
    return bytes;
  }

  private static FileChannel open(Path file) throws IOException {
    return FileChannel.open(
        file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
  }

  static void forceDirectory(Path directory) throws IOException {
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }
}

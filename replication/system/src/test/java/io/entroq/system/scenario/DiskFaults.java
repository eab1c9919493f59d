package io.entroq.system.scenario;

import io.entroq.system.member.Cluster;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/**
 * What befalls the directory of one member while it is down. The others go on with it or without.
 */
final class DiskFaults {
  private static final Duration END_MAX = Duration.ofSeconds(30);
  private static final int FLIPS = 64;

  private DiskFaults() {}

  /** Everything is gone: it must not come back as if it had never promised anything. */
  static void wipe(Stage stage) throws Exception {
    Cluster cluster = stage.cluster();
    int id = stage.follower();
    cluster.kill(id);
    try (Stream<Path> files = Files.walk(cluster.directory(id))) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
    if (cluster.tryStart(id)) {
      throw new IllegalStateException("member " + id + " serves with an empty directory");
    }
    if (cluster.awaitEnd(id, END_MAX).isEmpty()) {
      throw new IllegalStateException("member " + id + " does not end with an empty directory");
    }
    stage.note("member " + id + " was wiped, and refused to start");
    cluster.giveUp(id);
    stage.settle();
  }

  static void damageLog(Stage stage) throws Exception {
    int id = stage.follower();
    stage.cluster().kill(id);
    damage(stage, id, newest(stage.cluster().directory(id).resolve("archive"), false));
  }

  static void damageSnapshot(Stage stage) throws Exception {
    stage.cluster().snapshot();
    int id = stage.follower();
    awaitSnapshot(stage, id);
    stage.cluster().kill(id);
    damage(stage, id, newest(stage.cluster().directory(id).resolve("archive"), true));
  }

  private static void awaitSnapshot(Stage stage, int id) throws Exception {
    for (int i = 0; i < 50 && stage.cluster().snapshots(id) == 0; i++) {
      stage.work(Duration.ofMillis(100));
    }
  }

  /** With some bytes that are not as they were it refuses to start, or is as the others are. */
  private static void damage(Stage stage, int id, Path file) throws Exception {
    flip(file, stage.random());
    boolean isServing = stage.cluster().tryStart(id);
    if (isServing) {
      try {
        stage.cluster().awaitAgreement();
      } catch (IllegalStateException e) {
        if (stage.cluster().isAlive(id)) {
          throw e;
        }
        isServing = false;
      }
    }
    stage.note(
        "member %d had bytes of %s flipped and %s"
            .formatted(id, file.getFileName(), isServing ? "goes on" : "ended"));
    if (!isServing) {
      stage.cluster().giveUp(id);
    }
    stage.settle();
  }

  /**
   * The newest recording; those of snapshots are written once, and are small.
   *
   * @param isSnapshot whether the newest, or the largest, which is that of the log
   */
  private static Path newest(Path archive, boolean isSnapshot) throws IOException {
    try (Stream<Path> files = Files.list(archive)) {
      List<Path> recordings = files.filter(file -> file.toString().endsWith(".rec")).toList();
      Comparator<Path> order =
          isSnapshot
              ? Comparator.comparingLong(DiskFaults::recording)
              : Comparator.comparingLong(file -> -recording(file));
      return recordings.stream().max(order).orElseThrow();
    }
  }

  /** The number of the recording, in the name before a dash; that of the log is the first. */
  private static long recording(Path file) {
    String name = file.getFileName().toString();
    return Long.parseLong(name.substring(0, name.indexOf('-')));
  }

  /** Somewhere in what has been written. */
  private static void flip(Path path, SplittableRandom random) throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
      long end = written(file);
      for (int i = 0; i < FLIPS; i++) {
        long at = random.nextLong(end);
        file.seek(at);
        int old = file.read();
        file.seek(at);
        file.write(old ^ (1 << random.nextInt(8)));
      }
    }
  }

  /** Up to where there is anything but zeros, looked at in steps. */
  private static long written(RandomAccessFile file) throws IOException {
    byte[] block = new byte[4_096];
    long end = 1;
    for (long at = 0; at < file.length(); at += block.length) {
      file.seek(at);
      int length = file.read(block);
      boolean isWritten = false;
      for (int i = 0; i < length; i++) {
        isWritten |= block[i] != 0;
      }
      if (!isWritten && at > 0) {
        break;
      }
      end = at + length;
    }
    return end;
  }
}

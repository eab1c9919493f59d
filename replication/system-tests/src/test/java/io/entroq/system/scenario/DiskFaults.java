package io.entroq.system.scenario;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.entroq.system.member.Cluster;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * What befalls the directory of one member while it is down. The others go on with it or without.
 */
final class DiskFaults {
  private static final Duration END_MAX = Duration.ofSeconds(60);

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

  /** A bit of its log is another one: it says so and ends, and the others go on. */
  static void damageLog(Stage stage) throws Exception {
    Cluster cluster = stage.cluster();
    int id = stage.follower();
    List<Frame> read = List.of();
    for (int i = 0; read.isEmpty() && i < 10; i++) {
      // What has come since its newest snapshot, which may have been just now.
      stage.settle();
      cluster.kill(id);
      read = Frame.ofLog(cluster.directory(id));
    }
    flip(stage, read);
    requireEnd(stage, id, "the log of member " + id + " is damaged");
    cluster.giveUp(id);
    stage.settle();
  }

  /**
   * A bit of its newest snapshot is another one, of either half: it goes on with the one before.
   */
  static void damageSnapshot(Stage stage) throws Exception {
    Cluster cluster = stage.cluster();
    int id = stage.follower();
    for (int half : new int[] {Frame.OF_MODULE, Frame.OF_STATE}) {
      takeSnapshot(stage, id);
      takeSnapshot(stage, id);
      cluster.kill(id);
      flip(stage, Frame.ofSnapshot(cluster.directory(id), half));
      requireEnd(stage, id, "the snapshot is damaged");
      if (!cluster.tryStart(id) || !cluster.awaitEndOrProgress(id)) {
        throw new IllegalStateException(
            "member " + id + " does not go on with the snapshot before the damaged one");
      }
      stage.note("member " + id + " goes on with the snapshot before");
      stage.settle();
    }
  }

  /** Waits until a member has one more. */
  private static void takeSnapshot(Stage stage, int id) throws Exception {
    long before = stage.cluster().snapshots(id);
    stage.cluster().snapshot();
    for (int i = 0; i < 300; i++) {
      if (stage.cluster().snapshots(id) > before) {
        return;
      }
      stage.work(Duration.ofMillis(100));
    }
    throw new IllegalStateException("member " + id + " takes no snapshot");
  }

  private static void requireEnd(Stage stage, int id, String why) throws Exception {
    long told = Files.size(stage.cluster().log(id));
    stage.cluster().start(id);
    if (stage.cluster().awaitEnd(id, END_MAX).isEmpty()) {
      throw new IllegalStateException("member " + id + " does not find that " + why);
    }
    byte[] all = Files.readAllBytes(stage.cluster().log(id));
    String said = new String(all, (int) told, (int) (all.length - told), UTF_8);
    if (!said.contains(why)) {
      throw new IllegalStateException("member " + id + " does not say that " + why);
    }
    stage.note("member " + id + " has ended, as " + why);
  }

  /** Flips one bit of what one of them holds. */
  private static void flip(Stage stage, List<Frame> frames) throws IOException {
    Frame frame = frames.get(stage.random().nextInt(frames.size()));
    int at = frame.at() + stage.random().nextInt(frame.length());
    int bit = stage.random().nextInt(Byte.SIZE);
    try (RandomAccessFile file = new RandomAccessFile(frame.file().toFile(), "rw")) {
      file.seek(at);
      int old = file.read();
      file.seek(at);
      file.write(old ^ 1 << bit);
    }
    stage.note("bit %d of byte %,d of %s was flipped".formatted(bit, at, frame.file()));
  }
}

package io.entroq.system.scenario;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.entroq.system.member.Cluster;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * What befalls the directory of one member while it is down. The others go on with it or without.
 */
final class DiskFaults {
  private static final Duration END_MAX = Duration.ofSeconds(60);
  private static final int HEADER_BYTES = 32;
  private static final int TYPE_OFFSET = 6;
  private static final int DATA = 1;

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
    int id = stage.follower();
    stage.cluster().kill(id);
    List<Path> all = recordings(stage.cluster().directory(id));
    // It is begun before any snapshot is; what lies in its first file is read at each start as long
    // as no snapshot is taken.
    flip(stage, all.get(0));
    requireEnd(stage, id, "the log of member " + id + " is damaged");
    stage.cluster().giveUp(id);
    stage.settle();
  }

  /**
   * A bit of its newest snapshot is another one, of either half: it goes on with the one before.
   */
  static void damageSnapshot(Stage stage) throws Exception {
    int id = stage.follower();
    for (int half = 1; half <= 2; half++) {
      takeSnapshot(stage, id);
      takeSnapshot(stage, id);
      stage.cluster().kill(id);
      List<Path> all = recordings(stage.cluster().directory(id));
      // The state is recorded first, and then what the consensus module adds.
      flip(stage, all.get(all.size() - half));
      requireEnd(stage, id, "the snapshot is damaged");
      if (!stage.cluster().tryStart(id) || !stage.cluster().awaitEndOrProgress(id)) {
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

  /** The first files of all that a member has recorded, oldest first. */
  private static List<Path> recordings(Path member) throws IOException {
    try (Stream<Path> files = Files.list(member.resolve("archive"))) {
      return files
          .filter(file -> file.toString().endsWith("-0.rec"))
          .sorted(Comparator.comparingLong(DiskFaults::recording))
          .toList();
    }
  }

  /** The number of the recording, in the name before a dash. */
  private static long recording(Path file) {
    String name = file.getFileName().toString();
    return Long.parseLong(name.substring(0, name.indexOf('-')));
  }

  /**
   * Flips one bit of what a frame holds: of any but the last, which an archive may take for one
   * that was not written whole.
   */
  private static void flip(Stage stage, Path path) throws IOException {
    try (FileChannel file =
        FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      ByteBuffer bytes = file.map(FileChannel.MapMode.READ_WRITE, 0, file.size());
      int[] held = held(bytes.order(ByteOrder.LITTLE_ENDIAN));
      int at = held[stage.random().nextInt(held.length)];
      int bit = stage.random().nextInt(Byte.SIZE);
      bytes.put(at, (byte) (bytes.get(at) ^ 1 << bit));
      stage.note("bit %d of byte %,d of %s was flipped".formatted(bit, at, path));
    }
  }

  /** Where all bytes are that frames hold. */
  private static int[] held(ByteBuffer bytes) {
    IntStream.Builder held = IntStream.builder();
    int at = 0;
    int next = end(bytes, at);
    while (bytes.getInt(next) > 0) {
      if (bytes.getShort(at + TYPE_OFFSET) == DATA) {
        IntStream.range(at + HEADER_BYTES, at + bytes.getInt(at)).forEach(held);
      }
      at = next;
      next = end(bytes, at);
    }
    return held.build().toArray();
  }

  /** Frames begin at whole multiples of the length of their header. */
  private static int end(ByteBuffer bytes, int at) {
    int length = bytes.getInt(at);
    return at + (length + HEADER_BYTES - 1) / HEADER_BYTES * HEADER_BYTES;
  }
}

package io.entroq.system.scenario;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.entroq.cluster.image.ImageStore;
import io.entroq.engine.log.Forcer;
import io.entroq.system.member.Cluster;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Damage to the directory of a stopped member. The others continue with or without it. */
final class DiskFaults {
  private static final Duration END_MAX = Duration.ofSeconds(60);

  private DiskFaults() {}

  /** A wiped member must not return as if it had promised nothing. */
  static void wipe(FaultContext context) throws Exception {
    Cluster cluster = context.cluster();
    int id = context.follower();
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
    context.note("member " + id + " was wiped, and refused to start");
    cluster.abandon(id);
    context.settle();
  }

  /** A flipped bit in its log: the member must report it and end, and the others continue. */
  static void damageLog(FaultContext context) throws Exception {
    Cluster cluster = context.cluster();
    int id = context.follower();
    List<RecordedFrame> read = List.of();
    for (int i = 0; read.isEmpty() && i < 10; i++) {
      // There may be no log yet after its newest snapshot.
      context.settle();
      cluster.kill(id);
      read = RecordedFrame.ofLog(cluster.directory(id));
    }
    flip(context, read);
    requireEnd(context, id, "the log of member " + id + " is damaged");
    cluster.abandon(id);
    context.settle();
  }

  /**
   * A flipped bit in either half of its newest snapshot: the member must continue with the previous
   * one.
   */
  static void damageSnapshot(FaultContext context) throws Exception {
    Cluster cluster = context.cluster();
    int id = context.follower();
    for (int half : new int[] {RecordedFrame.OF_MODULE, RecordedFrame.OF_STATE}) {
      takeSnapshot(context, id);
      takeSnapshot(context, id);
      cluster.kill(id);
      flip(context, RecordedFrame.ofSnapshot(cluster.directory(id), half));
      requireEnd(context, id, "the snapshot is damaged");
      if (!cluster.tryStart(id) || !cluster.awaitEndOrProgress(id)) {
        throw new IllegalStateException(
            "member " + id + " does not continue with the snapshot before the damaged one");
      }
      context.note("member " + id + " continues with the previous snapshot");
      context.settle();
    }
  }

  /** Until the member would start from it. */
  private static void takeSnapshot(FaultContext context, int id) throws Exception {
    Cluster cluster = context.cluster();
    Path directory = cluster.directory(id);
    long before = cluster.snapshots(id);
    cluster.snapshot();
    for (int i = 0; i < 1_000; i++) {
      if (cluster.snapshots(id) > before
          && ImageStore.read(directory, Forcer.DISK)
              .isComplete(RecordedFrame.positionOfSnapshot(directory))) {
        return;
      }
      context.work(Duration.ofMillis(100));
    }
    throw new IllegalStateException("member " + id + " takes no snapshot");
  }

  static void requireEnd(FaultContext context, int id, String why) throws Exception {
    long start = Files.size(context.cluster().log(id));
    context.cluster().start(id);
    if (context.cluster().awaitEnd(id, END_MAX).isEmpty()) {
      throw new IllegalStateException("member " + id + " does not find that " + why);
    }
    requireOutput(context, id, start, why);
    context.note("member " + id + " has ended, as " + why);
  }

  /** Requires that a member has said something since an offset in its log. */
  static void requireOutput(FaultContext context, int id, long start, String what)
      throws IOException {
    byte[] all = Files.readAllBytes(context.cluster().log(id));
    String output = new String(all, (int) start, (int) (all.length - start), UTF_8);
    if (!output.contains(what)) {
      throw new IllegalStateException("member " + id + " does not say that " + what);
    }
  }

  /** Flips one bit in one of the frames. */
  static void flip(FaultContext context, List<RecordedFrame> frames) throws IOException {
    RecordedFrame frame = frames.get(context.random().nextInt(frames.size()));
    flip(context, frame.file(), frame.at() + context.random().nextInt(frame.length()));
  }

  /** Flips one bit of a byte. */
  static void flip(FaultContext context, Path of, int at) throws IOException {
    int bit = context.random().nextInt(Byte.SIZE);
    try (RandomAccessFile file = new RandomAccessFile(of.toFile(), "rw")) {
      file.seek(at);
      int old = file.read();
      file.seek(at);
      file.write(old ^ 1 << bit);
    }
    context.note("bit %d of byte %,d of %s was flipped".formatted(bit, at, of));
  }
}

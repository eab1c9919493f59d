package io.entroq.server.cli;

import io.entroq.api.Claim;
import io.entroq.api.EntroQ;
import io.entroq.api.Modification;
import io.entroq.api.Task;
import io.entroq.engine.embedded.EmbeddedConfig;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import io.entroq.engine.log.Forcer;
import io.entroq.engine.log.LogDirectory;
import io.entroq.engine.snapshot.SnapshotDirectory;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BooleanSupplier;

/** An engine that writes as fast as it can, with frequent snapshots and short segments. */
final class BusyEngine {
  private static final int SEGMENT_BYTES = 1 << 19;
  private static final long POLL_MS = 20;

  /** Counts file lengths, which are many times the content of short segments. */
  private static final long READER_BYTES_MAX = 1L << 40;

  private static final long SNAPSHOT_LOG_BYTES = 1 << 21;

  private BusyEngine() {}

  /** Works in the given directory until the process is killed. */
  public static void main(String[] args) {
    try (EntroQ queue = open(Path.of(args[0]))) {
      queue.modify(Modification.insert("first", "x")).orThrow();
      System.out.println("busy");
      work(queue, () -> true);
    }
  }

  static EntroQ open(Path directory) {
    return EmbeddedEntroQ.open(
        EmbeddedConfig.in(directory)
            .segmentBytes(SEGMENT_BYTES)
            .snapshotLogBytes(SNAPSHOT_LOG_BYTES)
            .readerBytesMax(READER_BYTES_MAX)
            .build());
  }

  static void work(EntroQ queue, BooleanSupplier isWanted) {
    String value = "v".repeat(1_000);
    while (isWanted.getAsBoolean()) {
      queue.modify(Modification.insert("inbox", value)).orThrow();
      List<Task> claimed = queue.tryClaimMany(Claim.from("inbox"));
      queue.modify(Modification.delete(claimed.get(0))).orThrow();
    }
  }

  /** Runs such an engine until its log has two snapshots and no first record. */
  static Path run(Path directory) {
    try (EntroQ queue = open(directory)) {
      work(queue, () -> !isShortened(directory));
    }
    return directory;
  }

  /** Waits until the engine in a directory has removed the start of its log. */
  static void awaitShortened(Path directory) throws InterruptedException {
    while (!isShortened(directory)) {
      Thread.sleep(POLL_MS);
    }
  }

  private static boolean isShortened(Path directory) {
    LogDirectory log = LogDirectory.read(directory);
    return new SnapshotDirectory(directory, Forcer.DISK).newestFirst().size() == 2
        && log.runs().get(0).segments().get(0).number() > 0;
  }
}

package io.entroq.perf.load;

import io.entroq.engine.embedded.EmbeddedConfig;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Engines as most users have them, except that measurements say when there are snapshots. */
public final class Engines {
  private static final long NEVER_BYTES = 1L << 46;
  private static final Duration NEVER = Duration.ofDays(365);
  private static final Duration AT_ONCE = Duration.ofMillis(20);
  private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(5);
  private static final long PATIENCE_NS = TimeUnit.MINUTES.toNanos(30);

  private Engines() {}

  /** Opens one that takes no snapshot. */
  public static EmbeddedEntroQ openWithoutSnapshots(Path directory) {
    return openWithSnapshots(directory, NEVER);
  }

  /** Opens one that takes a snapshot at intervals, however little log there is. */
  public static EmbeddedEntroQ openWithSnapshots(Path directory, Duration interval) {
    return EmbeddedEntroQ.open(
        EmbeddedConfig.in(directory)
            .snapshotLogBytes(NEVER_BYTES)
            .snapshotInterval(interval)
            .build());
  }

  /** Has a snapshot taken of what is in a directory, which no engine has open. */
  public static void takeSnapshot(Path directory) {
    try (EmbeddedEntroQ queue = openWithSnapshots(directory, AT_ONCE)) {
      long startNs = System.nanoTime();
      while (queue.stats().snapshots().taken() == 0) {
        if (queue.stats().snapshots().failed() > 0 || System.nanoTime() - startNs > PATIENCE_NS) {
          throw new IllegalStateException("no snapshot of " + directory + ": " + queue.stats());
        }
        LockSupport.parkNanos(LOOK_NS);
      }
    }
  }
}

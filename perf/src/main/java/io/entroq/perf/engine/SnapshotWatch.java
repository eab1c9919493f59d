package io.entroq.perf.engine;

import io.entroq.api.Claim;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import io.entroq.engine.maintenance.SnapshotStats;
import io.entroq.perf.fixture.TaskCycle;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * One caller that goes on replacing tasks while the engine takes snapshots, and tells its commands
 * apart by whether one was being written.
 */
final class SnapshotWatch {
  static final String INBOX = "inbox";

  /** Between looks at the figures, each of which asks the file system too. */
  private static final int CYCLES_UNLOOKED = 32;

  /** Figures have milliseconds, and come after the freeze and a few cycles late. */
  private static final long BEFORE_NS = TimeUnit.MILLISECONDS.toNanos(20);

  private static final long LONGEST_NS = TimeUnit.SECONDS.toNanos(60);
  private static final int DIGITS = 3;

  private final EmbeddedEntroQ queue;
  private final TaskCycle cycle;
  private final Claim claim = Claim.from(INBOX);
  private final LatencyLog log = new LatencyLog();
  private final Histogram meanwhile = new Histogram(LONGEST_NS, DIGITS);
  private final Histogram otherwise = new Histogram(LONGEST_NS, DIGITS);

  SnapshotWatch(EmbeddedEntroQ queue) {
    this.queue = queue;
    this.cycle = new TaskCycle(queue);
  }

  /**
   * One snapshot.
   *
   * @param figures the engine's, of it
   * @param meanwhile how long commands took while it was written
   */
  record Seen(SnapshotStats figures, Histogram meanwhile) {}

  /** Goes on until the next snapshot is finished. */
  Seen runToNextSnapshot() {
    long taken = queue.stats().snapshots().taken();
    SnapshotStats figures = queue.stats().snapshots();
    while (figures.taken() == taken) {
      for (int i = 0; i < CYCLES_UNLOOKED; i++) {
        cycle();
      }
      figures = queue.stats().snapshots();
      if (figures.failed() > 0) {
        throw new IllegalStateException("a snapshot failed: " + figures);
      }
    }
    long beginNs = System.nanoTime() - TimeUnit.MILLISECONDS.toNanos(figures.writeMs()) - BEFORE_NS;
    Histogram during = new Histogram(LONGEST_NS, DIGITS);
    log.split(beginNs, otherwise, during);
    meanwhile.add(during);
    return new Seen(figures, during);
  }

  private void cycle() {
    cycle.run(claim);
    long endNs = System.nanoTime();
    log.add(endNs - cycle.replaceNs(), cycle.claimNs());
    log.add(endNs, cycle.replaceNs());
  }

  /** Forgets how long commands have taken so far. */
  void forget() {
    meanwhile.reset();
    otherwise.reset();
  }

  Histogram meanwhile() {
    return meanwhile;
  }

  Histogram otherwise() {
    return otherwise;
  }
}

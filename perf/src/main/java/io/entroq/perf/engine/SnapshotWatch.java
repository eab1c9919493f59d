package io.entroq.perf.engine;

import io.entroq.api.Claim;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import io.entroq.engine.maintenance.SnapshotStats;
import io.entroq.perf.fixture.TaskCycle;
import io.entroq.perf.report.LatencyTable;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * A caller that replaces tasks while the engine takes snapshots. It records its commands by whether
 * a snapshot was being written.
 */
final class SnapshotWatch {
  static final String INBOX = "inbox";

  /** Cycles between reads of the statistics, which also query the file system. */
  private static final int CYCLES_PER_READ = 32;

  /** Statistics are in milliseconds, exclude the freeze, and are read a few cycles late. */
  private static final long BEFORE_NS = TimeUnit.MILLISECONDS.toNanos(20);

  private final EmbeddedEntroQ queue;
  private final TaskCycle cycle;
  private final Claim claim = Claim.from(INBOX);
  private final LatencyLog log = new LatencyLog();
  private final Histogram meanwhile = LatencyTable.histogram();
  private final Histogram otherwise = LatencyTable.histogram();

  SnapshotWatch(EmbeddedEntroQ queue) {
    this.queue = queue;
    this.cycle = new TaskCycle(queue);
  }

  /** A snapshot, and the latencies of commands while it was written. */
  record Snapshot(SnapshotStats stats, Histogram commands) {}

  /** Runs until the next snapshot is finished. */
  Snapshot runToNextSnapshot() {
    long taken = queue.stats().snapshots().taken();
    SnapshotStats stats = queue.stats().snapshots();
    while (stats.taken() == taken) {
      for (int i = 0; i < CYCLES_PER_READ; i++) {
        cycle();
      }
      stats = queue.stats().snapshots();
      if (stats.failed() > 0) {
        throw new IllegalStateException("a snapshot failed: " + stats);
      }
    }
    long beginNs = System.nanoTime() - TimeUnit.MILLISECONDS.toNanos(stats.writeMs()) - BEFORE_NS;
    Histogram during = LatencyTable.histogram();
    log.split(beginNs, otherwise, during);
    meanwhile.add(during);
    return new Snapshot(stats, during);
  }

  private void cycle() {
    cycle.run(claim);
    long endNs = System.nanoTime();
    log.add(endNs - cycle.replaceNs(), cycle.claimNs());
    log.add(endNs, cycle.replaceNs());
  }

  void reset() {
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

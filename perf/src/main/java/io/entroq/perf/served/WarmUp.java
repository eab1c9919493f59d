package io.entroq.perf.served;

import io.entroq.perf.report.Report;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** Whether servers have become as fast as they will: their compilers have little left to do. */
final class WarmUp {
  private static final double BUSY_SHARE_MAX = 0.02;

  private final List<ServerProcess> servers;
  private long lookedNs;
  private Duration compiled;

  WarmUp(List<ServerProcess> servers) {
    this.servers = servers;
  }

  /** Whether the compilers had little to do since it was asked last. */
  boolean isOver() throws IOException {
    long nowNs = System.nanoTime();
    Duration before = compiled;
    compiled = Duration.ZERO;
    for (ServerProcess server : servers) {
      compiled = compiled.plus(server.compileTime());
    }
    if (before == null) {
      lookedNs = nowNs;
      return false;
    }
    double share = (double) compiled.minus(before).toNanos() / (nowNs - lookedNs);
    lookedNs = nowNs;
    Report.note("the servers' compilers have worked %.0f %% of the time", 100 * share);
    return share < BUSY_SHARE_MAX;
  }
}

package io.entroq.perf.claim;

import io.entroq.api.Claim;
import io.entroq.api.EntroQ;
import io.entroq.perf.fixture.TaskCycle;
import io.entroq.perf.report.LatencyTable;
import java.util.function.Supplier;
import org.HdrHistogram.Histogram;

/** One side of a comparison: claims from one engine, in which a new task replaces each old one. */
final class ClaimSide {
  private final String name;
  private final Supplier<Claim> claims;
  private final TaskCycle cycle;
  private final Histogram round = LatencyTable.histogram();

  /**
   * @param claims each must find a task
   */
  ClaimSide(String name, EntroQ queue, Supplier<Claim> claims) {
    this.name = name;
    this.claims = claims;
    this.cycle = new TaskCycle(queue);
  }

  String name() {
    return name;
  }

  /** Returns the latencies of this many claims, valid until the next call. */
  Histogram measure(int count) {
    round.reset();
    for (int i = 0; i < count; i++) {
      cycle.run(claims.get());
      round.recordValue(Math.min(cycle.claimNs(), LatencyTable.NS_MAX));
    }
    return round;
  }
}

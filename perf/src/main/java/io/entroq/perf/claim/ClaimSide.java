package io.entroq.perf.claim;

import io.entroq.api.Claim;
import io.entroq.api.EntroQ;
import io.entroq.perf.fixture.TaskCycle;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.HdrHistogram.Histogram;

/**
 * One of the things compared: claims out of one engine, each followed by a new task for the old.
 */
final class ClaimSide {
  private static final long LONGEST_NS = TimeUnit.SECONDS.toNanos(60);
  private static final int DIGITS = 3;

  private final String name;
  private final Supplier<Claim> claims;
  private final TaskCycle cycle;
  private final Histogram round = new Histogram(LONGEST_NS, DIGITS);

  /**
   * @param claims what is claimed each time; it must be there
   */
  ClaimSide(String name, EntroQ queue, Supplier<Claim> claims) {
    this.name = name;
    this.claims = claims;
    this.cycle = new TaskCycle(queue);
  }

  String name() {
    return name;
  }

  /** Claims so often, and says how long that took; good until the next time. */
  Histogram measure(int count) {
    round.reset();
    for (int i = 0; i < count; i++) {
      cycle.run(claims.get());
      round.recordValue(Math.min(cycle.claimNs(), LONGEST_NS));
    }
    return round;
  }
}

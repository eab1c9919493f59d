package io.entroq.perf.served;

import java.time.Duration;

/**
 * How long it may take.
 *
 * @param warmUpRounds rounds of a comparison that do not count
 * @param rounds those that do
 * @param ofRun how long each load is put on each server in a round
 * @param times how often a latency is measured
 * @param waitingClaims how many claims wait when their memory is measured
 * @param pendingTasks how many tasks there are when theirs is
 */
record Pace(
    int warmUpRounds, int rounds, Duration ofRun, int times, int waitingClaims, int pendingTasks) {
  static final Pace WHOLE = new Pace(3, 7, Duration.ofSeconds(2), 1_000, 10_000, 1_000_000);

  static final Pace QUICK = new Pace(1, 2, Duration.ofSeconds(1), 150, 10_000, 200_000);

  /** With another number of rounds. */
  Pace with(int otherRounds) {
    return new Pace(warmUpRounds, otherRounds, ofRun, times, waitingClaims, pendingTasks);
  }
}

package io.entroq.perf.served;

import java.time.Duration;

/**
 * How long it may take.
 *
 * @param warmUp how long each load is put on each server at first: until its code is compiled,
 *     which takes the processors longer than to serve
 * @param rounds of a comparison, after that
 * @param ofRun how long each load is put on each server in a round
 * @param times how often a latency is measured
 * @param waitingClaims how many claims wait when their memory is measured
 * @param pendingTasks how many tasks there are when theirs is
 */
record Pace(
    Duration warmUp, int rounds, Duration ofRun, int times, int waitingClaims, int pendingTasks) {
  static final Pace WHOLE =
      new Pace(Duration.ofSeconds(12), 9, Duration.ofSeconds(1), 1_000, 10_000, 1_000_000);

  static final Pace QUICK =
      new Pace(Duration.ofSeconds(4), 3, Duration.ofMillis(700), 150, 10_000, 200_000);

  /** With another number of rounds. */
  Pace with(int otherRounds) {
    return new Pace(warmUp, otherRounds, ofRun, times, waitingClaims, pendingTasks);
  }
}

package io.entroq.perf.served;

import java.time.Duration;

/**
 * How long it may take.
 *
 * @param warmUps how often at most each load is put on each server at first, a second or so each
 *     time: until the servers' code is compiled, which takes the processors longer than to serve
 * @param rounds of a comparison, after that
 * @param ofRun how long each load is put on each server in a round
 * @param times how often a latency is measured
 * @param waitingClaims how many claims wait when their memory is measured
 * @param pendingTasks how many tasks there are when theirs is
 */
record RunLengths(
    int warmUps, int rounds, Duration ofRun, int times, int waitingClaims, int pendingTasks) {
  static final RunLengths WHOLE =
      new RunLengths(60, 9, Duration.ofSeconds(1), 1_000, 10_000, 1_000_000);

  static final RunLengths QUICK =
      new RunLengths(4, 3, Duration.ofMillis(700), 150, 10_000, 200_000);

  /** With another number of times for warmth. */
  RunLengths withWarmUps(int otherWarmUps) {
    return new RunLengths(otherWarmUps, rounds, ofRun, times, waitingClaims, pendingTasks);
  }

  /** With another number of rounds. */
  RunLengths with(int otherRounds) {
    return new RunLengths(warmUps, otherRounds, ofRun, times, waitingClaims, pendingTasks);
  }
}

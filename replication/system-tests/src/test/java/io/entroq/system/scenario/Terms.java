package io.entroq.system.scenario;

import java.time.Duration;

/**
 * Whether the same member leads on, after something that is no reason to vote.
 *
 * @param before the term
 * @param after the term
 * @param stalled for how long the machine let nobody go on meanwhile, which may be a reason
 */
record Terms(long before, long after, Duration stalled) {
  /**
   * Whether there was a vote without a reason.
   *
   * @param bearable how long a stall nobody notices
   */
  boolean isWrong(Duration bearable) {
    return !isSame() && stalled.compareTo(bearable) < 0;
  }

  boolean isSame() {
    return before == after;
  }

  @Override
  public String toString() {
    return "the term was %d and is %d, though nobody was silent for long; this process stood still for up to %d ms"
        .formatted(before, after, stalled.toMillis());
  }
}

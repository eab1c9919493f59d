package io.entroq.system.scenario;

import java.time.Duration;

/**
 * Whether the leader stayed the same during a fault that is no reason for an election.
 *
 * @param before the term
 * @param after the term
 * @param stalled the longest stall of the machine, which may be a reason
 */
record TermCheck(long before, long after, Duration stalled) {
  /**
   * Whether there was an election without a reason.
   *
   * @param tolerated the longest stall that no member notices
   */
  boolean isUnexplained(Duration tolerated) {
    return !isSame() && stalled.compareTo(tolerated) < 0;
  }

  boolean isSame() {
    return before == after;
  }

  @Override
  public String toString() {
    return "the term was %d and is %d, without a reason for an election; this process stalled for up to %d ms"
        .formatted(before, after, stalled.toMillis());
  }
}

package io.entroq.engine.log.scan;

import io.entroq.api.Durability;

/** How to treat a bad record before valid ones, none of which proves that it was forced. */
public enum HolePolicy {
  /**
   * Damage. For logs that are not forced: a process crash leaves no holes, and after a power
   * failure the operator decides.
   */
  REFUSE,

  /**
   * A torn tail. For logs that are forced before replies: power failed while pages were being
   * written in any order, and no reply depended on these records.
   */
  CUT_UNFORCED;

  /** The policy for a log with this durability. */
  public static HolePolicy of(Durability durability) {
    return durability == Durability.DISK ? CUT_UNFORCED : REFUSE;
  }
}

package io.entroq.engine.log.scan;

import io.entroq.api.Durability;

/**
 * What a bad record with valid ones behind it means when none of those proves that it was forced.
 */
public enum HolePolicy {
  /**
   * Damage. For logs that are not forced: a crash of the process leaves no holes, and after a loss
   * of power the operator decides.
   */
  REFUSE,

  /**
   * A torn tail. For logs that are forced before anybody gets an answer: power was lost while pages
   * were on their way to the disk in any order, and nobody had been told of these records.
   */
  CUT_UNFORCED;

  /** What holds for a log that is kept at this level. */
  public static HolePolicy of(Durability durability) {
    return durability == Durability.DISK ? CUT_UNFORCED : REFUSE;
  }
}

package io.entroq.engine.listing;

/** The counts of a queue (contract 2.6); reused for each queue. */
public final class QueueCounts {

  int tasks;
  int available;
  int claimed;
  int held;
  int claimsMax;
  long oldestAgeMs;

  public int tasks() {
    return tasks;
  }

  /** Tasks whose arrival time has passed. */
  public int available() {
    return available;
  }

  /** Tasks that are not available and were claimed at least once. */
  public int claimed() {
    return claimed;
  }

  /** Tasks that are not available and have a claimant. */
  public int held() {
    return held;
  }

  /** Tasks that are not available and were never claimed. */
  public int future() {
    return tasks - available - claimed;
  }

  /** The highest number of claims of any task. */
  public int claimsMax() {
    return claimsMax;
  }

  /** Milliseconds since the oldest available task became due; 0 if none is available. */
  public long oldestAgeMs() {
    return oldestAgeMs;
  }
}

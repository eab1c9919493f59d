package io.entroq.engine.listing;

/** The numbers of a queue, contract 2.6; reused from one queue to the next. */
public final class QueueCounts {

  int tasks;
  int available;
  int claimed;
  int held;
  int claimsMax;
  long oldestAgeMs;

  /** All tasks. */
  public int tasks() {
    return tasks;
  }

  /** Tasks whose time has come. */
  public int available() {
    return available;
  }

  /** Tasks whose time has not come and that were claimed at least once. */
  public int claimed() {
    return claimed;
  }

  /** Tasks whose time has not come and that are somebody's. */
  public int held() {
    return held;
  }

  /** Tasks whose time has not come and that were never claimed. */
  public int future() {
    return tasks - available - claimed;
  }

  /** The highest number of claims of any task. */
  public int claimsMax() {
    return claimsMax;
  }

  /** For how many milliseconds the oldest available task has been due; 0 if none is available. */
  public long oldestAgeMs() {
    return oldestAgeMs;
  }
}

package io.entroq.engine.listing;

/** The counts of a queue (contract 2.6); reused for each queue. */
public final class QueueCounts {

  int tasks;
  int available;
  int claimed;
  int held;
  int claimsMax;
  long oldestAgeMs;
  int inFlight;
  long pausedUntilMs;
  long nextStartMs;
  long claimable;
  long lapsed;
  long dead;
  long bytes;

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

  /** Tasks that are being worked on. */
  public int inFlight() {
    return inFlight;
  }

  /** Until when it is paused, in milliseconds since the epoch; 0: it is not. */
  public long pausedUntilMs() {
    return pausedUntilMs;
  }

  /** When rates permit the next start, in milliseconds since the epoch; 0: now. */
  public long nextStartMs() {
    return nextStartMs;
  }

  /** Available tasks that may start now. */
  public long claimable() {
    return claimable;
  }

  /** Leases that have lapsed since the queue has a policy. */
  public long lapsed() {
    return lapsed;
  }

  /** Tasks that have died since the queue has a policy. */
  public long dead() {
    return dead;
  }

  /** Bytes of its tasks. */
  public long bytes() {
    return bytes;
  }
}

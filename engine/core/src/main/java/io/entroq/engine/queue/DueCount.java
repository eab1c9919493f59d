package io.entroq.engine.queue;

/**
 * The due tasks among the waiting ones of a queue, and how many were claimed or have a claimant.
 */
public final class DueCount {

  private int tasks;
  private int claimed;
  private int held;

  public void clear() {
    tasks = 0;
    claimed = 0;
    held = 0;
  }

  void add(boolean wasClaimed, boolean isHeld) {
    tasks++;
    claimed += wasClaimed ? 1 : 0;
    held += isHeld ? 1 : 0;
  }

  public int tasks() {
    return tasks;
  }

  public int claimed() {
    return claimed;
  }

  public int held() {
    return held;
  }
}

package io.entroq.engine.queue;

/** How many waiting tasks of a queue are due, and how many of those were claimed or are held. */
public final class DueCount {

  private int tasks;
  private int claimed;
  private int held;

  /** Begins anew. */
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

package io.entroq.perf.peers.peer;

import java.util.List;

/**
 * The shape of a load.
 *
 * @param callers the number of threads
 * @param batch tasks per step
 */
public record Shape(String name, int callers, int batch) {
  /** One caller, one task at a time. */
  public static final Shape SYNC_1 = new Shape("sync1", 1, 1);

  /** Many callers, one task at a time each. */
  public static final Shape SYNC_32 = new Shape("sync32", 32, 1);

  /** Several callers, a hundred tasks at a time each. */
  public static final Shape BATCH_100 = new Shape("batch", 8, 100);

  public static final List<Shape> ALL = List.of(SYNC_1, SYNC_32, BATCH_100);

  /** Whether a step has one task, so that a cycle is that of one task. */
  public boolean isSynchronous() {
    return batch == 1;
  }

  /** For headings. */
  public String title() {
    String who = callers == 1 ? "1 caller" : callers + " callers";
    return isSynchronous() ? who + ", 1 task" : who + ", " + batch + " tasks";
  }
}

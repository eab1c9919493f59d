package io.entroq.perf.peers.peer;

import java.util.List;

/**
 * How callers ask.
 *
 * @param name as options and tables have it
 * @param callers how many threads, each of which takes one step after the other
 * @param batch how many tasks a step has
 */
public record Shape(String name, int callers, int batch) {
  /** One caller, one task at a time. */
  public static final Shape SYNC_1 = new Shape("sync1", 1, 1);

  /** Many callers, one task at a time each. */
  public static final Shape SYNC_32 = new Shape("sync32", 32, 1);

  /** Several callers, a hundred tasks at a time each. */
  public static final Shape BATCH_100 = new Shape("batch", 8, 100);

  /** All that are measured. */
  public static final List<Shape> ALL = List.of(SYNC_1, SYNC_32, BATCH_100);

  /** Whether a step has one task, so that the time of a cycle is that of a task. */
  public boolean isSynchronous() {
    return batch == 1;
  }

  /** In words, for headings. */
  public String title() {
    String who = callers == 1 ? "1 caller" : callers + " callers";
    return isSynchronous() ? who + ", 1 task" : who + ", " + batch + " tasks";
  }
}

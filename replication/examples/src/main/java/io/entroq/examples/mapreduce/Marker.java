package io.entroq.examples.mapreduce;

import io.entroq.api.Insert;
import io.entroq.api.Task;

/**
 * A task that each commit inserts to record which task it committed.
 *
 * <p>At the end, the markers show how often each task was committed. Only the queue's guarantee
 * prevents a second commit: the engine assigns new ids to markers and to everything else that a
 * step inserts, so two commits of one task would not collide and each would leave a marker.
 *
 * @param ordinal the number of the task in its stage
 * @param claims how often the task had been claimed when it was committed
 */
record Marker(int ordinal, int claims) {
  /** The marker to insert with the commit of a task. */
  static Insert of(Task task, int ordinal) {
    return Insert.into(Stage.of(task.queue()).doneQueue()).withValue(ordinal + " " + task.claims());
  }

  /** Reads what {@link #of} wrote. */
  static Marker parse(String text) {
    String[] fields = text.split(" ", 2);
    return new Marker(Integer.parseInt(fields[0]), Integer.parseInt(fields[1]));
  }
}

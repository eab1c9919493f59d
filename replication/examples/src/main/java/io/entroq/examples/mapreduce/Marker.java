package io.entroq.examples.mapreduce;

import io.entroq.api.Insert;
import io.entroq.api.Task;

/**
 * What a commit leaves behind: a task of its own that names the committed task.
 *
 * <p>Counted at the end, markers tell whether a task was committed never, once or twice. They prove
 * it because nothing but the queue's promise keeps a second commit out: the ids of markers, and of
 * all that a step inserts, are made anew by the engine for each try, so that two commits of one
 * task would not collide and both would leave their marker.
 *
 * @param ordinal the number of the task in its stage
 * @param claims how often the task had been handed out when it was committed
 */
record Marker(int ordinal, int claims) {
  /** The insertion that goes with the commit of a task. */
  static Insert of(Task task, int ordinal) {
    return Insert.into(Stage.of(task.queue()).doneQueue()).withValue(ordinal + " " + task.claims());
  }

  /** Reads what {@link #of} wrote. */
  static Marker parse(String text) {
    String[] fields = text.split(" ", 2);
    return new Marker(Integer.parseInt(fields[0]), Integer.parseInt(fields[1]));
  }
}

package io.entroq.examples.mapreduce;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** A kind of task, numbered from 0 within its stage. */
public enum Stage {
  /** Counts the words of a chunk. */
  MAP,
  /** Divides the counts of a chunk by partition. */
  SHUFFLE,
  /** Adds up the counts of a partition. */
  REDUCE,
  /** Starts a stage when the one before it has ended. */
  COORDINATE;

  /** The stages that workers share; one worker coordinates. */
  public static final List<Stage> SHARED = List.of(MAP, SHUFFLE, REDUCE);

  /** The name in messages and queue names. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The queue of its tasks. */
  public String queue() {
    return Queues.PREFIX + label();
  }

  /** The quarantine of its tasks. */
  public String errorQueue() {
    return queue() + "/err";
  }

  /** The queue of its markers, one for each commit. */
  public String doneQueue() {
    return Queues.PREFIX + "done/" + label();
  }

  /** The stage of a queue of tasks. */
  static Stage of(String queue) {
    return Arrays.stream(values())
        .filter(stage -> stage.queue().equals(queue))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no stage uses the queue " + queue));
  }
}

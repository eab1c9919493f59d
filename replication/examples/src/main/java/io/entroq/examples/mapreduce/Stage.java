package io.entroq.examples.mapreduce;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** A kind of task, numbered from 0 within its stage. */
public enum Stage {
  /** Counts the words of a chunk. */
  MAP,
  /** Parts the counts of a chunk by partition. */
  SHUFFLE,
  /** Adds up the counts of a partition. */
  REDUCE,
  /** Begins a stage when the one before has ended. */
  COORDINATE;

  /** The stages that workers share; coordination is done by one. */
  public static final List<Stage> SHARED = List.of(MAP, SHUFFLE, REDUCE);

  /** The stage as said to people. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Where its tasks wait. */
  public String queue() {
    return Queues.PREFIX + label();
  }

  /** Where its tasks go that cannot be done. */
  public String errorQueue() {
    return queue() + "/err";
  }

  /** Where each commit of one of its tasks leaves a marker. */
  public String doneQueue() {
    return Queues.PREFIX + "done/" + label();
  }

  /** The stage of a queue of tasks. */
  static Stage of(String queue) {
    return Arrays.stream(values())
        .filter(stage -> stage.queue().equals(queue))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no stage has the queue " + queue));
  }
}

package io.entroq.api;

import java.util.Objects;

/**
 * One version of one task: what a change, a deletion or a dependency names.
 *
 * @param id which task
 * @param version which version, from 0
 * @param queue the queue that the task must be in for a deletion or a dependency to hold; empty if
 *     it may be in any
 */
public record TaskRef(TaskId id, int version, String queue) {
  /** Checks the components. */
  public TaskRef {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(queue, "queue");
    Checks.inRange("version", version, 0, Integer.MAX_VALUE);
  }

  /** One version of a task in whichever queue it is. */
  public static TaskRef of(TaskId id, int version) {
    return new TaskRef(id, version, "");
  }

  @Override
  public String toString() {
    return queue.isEmpty() ? id + "@" + version : id + "@" + version + " in " + queue;
  }
}

package io.entroq.api;

import java.util.Objects;

/**
 * A task at a version, as a change, delete or dependency names it.
 *
 * @param id the id
 * @param version the version, from 0
 * @param queue the queue that a deleted task or a dependency must be in; empty for any
 */
public record TaskRef(TaskId id, int version, String queue) {
  public TaskRef {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(queue, "queue");
    Checks.inRange("version", version, 0, Integer.MAX_VALUE);
  }

  /** A task at a version, in any queue. */
  public static TaskRef of(TaskId id, int version) {
    return new TaskRef(id, version, "");
  }

  @Override
  public String toString() {
    return queue.isEmpty() ? id + "@" + version : id + "@" + version + " in " + queue;
  }
}

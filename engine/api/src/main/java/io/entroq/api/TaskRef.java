package io.entroq.api;

import java.util.Objects;

/**
 * A task at a version, as a change, delete or dependency names it.
 *
 * @param id the id
 * @param version the version, from 0
 * @param queue the queue it must be in. Nothing is in the empty queue, which stands only in
 *     failures whose server does not name one
 */
public record TaskRef(TaskId id, int version, String queue) {
  public TaskRef {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(queue, "queue");
    Checks.inRange("version", version, 0, Integer.MAX_VALUE);
  }

  @Override
  public String toString() {
    return queue.isEmpty() ? id + "@" + version : id + "@" + version + " in " + queue;
  }
}

package io.entroq.tools.importing.source;

import io.entroq.api.Value;

/**
 * A task. Immutable; nothing in it has been checked.
 *
 * @param id its id
 * @param queue the queue that it is in
 * @param arrivalMs when it becomes available, milliseconds since the epoch
 * @param value what the work is
 * @param attempt how often work on it has failed
 * @param err why
 */
public record TaskItem(
    String id, String queue, long arrivalMs, Value value, int attempt, String err) implements Item {
  private static final int FRAME_BYTES = 48;

  @Override
  public long bytes() {
    return FRAME_BYTES + value.size() + 3L * (id.length() + queue.length() + err.length());
  }
}

package io.entroq.tools.importing.source;

import io.entroq.api.Value;

/**
 * A task, not validated. Immutable.
 *
 * @param arrivalMs when it becomes available, in milliseconds since the epoch
 */
public record TaskItem(
    String id, String queue, long arrivalMs, Value value, int attempt, String err) implements Item {
  private static final int FRAME_BYTES = 48;

  @Override
  public long bytes() {
    return FRAME_BYTES + value.size() + 3L * (id.length() + queue.length() + err.length());
  }
}

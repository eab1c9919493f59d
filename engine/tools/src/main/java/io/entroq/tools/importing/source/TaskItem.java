package io.entroq.tools.importing.source;

import io.entroq.api.Value;

/**
 * A task, not validated. Immutable.
 *
 * @param arrivalMs when it becomes available, in milliseconds since the epoch
 * @param expiresMs when it expires, in milliseconds since the epoch; 0 for never
 * @param trace context for whoever claims it; may be empty
 */
public record TaskItem(
    String id,
    String queue,
    long arrivalMs,
    Value value,
    int attempt,
    String err,
    long expiresMs,
    String trace)
    implements Item {
  private static final int FRAME_BYTES = 48;

  @Override
  public long bytes() {
    return FRAME_BYTES
        + value.size()
        + 3L * (id.length() + queue.length() + err.length() + trace.length());
  }
}

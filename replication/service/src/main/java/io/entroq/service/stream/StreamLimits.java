package io.entroq.service.stream;

import io.entroq.service.limit.Limit;

/**
 * What the client of a stream has to keep to.
 *
 * @param window how many requests may be open
 * @param messageBytesMax how long a message of his may be, in bytes
 * @param valueBytesMax how long a value may be, in bytes
 */
public record StreamLimits(int window, int messageBytesMax, int valueBytesMax) {
  /** As many as the engine lets a client have open. */
  public static final int WINDOW_DEFAULT = Limit.STREAM_WINDOW.standard();
}

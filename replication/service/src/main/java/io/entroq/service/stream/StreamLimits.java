package io.entroq.service.stream;

import io.entroq.service.limit.Limit;

/**
 * The limits that the client of a stream must keep.
 *
 * @param window open requests
 * @param messageBytesMax bytes of a message
 * @param valueBytesMax bytes of a value
 */
public record StreamLimits(int window, int messageBytesMax, int valueBytesMax) {
  /** As many as the engine lets a client have open. */
  public static final int WINDOW_DEFAULT = Limit.STREAM_WINDOW.standard();
}

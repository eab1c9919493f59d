package io.entroq.service.call;

import io.entroq.service.limit.Origin;
import io.entroq.service.translation.ErrorDetailSpace;
import java.util.OptionalLong;
import java.util.Set;

/**
 * What a request brings along besides its message.
 *
 * @param transport what carries it, in the one word by which logs and metrics know it
 * @param headers to be read while the request is begun, and not later
 * @param deadlineNanos when its caller stops to wait, as {@link System#nanoTime()} tells time; none
 *     if he has not said so
 * @param origin whose share of the server it takes
 */
public record CallContext(
    String transport, Headers headers, OptionalLong deadlineNanos, Origin origin) {
  /** The transport that has trailers, and the details of errors there. */
  private static final String WITH_TRAILERS = "grpc";

  /** Of a request that comes from this process. */
  public CallContext(String transport, Headers headers, OptionalLong deadlineNanos) {
    this(transport, headers, deadlineNanos, Origin.NONE);
  }

  /** Of a request that brings nothing. */
  public static CallContext of(String transport) {
    return new CallContext(transport, Headers.NONE, OptionalLong.empty());
  }

  /** How many bytes there are for the details of an error. */
  public int detailBytesMax() {
    return ErrorDetailSpace.bytes(transport.equals(WITH_TRAILERS));
  }

  /**
   * The same for somebody who begins the request later.
   *
   * @param names the headers that are kept for him, in lower case
   */
  public CallContext held(Set<String> names) {
    return new CallContext(transport, headers.held(names), deadlineNanos, origin);
  }
}

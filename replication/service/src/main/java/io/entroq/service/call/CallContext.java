package io.entroq.service.call;

import io.entroq.service.limit.Origin;
import io.entroq.service.translation.ErrorDetailSpace;
import java.util.OptionalLong;
import java.util.Set;

/**
 * What a request brings besides its message.
 *
 * @param transport the name of what carries it, as logs and metrics show it
 * @param headers may be read only until {@link Service#handle} returns
 * @param deadlineNanos when the caller stops waiting, as {@link System#nanoTime()}; empty if it did
 *     not say
 * @param origin whose share of the limits the call takes
 */
public record CallContext(
    String transport, Headers headers, OptionalLong deadlineNanos, Origin origin) {
  /** Only this transport sends the details of errors in trailers. */
  private static final String WITH_TRAILERS = "grpc";

  /** The context of a request from this process. */
  public CallContext(String transport, Headers headers, OptionalLong deadlineNanos) {
    this(transport, headers, deadlineNanos, Origin.NONE);
  }

  /** The context of a request that brings nothing. */
  public static CallContext of(String transport) {
    return new CallContext(transport, Headers.NONE, OptionalLong.empty());
  }

  /** The space for the details of an error, in bytes. */
  public int detailBytesMax() {
    return ErrorDetailSpace.bytes(transport.equals(WITH_TRAILERS));
  }

  /**
   * The same for a request that starts later.
   *
   * @param names the headers to keep, in lower case
   */
  public CallContext held(Set<String> names) {
    return new CallContext(transport, headers.held(names), deadlineNanos, origin);
  }
}

package io.entroq.service.call;

import io.entroq.service.limit.Origin;
import io.entroq.service.translation.ErrorDetailSpace;
import java.util.HashSet;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * What accompanies a request's message.
 *
 * @param transport the name of the transport in logs and metrics
 * @param headers may be read only until {@link Service#handle} returns
 * @param deadlineNanos when the caller stops waiting, as {@link System#nanoTime()}; empty if
 *     unknown
 * @param origin whose share of the limits the call takes
 * @param protocol what the request declares
 * @param principal the caller; empty if it was not authenticated
 */
public record CallContext(
    String transport,
    Headers headers,
    OptionalLong deadlineNanos,
    Origin origin,
    Protocol protocol,
    Optional<Principal> principal) {
  /** Only this transport sends the details of errors in trailers. */
  private static final String WITH_TRAILERS = "grpc";

  /** The context of a request whose caller is not authenticated. */
  public CallContext(
      String transport,
      Headers headers,
      OptionalLong deadlineNanos,
      Origin origin,
      Protocol protocol) {
    this(transport, headers, deadlineNanos, origin, protocol, Optional.empty());
  }

  /** The context of a request that declares no protocol. */
  public CallContext(String transport, Headers headers, OptionalLong deadlineNanos, Origin origin) {
    this(transport, headers, deadlineNanos, origin, Protocol.UNDECLARED);
  }

  /** The context of a request without an origin, as from this process. */
  public CallContext(String transport, Headers headers, OptionalLong deadlineNanos) {
    this(transport, headers, deadlineNanos, Origin.NONE);
  }

  /** The context of a request without headers and deadline. */
  public static CallContext of(String transport) {
    return new CallContext(transport, Headers.NONE, OptionalLong.empty());
  }

  /** The space for the details of an error, in bytes. */
  public int detailBytesMax() {
    return ErrorDetailSpace.bytes(transport.equals(WITH_TRAILERS));
  }

  /** This context with an authenticated caller. */
  public CallContext by(Principal caller) {
    return new CallContext(
        transport, headers, deadlineNanos, origin, protocol, Optional.of(caller));
  }

  /**
   * This context for a request that starts later. Always keeps {@link AsOfHeader}, without which it
   * would be another request.
   *
   * @param names the headers to keep, in lower case
   */
  public CallContext held(Set<String> names) {
    Set<String> kept = new HashSet<>(names);
    kept.add(AsOfHeader.NAME);
    return new CallContext(
        transport, headers.held(kept), deadlineNanos, origin, protocol, principal);
  }
}

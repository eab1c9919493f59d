package io.entroq.service.grpc;

import io.entroq.service.limit.Limit;
import io.entroq.service.limit.ReadTimeout;
import java.time.Duration;

/**
 * The limits that a gRPC server applies before it looks at a request.
 *
 * @param connectionsMax open connections; further ones are closed at once
 * @param connectionCallsMax calls of one connection; the client queues more
 * @param callsMax calls over all connections; further ones are refused
 * @param callBytesMax bytes of incomplete requests; further ones are refused
 * @param headerBytesMax bytes of a call's headers
 * @param stallMax how long a client may read nothing of its response
 */
public record GrpcLimits(
    int connectionsMax,
    int connectionCallsMax,
    int callsMax,
    long callBytesMax,
    int headerBytesMax,
    Duration stallMax) {
  /** For a heap of 1 GiB. */
  public static final GrpcLimits DEFAULT =
      new GrpcLimits(
          Limit.CONNECTIONS.standard(),
          Limit.CONNECTION_CALLS.standard(),
          Limit.CALLS.standard(),
          256 << 20,
          Limit.HEADER_BYTES.standard());

  /** With the default for stalled readers. */
  public GrpcLimits(
      int connectionsMax,
      int connectionCallsMax,
      int callsMax,
      long callBytesMax,
      int headerBytesMax) {
    this(
        connectionsMax,
        connectionCallsMax,
        callsMax,
        callBytesMax,
        headerBytesMax,
        ReadTimeout.STALL_MAX_DEFAULT);
  }
}

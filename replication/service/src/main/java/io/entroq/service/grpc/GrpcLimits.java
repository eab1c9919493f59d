package io.entroq.service.grpc;

import io.entroq.service.limit.Limit;
import io.entroq.service.limit.ReadTimeout;
import java.time.Duration;

/**
 * The limits of a gRPC server that apply before a request is looked at.
 *
 * @param connectionsMax open connections; one more is closed at once
 * @param connectionCallsMax calls of one connection; the client queues more
 * @param callsMax calls over all connections; one more is refused
 * @param callBytesMax bytes of requests that have not arrived as a whole; more are refused
 * @param headerBytesMax bytes of the headers of a call
 * @param stallMax how long a reader may read nothing of a response
 */
public record GrpcLimits(
    int connectionsMax,
    int connectionCallsMax,
    int callsMax,
    long callBytesMax,
    int headerBytesMax,
    Duration stallMax) {
  /** For a process with a heap of a gigabyte. */
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

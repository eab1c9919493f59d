package io.entroq.service.grpc;

import io.entroq.service.limit.Limit;
import io.entroq.service.limit.ReadTimeout;
import java.time.Duration;

/**
 * How much a server of gRPC has to do with at a time, before anything looks at what is asked.
 *
 * @param connectionsMax how many there may be; one more is cut at once
 * @param connectionCallsMax how many calls one of them carries; more wait at the client
 * @param callsMax how many calls there may be over all of them; one more is refused
 * @param callBytesMax how many bytes there may be of requests that have begun to come in; what
 *     would be more is refused
 * @param headerBytesMax how long the headers of a call may be
 * @param stallMax how long the reader of an answer may take nothing of it
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

  /** With the usual patience for readers. */
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

package io.entroq.client.transport;

import com.google.protobuf.Any;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.protobuf.StatusProto;
import java.util.List;

/** Reads failures out of what gRPC tells. */
final class Failures {
  private Failures() {}

  /**
   * What a call has ended with.
   *
   * @param isSent whether the server may have seen it
   */
  static Failure of(Status status, Metadata trailers, boolean isSent) {
    if (status.isOk()) {
      return new Failure(Status.Code.INTERNAL, "the server has not answered", List.of(), isSent);
    }
    com.google.rpc.Status detailed = StatusProto.fromStatusAndTrailers(status, trailers);
    List<Any> details = detailed == null ? List.of() : detailed.getDetailsList();
    String message = status.getDescription() == null ? "" : status.getDescription();
    return new Failure(code(status), withCause(message, status), details, isSent);
  }

  /** What has a cause comes from this side, where a connection ends in many ways. */
  private static Status.Code code(Status status) {
    return status.getCode() == Status.Code.UNKNOWN && status.getCause() != null
        ? Status.Code.UNAVAILABLE
        : status.getCode();
  }

  /** The cause says more of what happened to a connection. */
  private static String withCause(String message, Status status) {
    Throwable cause = status.getCause();
    return cause == null || cause.getMessage() == null
        ? message
        : message + ": " + cause.getMessage();
  }
}

package io.entroq.client.transport;

import com.google.protobuf.Any;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.protobuf.StatusProto;
import java.util.List;

/** Converts gRPC statuses to failures. */
final class Failures {
  private Failures() {}

  /**
   * The failure of a call.
   *
   * @param isSent whether the server may have seen the request
   */
  static Failure of(Status status, Metadata trailers, boolean isSent) {
    if (status.isOk()) {
      return new Failure(Status.Code.INTERNAL, "the server sent no response", List.of(), isSent);
    }
    com.google.rpc.Status detailed = StatusProto.fromStatusAndTrailers(status, trailers);
    List<Any> details = detailed == null ? List.of() : detailed.getDetailsList();
    String message = status.getDescription() == null ? "" : status.getDescription();
    return new Failure(code(status), withCause(message, status), details, isSent);
  }

  /** A status with a cause was created by this client, for a broken connection. */
  private static Status.Code code(Status status) {
    return status.getCode() == Status.Code.UNKNOWN && status.getCause() != null
        ? Status.Code.UNAVAILABLE
        : status.getCode();
  }

  /** Adds the cause, which says more about a broken connection. */
  private static String withCause(String message, Status status) {
    Throwable cause = status.getCause();
    return cause == null || cause.getMessage() == null
        ? message
        : message + ": " + cause.getMessage();
  }
}

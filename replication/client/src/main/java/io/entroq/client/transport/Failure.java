package io.entroq.client.transport;

import com.google.protobuf.Any;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.protobuf.StatusProto;
import java.util.List;

/**
 * The reason why a request has no response.
 *
 * @param code gRPC status code
 * @param message for messages and logs
 * @param details sent by the server
 * @param isSent whether the server may have seen the request
 */
public record Failure(Status.Code code, String message, List<Any> details, boolean isSent) {
  /** In the message of a stream that was reset. */
  private static final String RESET = "RST_STREAM";

  /** Begins gRPC's message about a response that is longer than this client accepts. */
  private static final String TOO_LONG = "gRPC message exceeds maximum size";

  public Failure {
    details = List.copyOf(details);
  }

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

  /**
   * Adds the cause, and the cause behind all others: it says what is wrong with a connection or a
   * certificate. The first line suffices of what gRPC says itself; the others list its handlers.
   */
  private static String withCause(String message, Status status) {
    Throwable cause = status.getCause();
    if (cause == null) {
      return message;
    }
    StringBuilder text = new StringBuilder(message.lines().findFirst().orElse(""));
    append(text, cause);
    Throwable root = cause;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    append(text, root);
    return text.toString();
  }

  private static void append(StringBuilder text, Throwable cause) {
    String more = cause.getMessage();
    if (more != null && text.indexOf(more) < 0) {
      text.append(": ").append(more);
    }
  }

  /** The failure of a response that cannot be parsed. */
  public static Failure unreadable(RuntimeException reason) {
    return new Failure(
        Status.Code.DATA_LOSS, "the response is unreadable: " + reason, List.of(), true);
  }

  /** A copy with more text, unless that is empty. */
  public Failure with(String more) {
    return more.isEmpty() ? this : new Failure(code, message + "; " + more, details, isSent);
  }

  /** Whether the server does not know the outcome, for example because it is shutting down. */
  public boolean isUnknown() {
    return code == Status.Code.UNKNOWN;
  }

  /** Whether the server has not judged the request, so that it may be retried. */
  public boolean isTransient() {
    return switch (code) {
      case UNAVAILABLE, DEADLINE_EXCEEDED, CANCELLED -> true;
      case INTERNAL -> message.contains(RESET);
      default -> false;
    };
  }

  /** Whether the server may have executed the request. */
  public boolean isOutcomeUnknown() {
    return isSent
        && switch (code) {
          case UNAVAILABLE, DEADLINE_EXCEEDED, CANCELLED, INTERNAL, UNKNOWN, DATA_LOSS -> true;
          case RESOURCE_EXHAUSTED -> message.startsWith(TOO_LONG);
          default -> false;
        };
  }

  public boolean isUnimplemented() {
    return code == Status.Code.UNIMPLEMENTED;
  }

  /** Whether a limit refused the request, or the response is longer than this client accepts. */
  public boolean isResourceExhausted() {
    return code == Status.Code.RESOURCE_EXHAUSTED;
  }

  @Override
  public String toString() {
    return code + ": " + message;
  }
}

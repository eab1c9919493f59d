package io.entroq.client.transport;

import com.google.protobuf.Any;
import io.grpc.Status;
import java.util.List;

/**
 * Why there is no answer.
 *
 * @param code what kind of reason it is
 * @param message for people
 * @param details as the server gives them
 * @param isSent whether the server may have seen the request
 */
public record Failure(Status.Code code, String message, List<Any> details, boolean isSent) {
  /** What a stream says that was cut off in the middle. */
  private static final String RESET = "RST_STREAM";

  /** What gRPC says of an answer that is longer than is taken here. */
  private static final String TOO_LONG = "gRPC message exceeds maximum size";

  /** Copies the list. */
  public Failure {
    details = List.copyOf(details);
  }

  /** An answer that is there, but makes no sense here. */
  public static Failure unreadable(RuntimeException reason) {
    return new Failure(
        Status.Code.DATA_LOSS, "the answer cannot be read: " + reason, List.of(), true);
  }

  /** The same with more to say; nothing is added if that is empty. */
  public Failure with(String more) {
    return more.isEmpty() ? this : new Failure(code, message + "; " + more, details, isSent);
  }

  /**
   * Whether a server says that it does not know what it has done, as one does that comes to an end
   * in the middle of a request.
   */
  public boolean isUnknown() {
    return code == Status.Code.UNKNOWN;
  }

  /** Whether it is no word of the server's on the request, so that the same may be asked again. */
  public boolean isTransient() {
    return switch (code) {
      case UNAVAILABLE, DEADLINE_EXCEEDED, CANCELLED -> true;
      case INTERNAL -> message.contains(RESET);
      default -> false;
    };
  }

  /** Whether the server may have done what was asked for. */
  public boolean isOutcomeUnknown() {
    return isSent
        && switch (code) {
          case UNAVAILABLE, DEADLINE_EXCEEDED, CANCELLED, INTERNAL, UNKNOWN, DATA_LOSS -> true;
          case RESOURCE_EXHAUSTED -> message.startsWith(TOO_LONG);
          default -> false;
        };
  }

  /** Whether the server does not have the method. */
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

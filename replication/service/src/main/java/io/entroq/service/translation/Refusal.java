package io.entroq.service.translation;

import com.google.protobuf.Message;
import io.entroq.api.EntroQException;
import io.entroq.codec.wire.edge.AuthzDep;
import io.entroq.codec.wire.edge.FullQueue;
import io.entroq.codec.wire.edge.ModifyDep;
import io.grpc.Status;
import java.util.List;
import java.util.Optional;

/**
 * Why a request was refused.
 *
 * @param code NOT_FOUND only for dependencies, and PERMISSION_DENIED only for authorization:
 *     clients recognize them by these codes (contract 1.9)
 * @param message for people
 * @param details the failed dependencies of a Modify, what is not allowed, the queue that is full,
 *     or what a feed keeps, as messages of the API; otherwise empty
 */
public record Refusal(Status.Code code, String message, List<? extends Message> details) {
  /** The identity was used for another request. */
  public static final Refusal IDENTITY_REUSED =
      invalid("request_number: was used before for another request");

  /** The engine does not know the client, and this is not its first request. */
  public static final Refusal CLIENT_UNKNOWN =
      new Refusal(
          Status.Code.UNKNOWN,
          "client_id: not known any more; nothing was done now, but an earlier attempt of this"
              + " request may have been done");

  /** The request needs a higher behavior level than the log has. */
  public static final Refusal LEVEL_TOO_LOW =
      invalid(
          "fails, policies, pauses, ttl_ms and trace need behavior level 8, pools and topics level 9,"
              + " CHANGE_TAKE_BACK level 11; raise the level of the log");

  /** A fault of this server. */
  public static final Refusal FAULT =
      new Refusal(Status.Code.INTERNAL, "internal error of the server; its log has the details");

  /** A refusal without details. */
  public Refusal(Status.Code code, String message) {
    this(code, message, List.of());
  }

  /** The request is invalid. */
  public static Refusal invalid(String message) {
    return new Refusal(Status.Code.INVALID_ARGUMENT, message);
  }

  /** The request is over a limit: now, or always since it is too large. */
  public static Refusal exhausted(String message) {
    return new Refusal(Status.Code.RESOURCE_EXHAUSTED, message);
  }

  /** The refusal for an engine's exception; it names flags, where the engine names settings. */
  public static Refusal of(EntroQException failure) {
    return new Refusal(code(failure), SettingFlags.in(failure.getMessage()));
  }

  private static Status.Code code(EntroQException failure) {
    if (failure instanceof EntroQException.InvalidArgument) {
      return Status.Code.INVALID_ARGUMENT;
    }
    if (failure instanceof EntroQException.ResourceExhausted) {
      return Status.Code.RESOURCE_EXHAUSTED;
    }
    if (failure instanceof EntroQException.PermissionDenied) {
      return Status.Code.PERMISSION_DENIED;
    }
    if (failure instanceof EntroQException.OutcomeUnknown) {
      // Clients whose requests have an identity ask again, at another member if this one ends.
      return Status.Code.UNKNOWN;
    }
    return failure instanceof EntroQException.Unavailable
            || failure instanceof EntroQException.Closed
        ? Status.Code.UNAVAILABLE
        : Status.Code.INTERNAL;
  }

  /** The details of a dependency error. */
  public List<ModifyDep> dependencies() {
    return details(ModifyDep.class);
  }

  /** The details of a denial. */
  public List<AuthzDep> denials() {
    return details(AuthzDep.class);
  }

  /** The queue that has no room for what a Modify inserts, moves or changes, if that is why. */
  public Optional<FullQueue> fullQueue() {
    return details(FullQueue.class).stream().findFirst();
  }

  private <D> List<D> details(Class<D> type) {
    return details.stream().filter(type::isInstance).map(type::cast).toList();
  }

  /**
   * The same refusal, named after what was asked for.
   *
   * @param method such as {@code try claim}
   */
  public Refusal of(String method) {
    return new Refusal(code, method + ": " + message, details);
  }

  /** The same error in a nested field. */
  Refusal in(String outer) {
    return new Refusal(code, outer + "." + message, details);
  }
}

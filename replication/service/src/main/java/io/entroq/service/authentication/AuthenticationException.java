package io.entroq.service.authentication;

import io.entroq.service.translation.Refusal;
import io.grpc.Status;

/** A caller cannot be authenticated. The message says why, without the token. */
final class AuthenticationException extends Exception {
  private static final long serialVersionUID = 1;

  private final Status.Code code;

  private AuthenticationException(Status.Code code, String message, Throwable cause) {
    super(message, cause);
    this.code = code;
  }

  /** The caller has no token, or one that is not valid. */
  static AuthenticationException invalid(String why) {
    return invalid(why, null);
  }

  static AuthenticationException invalid(String why, Throwable cause) {
    return new AuthenticationException(Status.Code.UNAUTHENTICATED, why, cause);
  }

  /** The token cannot be checked now. */
  static AuthenticationException unavailable(String why, Throwable cause) {
    return new AuthenticationException(Status.Code.UNAVAILABLE, why, cause);
  }

  /** Whether the caller may be authenticated later; otherwise it needs another token. */
  boolean isUnavailable() {
    return code == Status.Code.UNAVAILABLE;
  }

  /** The caller's error. */
  Refusal refusal() {
    return new Refusal(code, "authentication failed: " + getMessage());
  }
}

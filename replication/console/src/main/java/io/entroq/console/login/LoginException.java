package io.entroq.console.login;

/** The login cannot be used as it is configured; the message says why. */
public final class LoginException extends Exception {
  private static final long serialVersionUID = 1L;

  /** Says what is wrong, and where. */
  public LoginException(String message) {
    super(message);
  }
}

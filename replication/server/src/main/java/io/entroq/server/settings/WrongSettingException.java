package io.entroq.server.settings;

/** A server was told something that cannot be. The message says what, by whom, and what can. */
public final class WrongSettingException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** With what is wrong. */
  public WrongSettingException(String message) {
    super(message);
  }

  WrongSettingException(String message, Throwable cause) {
    super(message, cause);
  }
}

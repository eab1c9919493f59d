package io.entroq.server.settings;

/** A setting is invalid. The message says which, where it was set, and what is valid. */
public final class InvalidSettingException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public InvalidSettingException(String message) {
    super(message);
  }

  InvalidSettingException(String message, Throwable cause) {
    super(message, cause);
  }
}

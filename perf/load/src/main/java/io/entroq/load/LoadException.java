package io.entroq.load;

/** A run without a result. The message is for users and says what to do, if possible. */
public final class LoadException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  LoadException(String message) {
    super(message);
  }

  LoadException(String message, Throwable cause) {
    super(message, cause);
  }
}

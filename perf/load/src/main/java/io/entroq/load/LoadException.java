package io.entroq.load;

/** A run has no result; the message is for people, and says what to do where there is something. */
public final class LoadException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  LoadException(String message) {
    super(message);
  }

  LoadException(String message, Throwable cause) {
    super(message, cause);
  }
}

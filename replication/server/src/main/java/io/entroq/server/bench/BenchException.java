package io.entroq.server.bench;

/** A run has no result; the message is for people, and says what to do where there is something. */
public final class BenchException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  BenchException(String message) {
    super(message);
  }

  BenchException(String message, Throwable cause) {
    super(message, cause);
  }
}

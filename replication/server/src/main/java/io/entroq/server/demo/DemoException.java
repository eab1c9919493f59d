package io.entroq.server.demo;

/** The demo cannot go on. The message is a line for people that says why and what to do. */
public final class DemoException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  DemoException(String message) {
    super(message);
  }

  DemoException(String message, Throwable cause) {
    super(message, cause);
  }
}

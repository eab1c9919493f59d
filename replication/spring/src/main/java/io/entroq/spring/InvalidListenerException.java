package io.entroq.spring;

/** A method cannot be a listener; the message says which one and why. */
final class InvalidListenerException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String action;

  /**
   * @param action what to do about it, as a sentence
   */
  InvalidListenerException(String message, String action, Throwable cause) {
    super(message, cause);
    this.action = action;
  }

  InvalidListenerException(String message, String action) {
    this(message, action, null);
  }

  String action() {
    return action;
  }
}

package io.entroq.console.web;

/** A page cannot be shown; the user sees the message. */
public final class PageException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int status;

  /**
   * @param status of HTTP, 400 to 599 but not 401
   * @param message for people
   */
  public PageException(int status, String message) {
    super(message, null, false, false);
    this.status = status;
  }

  /** There is nothing at a path, or what it names is gone. */
  public static PageException notFound(String message) {
    return new PageException(404, message);
  }

  /** What was asked for makes no sense. */
  public static PageException invalid(String message) {
    return new PageException(400, message);
  }

  public int status() {
    return status;
  }
}

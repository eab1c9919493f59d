package io.entroq.console.web;

import io.entroq.service.http.protocol.StatusCodes;
import io.entroq.service.translation.Refusal;

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

  /** The status of a page that says why a call was refused. */
  public static int statusOf(Refusal refusal) {
    int status = StatusCodes.status(refusal.code());
    // With 401, a browser would ask for a password.
    return status == 401 ? 403 : status;
  }

  public int status() {
    return status;
  }
}

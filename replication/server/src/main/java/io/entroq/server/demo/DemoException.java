package io.entroq.server.demo;

/** The demo cannot go on. The message is a line for people that says why and what to do. */
public final class DemoException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final boolean isWrongUsage;

  DemoException(String message) {
    this(message, false);
  }

  private DemoException(String message, boolean isWrongUsage) {
    super(message);
    this.isWrongUsage = isWrongUsage;
  }

  /** What was asked for cannot be done by anybody. */
  static DemoException wrongUsage(String message) {
    return new DemoException(message, true);
  }

  /** Whether the fault is with the command line. */
  public boolean isWrongUsage() {
    return isWrongUsage;
  }

  DemoException(String message, Throwable cause) {
    super(message, cause);
    this.isWrongUsage = false;
  }
}

package io.entroq.server.demo;

/** The demo cannot continue. The message tells the user why and what to do. */
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

  /** The command line is invalid. */
  static DemoException wrongUsage(String message) {
    return new DemoException(message, true);
  }

  /** Whether the command line is invalid. */
  public boolean isWrongUsage() {
    return isWrongUsage;
  }

  DemoException(String message, Throwable cause) {
    super(message, cause);
    this.isWrongUsage = false;
  }
}

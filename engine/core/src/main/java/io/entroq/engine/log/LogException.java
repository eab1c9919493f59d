package io.entroq.engine.log;

/** The log cannot do what was asked of it. The message says what, where, and what to do. */
public class LogException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** How bad it is. */
  public enum Severity {
    /** The engine must stop; what is not forced is of unknown outcome. */
    FATAL,
    /** This operation is refused; nothing has changed. */
    ERROR
  }

  private final Severity severity;

  public LogException(Severity severity, String message) {
    super(message);
    this.severity = severity;
  }

  public LogException(Severity severity, String message, Throwable cause) {
    super(message, cause);
    this.severity = severity;
  }

  public Severity severity() {
    return severity;
  }

  /** The engine must stop. */
  public static LogException fatal(String message, Throwable cause) {
    return new LogException(Severity.FATAL, message, cause);
  }

  /** The operation is refused. */
  public static LogException error(String message) {
    return new LogException(Severity.ERROR, message);
  }

  /** The operation is refused. */
  public static LogException error(String message, Throwable cause) {
    return new LogException(Severity.ERROR, message, cause);
  }
}

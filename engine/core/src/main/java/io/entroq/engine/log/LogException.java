package io.entroq.engine.log;

/** An operation on the log failed. The message says what happened, where, and what to do. */
public class LogException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public enum Severity {
    /** The engine must stop; the outcome of unforced commands is unknown. */
    FATAL,
    /** The operation was refused; nothing has changed. */
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

  public static LogException fatal(String message, Throwable cause) {
    return new LogException(Severity.FATAL, message, cause);
  }

  public static LogException error(String message) {
    return new LogException(Severity.ERROR, message);
  }

  public static LogException error(String message, Throwable cause) {
    return new LogException(Severity.ERROR, message, cause);
  }
}

package io.entroq.tools.terminal;

/** A command cannot do what it was asked for. The message tells its user, in one line. */
public final class CommandException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Says what, where, and what to do. */
  public CommandException(String message) {
    super(message);
  }

  /** Says what, where, and what to do, and what found out. */
  public CommandException(String message, Throwable cause) {
    super(message, cause);
  }
}

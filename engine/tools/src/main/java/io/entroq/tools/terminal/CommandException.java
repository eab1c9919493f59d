package io.entroq.tools.terminal;

/** A command failed. The message says what, where, and what to do, in one line. */
public final class CommandException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public CommandException(String message) {
    super(message);
  }

  public CommandException(String message, Throwable cause) {
    super(message, cause);
  }
}

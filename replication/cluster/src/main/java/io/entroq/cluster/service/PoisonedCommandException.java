package io.entroq.cluster.service;

/**
 * A command of the log cannot be applied, so this member ends, with a state that has half of it. A
 * member that is started once more meets it again, and so does every other.
 */
public final class PoisonedCommandException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient SkippedCommand command;

  PoisonedCommandException(SkippedCommand command, Throwable cause) {
    super(
        ("the command at position %d of the cluster's log cannot be applied: %s. If it ends the other"
                + " members as well, see to it that nobody asks for it again, and start all with"
                + " skipCommand %s")
            .formatted(command.position(), cause, command),
        cause);
    this.command = command;
  }

  /** Which one it is; null where this was read from a stream. */
  public SkippedCommand command() {
    return command;
  }
}

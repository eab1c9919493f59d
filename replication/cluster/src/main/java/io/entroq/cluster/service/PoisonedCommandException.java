package io.entroq.cluster.service;

/**
 * A command in the log cannot be applied, so this member has ended with a partly changed state. It
 * meets the command again on restart, and so does every other member.
 */
public final class PoisonedCommandException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient SkippedCommand command;

  PoisonedCommandException(SkippedCommand command, Throwable cause) {
    super(
        ("the command at position %d of the cluster's log cannot be applied: %s. If it also ends the"
                + " other members, stop the caller that sends it, and start all with skipCommand %s")
            .formatted(command.position(), cause, command),
        cause);
    this.command = command;
  }

  /** The command; null after deserialization. */
  public SkippedCommand command() {
    return command;
  }
}

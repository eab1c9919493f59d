package io.entroq.simulator.world;

import java.util.List;

/**
 * What went wrong in a world, and where. Immutable.
 *
 * @param step after so many events
 * @param virtualNs and so many nanoseconds since the world began
 * @param invariant the name of what was broken
 * @param subject the task, queue or request that it is about
 * @param detail what was expected and what was seen
 * @param lastCommands the last commands that touched the subject, the oldest first, a line each
 * @param cause what was thrown; for the stack trace
 */
public record Failure(
    long step,
    long virtualNs,
    String invariant,
    String subject,
    String detail,
    List<String> lastCommands,
    Throwable cause) {
  private static final double NS_PER_HOUR = 3.6e12;

  public Failure {
    lastCommands = List.copyOf(lastCommands);
  }

  /** When it happened, in hours since the world began. */
  public double hours() {
    return virtualNs / NS_PER_HOUR;
  }
}

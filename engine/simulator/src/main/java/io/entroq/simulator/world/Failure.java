package io.entroq.simulator.world;

import java.util.List;
import java.util.regex.Pattern;

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

  /** Numbers and ids, of which each world has its own. */
  private static final Pattern NUMBERS = Pattern.compile("[0-9a-f]*[0-9][0-9a-f]*");

  public Failure {
    lastCommands = List.copyOf(lastCommands);
  }

  /**
   * What is equal of two failures if the same goes wrong: the invariant, what kind of thing it is
   * about, and the classes of what was thrown.
   */
  String kind() {
    StringBuilder kind = new StringBuilder(invariant);
    kind.append(' ').append(NUMBERS.matcher(subject).replaceAll("#"));
    for (Throwable each = cause; each != null; each = each.getCause()) {
      kind.append(' ').append(each.getClass().getName());
    }
    return kind.toString();
  }

  /** When it happened, in hours since the world began. */
  public double hours() {
    return virtualNs / NS_PER_HOUR;
  }
}

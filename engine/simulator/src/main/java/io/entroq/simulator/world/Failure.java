package io.entroq.simulator.world;

import java.util.List;
import java.util.regex.Pattern;

/**
 * A violation in a world.
 *
 * @param step the number of events before it
 * @param virtualNs nanoseconds since the world began
 * @param invariant the violated invariant's name
 * @param subject the task, queue or request
 * @param detail what was expected and what was seen
 * @param lastCommands the last commands that touched the subject, the oldest first, a line each
 * @param cause for the stack trace
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

  /** Numbers and ids, which differ between worlds. */
  private static final Pattern NUMBERS = Pattern.compile("[0-9a-f]*[0-9][0-9a-f]*");

  public Failure {
    lastCommands = List.copyOf(lastCommands);
  }

  /**
   * Equal for two occurrences of one bug: the invariant, the subject without its number, and the
   * classes of the exceptions.
   */
  String kind() {
    StringBuilder kind = new StringBuilder(invariant);
    kind.append(' ').append(NUMBERS.matcher(subject).replaceAll("#"));
    for (Throwable each = cause; each != null; each = each.getCause()) {
      kind.append(' ').append(each.getClass().getName());
    }
    return kind.toString();
  }

  /** The time in hours since the world began. */
  public double hours() {
    return virtualNs / NS_PER_HOUR;
  }
}

package io.entroq.cluster.service;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The one command that an operator has given up, because it ends every member that applies it: all
 * of them pass over it, and stand a tick in its place. What a member says when it ends has both
 * numbers.
 *
 * @param position where the message with it ends in the log of the cluster
 * @param crc CRC32C of the command with its frame, which tells it from others in the message, and a
 *     position that was mistyped from the right one
 */
public record SkippedCommand(long position, int crc) {
  private static final Pattern TEXT = Pattern.compile("(\\d{1,18}):([0-9a-fA-F]{8})");

  /**
   * Reads the two numbers as {@link #toString} writes them.
   *
   * @throws IllegalArgumentException if they are not
   */
  public static SkippedCommand parse(String text) {
    Matcher components = TEXT.matcher(text);
    if (!components.matches()) {
      throw new IllegalArgumentException(
          "'%s' names no command: it is POSITION:CRC, as the member has said when it ended"
              .formatted(text));
    }
    return new SkippedCommand(
        Long.parseLong(components.group(1)), Integer.parseUnsignedInt(components.group(2), 16));
  }

  @Override
  public String toString() {
    return "%d:%08x".formatted(position, crc);
  }
}

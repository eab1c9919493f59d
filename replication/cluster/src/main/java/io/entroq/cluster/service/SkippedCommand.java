package io.entroq.cluster.service;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The command that all members skip because it ends every member that applies it. A tick replaces
 * it. The error that ends a member has both numbers.
 *
 * @param position end of the message with the command, in the cluster's log
 * @param crc CRC32C of the command with its frame. Identifies it within the message, and detects a
 *     mistyped position
 */
public record SkippedCommand(long position, int crc) {
  private static final Pattern TEXT = Pattern.compile("(\\d{1,18}):([0-9a-fA-F]{8})");

  /**
   * Parses the format of {@link #toString}.
   *
   * @throws IllegalArgumentException if the format is wrong
   */
  public static SkippedCommand parse(String text) {
    Matcher parts = TEXT.matcher(text);
    if (!parts.matches()) {
      throw new IllegalArgumentException(
          "a command must be POSITION:CRC, as in the error that ended the member, is '%s'"
              .formatted(text));
    }
    return new SkippedCommand(
        Long.parseLong(parts.group(1)), Integer.parseUnsignedInt(parts.group(2), 16));
  }

  @Override
  public String toString() {
    return "%d:%08x".formatted(position, crc);
  }
}

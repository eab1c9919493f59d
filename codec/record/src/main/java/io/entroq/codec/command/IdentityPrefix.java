package io.entroq.codec.command;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * The identity of a Claim, a Modify or a ClaimDocs without the rest: its encoder writes it first,
 * so whoever passes a command on can see whether it has one, and put one in front of it.
 */
public final class IdentityPrefix {
  private static final int FIELD = 1;
  private static final int TAG = FIELD << 3 | WireReader.LENGTH_DELIMITED;

  private final WireWriter writer = new WireWriter();

  /** A writer of prefixes. One thread at a time. */
  public IdentityPrefix() {}

  /** Whether a command that an encoder of this package has written has an identity. */
  public static boolean isThere(DirectBuffer command, int offset, int length) {
    return length > 0 && command.getByte(offset) == TAG;
  }

  /**
   * Writes an identity; the command without one belongs right behind it.
   *
   * @return how many bytes it has
   */
  public int write(
      MutableDirectBuffer buffer,
      int offset,
      long clientHigh,
      long clientLow,
      long number,
      long ackedBelow) {
    writer.wrap(buffer, offset);
    IdentityFields.write(writer, FIELD, clientHigh, clientLow, number, ackedBelow);
    return writer.length();
  }
}

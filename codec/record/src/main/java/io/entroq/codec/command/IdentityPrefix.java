package io.entroq.codec.command;

import io.entroq.codec.message.WireReader;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * The identity of a Claim, a Modify or a ClaimDocs without the rest. Encoders write it first, so a
 * command can be forwarded with an identity put in front of it.
 */
public final class IdentityPrefix {
  private static final int TAG = 1 << 3 | WireReader.LENGTH_DELIMITED;

  /** Field 1 is the identity in all three. */
  private final ClaimEncoder encoder = new ClaimEncoder();

  /** For one thread at a time. */
  public IdentityPrefix() {}

  /** Whether a command that was written by an encoder of this package has an identity. */
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
    return encoder
        .wrap(buffer, offset)
        .identity(clientHigh, clientLow, number, ackedBelow)
        .length();
  }
}

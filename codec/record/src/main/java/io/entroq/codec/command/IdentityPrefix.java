package io.entroq.codec.command;

import io.entroq.codec.message.WireReader;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * The encoded identity of a Claim, a Modify or a ClaimDocs. It is their first field, so it can be
 * put in front of an encoded command that has none. Not thread-safe.
 */
public final class IdentityPrefix {
  private static final int TAG = 1 << 3 | WireReader.LENGTH_DELIMITED;

  /** Field 1 is the identity in all three. */
  private final ClaimEncoder encoder = new ClaimEncoder();

  /** Whether a command written by an encoder of this package has an identity. */
  public static boolean isThere(DirectBuffer command, int offset, int length) {
    return length > 0 && command.getByte(offset) == TAG;
  }

  /**
   * Writes an identity; the command without one belongs right after it.
   *
   * @return bytes written
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

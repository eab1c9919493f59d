package io.entroq.cluster.service;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * A message to all members, through the log: the members of the cluster will change, so none of the
 * present ones goes on in a later term. It is 16 bytes long and not a proposal.
 *
 * <table>
 *   <caption>Message, version 1, little endian</caption>
 *   <tr><td>0</td><td>short</td><td>magic, the bytes {@code EC}</td></tr>
 *   <tr><td>2</td><td>byte</td><td>version</td></tr>
 *   <tr><td>3</td><td>byte</td><td>0</td></tr>
 *   <tr><td>4</td><td>int</td><td>member that was asked</td></tr>
 *   <tr><td>8</td><td>long</td><td>0</td></tr>
 * </table>
 */
public final class CloseRequest {
  public static final int BYTES = 16;

  private static final short MAGIC = 0x4345;
  private static final int HEAD = Short.toUnsignedInt(MAGIC) | 1 << 16;
  private static final int MEMBER_OFFSET = 4;
  private static final int RESERVED_OFFSET = 8;

  private CloseRequest() {}

  /** Writes the message at the beginning of a buffer. */
  public static void write(MutableDirectBuffer buffer, int memberId) {
    buffer.putInt(0, HEAD, LITTLE_ENDIAN);
    buffer.putInt(MEMBER_OFFSET, memberId, LITTLE_ENDIAN);
    buffer.putLong(RESERVED_OFFSET, 0, LITTLE_ENDIAN);
  }

  /** Whether a message is a request to close the cluster. */
  static boolean matches(DirectBuffer buffer, int offset, int length) {
    return length == BYTES && buffer.getInt(offset, LITTLE_ENDIAN) == HEAD;
  }
}

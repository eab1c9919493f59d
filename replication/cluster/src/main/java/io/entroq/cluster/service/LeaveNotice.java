package io.entroq.cluster.service;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * The last message of a leader that ends in order, through the log. It lets the others elect a new
 * leader at once. It is 16 bytes long and not a proposal; builds that do not know it ignore it.
 *
 * <table>
 *   <caption>Message, version 1, little endian</caption>
 *   <tr><td>0</td><td>short</td><td>magic, the bytes {@code EV}</td></tr>
 *   <tr><td>2</td><td>byte</td><td>version</td></tr>
 *   <tr><td>3</td><td>byte</td><td>0</td></tr>
 *   <tr><td>4</td><td>int</td><td>member</td></tr>
 *   <tr><td>8</td><td>long</td><td>the term in which it leads</td></tr>
 * </table>
 *
 * @param memberId the leader, from 0
 */
public record LeaveNotice(int memberId, long termId) {
  public static final int BYTES = 16;

  private static final short MAGIC = 0x5645;
  private static final int HEAD = Short.toUnsignedInt(MAGIC) | 1 << 16;
  private static final int MEMBER_OFFSET = 4;
  private static final int TERM_OFFSET = 8;

  /** Writes the message at the beginning of a buffer. */
  public void write(MutableDirectBuffer buffer) {
    buffer.putInt(0, HEAD, LITTLE_ENDIAN);
    buffer.putInt(MEMBER_OFFSET, memberId, LITTLE_ENDIAN);
    buffer.putLong(TERM_OFFSET, termId, LITTLE_ENDIAN);
  }

  /** Whether a message is a leave notice. */
  static boolean matches(DirectBuffer buffer, int offset, int length) {
    return length == BYTES && buffer.getInt(offset, LITTLE_ENDIAN) == HEAD;
  }

  /** Reads a message that {@link #matches}. */
  static LeaveNotice read(DirectBuffer buffer, int offset) {
    return new LeaveNotice(
        buffer.getInt(offset + MEMBER_OFFSET, LITTLE_ENDIAN),
        buffer.getLong(offset + TERM_OFFSET, LITTLE_ENDIAN));
  }
}

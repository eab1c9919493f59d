package io.entroq.cluster.service;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A short message from a member to all others, through the log. It is 16 bytes long and not a
 * proposal; builds that do not know its kind ignore it.
 *
 * <table>
 *   <caption>Message, version 1, little endian</caption>
 *   <tr><td>0</td><td>short</td><td>magic of its kind</td></tr>
 *   <tr><td>2</td><td>byte</td><td>version</td></tr>
 *   <tr><td>3</td><td>byte</td><td>0</td></tr>
 *   <tr><td>4</td><td>int</td><td>member</td></tr>
 *   <tr><td>8</td><td>long</td><td>term, or 0</td></tr>
 * </table>
 *
 * @param memberId who sends it, from 0
 * @param termId the term in which a leader leads who leaves or closes the cluster; otherwise 0
 */
public record MemberNotice(Kind kind, int memberId, long termId) {
  static final int BYTES = 16;

  private static final int MEMBER_OFFSET = 4;
  private static final int TERM_OFFSET = 8;

  /** What a member tells or asks. */
  public enum Kind {
    /** Its disk is low, and snapshots would free log. For the leader. */
    WANTS_SNAPSHOT('W'),

    /** The last message of a leader that ends in order. Lets the others elect a new one at once. */
    LEAVES('V'),

    /** The members will change, so none of the present ones goes on in a later term. */
    CLOSES_CLUSTER('C');

    /** Magic, the bytes E and a letter, and version. */
    private final int head;

    Kind(char letter) {
      head = 'E' | letter << 8 | 1 << 16;
    }
  }

  private static final Kind[] KINDS = Kind.values();

  public MemberNotice(Kind kind, int memberId) {
    this(kind, memberId, 0);
  }

  public DirectBuffer encode() {
    UnsafeBuffer buffer = new UnsafeBuffer(new byte[BYTES]);
    buffer.putInt(0, kind.head, LITTLE_ENDIAN);
    buffer.putInt(MEMBER_OFFSET, memberId, LITTLE_ENDIAN);
    buffer.putLong(TERM_OFFSET, termId, LITTLE_ENDIAN);
    return buffer;
  }

  /** Reads a message; null if it is another one. */
  static MemberNotice read(DirectBuffer buffer, int offset, int length) {
    if (length == BYTES) {
      int head = buffer.getInt(offset, LITTLE_ENDIAN);
      for (Kind kind : KINDS) {
        if (kind.head == head) {
          return new MemberNotice(
              kind,
              buffer.getInt(offset + MEMBER_OFFSET, LITTLE_ENDIAN),
              buffer.getLong(offset + TERM_OFFSET, LITTLE_ENDIAN));
        }
      }
    }
    return null;
  }
}

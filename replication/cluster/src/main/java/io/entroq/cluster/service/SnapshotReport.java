package io.entroq.cluster.service;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.util.Optional;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * A message from a member to the others, through the log, about its newest snapshot and the digest
 * of its state. It is 48 bytes long and not a proposal; builds that do not know it ignore it.
 *
 * <table>
 *   <caption>Message, version 1, little endian</caption>
 *   <tr><td>0</td><td>short</td><td>magic, the bytes {@code ES}</td></tr>
 *   <tr><td>2</td><td>byte</td><td>version</td></tr>
 *   <tr><td>3</td><td>byte</td><td>0</td></tr>
 *   <tr><td>4</td><td>int</td><td>member</td></tr>
 *   <tr><td>8</td><td>long</td><td>position of the snapshot in the cluster's log</td></tr>
 *   <tr><td>16</td><td>long</td><td>sequence of the state</td></tr>
 *   <tr><td>24</td><td>long</td><td>digest of everything that happened</td></tr>
 *   <tr><td>32</td><td>long</td><td>digest of the content</td></tr>
 *   <tr><td>40</td><td>long</td><td>0</td></tr>
 * </table>
 *
 * @param memberId from 0
 * @param position of the snapshot in the cluster's log, in bytes
 * @param digest of the snapshot's state
 */
public record SnapshotReport(int memberId, long position, StateDigest digest) {
  public static final int BYTES = 48;

  private static final short MAGIC = 0x5345;
  private static final int VERSION = 1;
  private static final int VERSION_OFFSET = 2;
  private static final int MEMBER_OFFSET = 4;
  private static final int POSITION_OFFSET = 8;
  private static final int SEQUENCE_OFFSET = 16;
  private static final int HISTORY_OFFSET = 24;
  private static final int CONTENT_OFFSET = 32;
  private static final int RESERVED_OFFSET = 40;

  /** Writes the message at the beginning of a buffer. */
  public void write(MutableDirectBuffer buffer) {
    buffer.putShort(0, MAGIC, LITTLE_ENDIAN);
    buffer.putShort(VERSION_OFFSET, (short) VERSION, LITTLE_ENDIAN);
    buffer.putInt(MEMBER_OFFSET, memberId, LITTLE_ENDIAN);
    buffer.putLong(POSITION_OFFSET, position, LITTLE_ENDIAN);
    buffer.putLong(SEQUENCE_OFFSET, digest.sequence(), LITTLE_ENDIAN);
    buffer.putLong(HISTORY_OFFSET, digest.history(), LITTLE_ENDIAN);
    buffer.putLong(CONTENT_OFFSET, digest.content(), LITTLE_ENDIAN);
    buffer.putLong(RESERVED_OFFSET, 0, LITTLE_ENDIAN);
  }

  /** Whether a message is a snapshot report of any version. */
  static boolean matches(DirectBuffer buffer, int offset, int length) {
    return length >= BYTES && buffer.getShort(offset, LITTLE_ENDIAN) == MAGIC;
  }

  /**
   * Reads a message that {@link #matches}.
   *
   * @return empty if the version is newer or the content is invalid
   */
  static Optional<SnapshotReport> read(DirectBuffer buffer, int offset, int members) {
    int memberId = buffer.getInt(offset + MEMBER_OFFSET, LITTLE_ENDIAN);
    long position = buffer.getLong(offset + POSITION_OFFSET, LITTLE_ENDIAN);
    if (buffer.getByte(offset + VERSION_OFFSET) != VERSION
        || memberId < 0
        || memberId >= members
        || position < 0) {
      return Optional.empty();
    }
    StateDigest digest =
        new StateDigest(
            buffer.getLong(offset + SEQUENCE_OFFSET, LITTLE_ENDIAN),
            buffer.getLong(offset + HISTORY_OFFSET, LITTLE_ENDIAN),
            buffer.getLong(offset + CONTENT_OFFSET, LITTLE_ENDIAN));
    return Optional.of(new SnapshotReport(memberId, position, digest));
  }
}

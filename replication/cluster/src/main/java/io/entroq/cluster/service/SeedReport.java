package io.entroq.cluster.service;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * What members say to each other, through the log, before anything else if they are to begin with a
 * backup: of what state it is. The first that comes out counts, and who has begun with another one
 * ends. A message of 32 bytes beside the proposals.
 *
 * <table>
 *   <caption>Message, version 1, little endian</caption>
 *   <tr><td>0</td><td>short</td><td>magic, the bytes {@code EB}</td></tr>
 *   <tr><td>2</td><td>byte</td><td>version</td></tr>
 *   <tr><td>3</td><td>5 bytes</td><td>0</td></tr>
 *   <tr><td>8</td><td>long</td><td>sequence of the state</td></tr>
 *   <tr><td>16</td><td>long</td><td>digest of all that happened</td></tr>
 *   <tr><td>24</td><td>long</td><td>digest of what is there</td></tr>
 * </table>
 */
public final class SeedReport {
  /** Length of the message. */
  public static final int BYTES = 32;

  private static final short MAGIC = 0x4245;
  private static final long HEAD = Short.toUnsignedLong(MAGIC) | 1 << 16;
  private static final int SEQUENCE_OFFSET = 8;
  private static final int HISTORY_OFFSET = 16;
  private static final int CONTENT_OFFSET = 24;

  private SeedReport() {}

  /** Writes the message at the beginning of a buffer. */
  public static void write(MutableDirectBuffer buffer, StateDigest seed) {
    buffer.putLong(0, HEAD, LITTLE_ENDIAN);
    buffer.putLong(SEQUENCE_OFFSET, seed.sequence(), LITTLE_ENDIAN);
    buffer.putLong(HISTORY_OFFSET, seed.history(), LITTLE_ENDIAN);
    buffer.putLong(CONTENT_OFFSET, seed.content(), LITTLE_ENDIAN);
  }

  /** Whether a message is a report. */
  static boolean isOne(DirectBuffer buffer, int offset, int length) {
    return length == BYTES && buffer.getLong(offset, LITTLE_ENDIAN) == HEAD;
  }

  /** Reads a message that {@link #isOne}. */
  static StateDigest read(DirectBuffer buffer, int offset) {
    return new StateDigest(
        buffer.getLong(offset + SEQUENCE_OFFSET, LITTLE_ENDIAN),
        buffer.getLong(offset + HISTORY_OFFSET, LITTLE_ENDIAN),
        buffer.getLong(offset + CONTENT_OFFSET, LITTLE_ENDIAN));
  }
}

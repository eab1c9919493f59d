package io.entroq.cluster.service;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * A message between members, through the log, with the digest of the seed that they start from. It
 * precedes everything else in a cluster that starts from a backup. The first one in the log counts,
 * and a member with another seed ends. It is 32 bytes long and not a proposal.
 *
 * <table>
 *   <caption>Message, version 1, little endian</caption>
 *   <tr><td>0</td><td>short</td><td>magic, the bytes {@code EB}</td></tr>
 *   <tr><td>2</td><td>byte</td><td>version</td></tr>
 *   <tr><td>3</td><td>5 bytes</td><td>0</td></tr>
 *   <tr><td>8</td><td>long</td><td>sequence of the state</td></tr>
 *   <tr><td>16</td><td>long</td><td>digest of everything that happened</td></tr>
 *   <tr><td>24</td><td>long</td><td>digest of the content</td></tr>
 * </table>
 */
public final class SeedReport {
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

  /** Whether a message is a seed report. */
  static boolean matches(DirectBuffer buffer, int offset, int length) {
    return length == BYTES && buffer.getLong(offset, LITTLE_ENDIAN) == HEAD;
  }

  /** Reads a message that {@link #matches}. */
  static StateDigest read(DirectBuffer buffer, int offset) {
    return new StateDigest(
        buffer.getLong(offset + SEQUENCE_OFFSET, LITTLE_ENDIAN),
        buffer.getLong(offset + HISTORY_OFFSET, LITTLE_ENDIAN),
        buffer.getLong(offset + CONTENT_OFFSET, LITTLE_ENDIAN));
  }
}

package io.entroq.cluster.service;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * The messages of a snapshot: a begin message; pieces of the chunks and their frames in order, or a
 * reference to an image of the member; pieces of the client hosts; an end message. Each message
 * begins with its kind and a number.
 *
 * <table>
 *   <caption>Message, little endian</caption>
 *   <tr><td>0</td><td>int</td><td>kind</td></tr>
 *   <tr><td>4</td><td>int</td><td>begin: format; hosts, reference: CRC32C of the piece; end:
 *       CRC32C over the frames of all chunks and the headers of all hosts and reference
 *       messages</td></tr>
 *   <tr><td>8</td><td>long</td><td>begin: sequence of the state; hosts: bytes of previous hosts
 *       pieces; reference: 0; otherwise: bytes of previous chunk pieces</td></tr>
 *   <tr><td>16</td><td></td><td>the piece</td></tr>
 * </table>
 */
final class SnapshotFrame {
  static final int HEADER_BYTES = 16;

  /** The format of a snapshot that holds the state. */
  static final int FORMAT = 3;

  /** The format of a snapshot that refers to an image. */
  static final int REFERENCE_FORMAT = 4;

  static final int BEGIN = 0x4e474542;
  static final int PIECE = 0x43454950;
  static final int REFERENCE = 0x52464552;
  static final int HOSTS = 0x444c4f48;
  static final int END = 0x53444e45;

  private static final int WORD_OFFSET = 4;
  private static final int NUMBER_OFFSET = 8;

  private SnapshotFrame() {}

  static void write(MutableDirectBuffer buffer, int kind, int word, long number) {
    buffer.putInt(0, kind, LITTLE_ENDIAN);
    buffer.putInt(WORD_OFFSET, word, LITTLE_ENDIAN);
    buffer.putLong(NUMBER_OFFSET, number, LITTLE_ENDIAN);
  }

  static int kind(DirectBuffer buffer, int offset) {
    return buffer.getInt(offset, LITTLE_ENDIAN);
  }

  static int word(DirectBuffer buffer, int offset) {
    return buffer.getInt(offset + WORD_OFFSET, LITTLE_ENDIAN);
  }

  static long number(DirectBuffer buffer, int offset) {
    return buffer.getLong(offset + NUMBER_OFFSET, LITTLE_ENDIAN);
  }
}

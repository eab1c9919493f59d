package io.entroq.engine.replica;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * Frames a command while it is being ordered: a header of 28 bytes, little endian, then the command
 * as in the log. A message may contain several.
 *
 * <table>
 *   <caption>Header, version 1</caption>
 *   <tr><td>0</td><td>short</td><td>magic, the bytes {@code EP}</td></tr>
 *   <tr><td>2</td><td>byte</td><td>version</td></tr>
 *   <tr><td>3</td><td>byte</td><td>type of the record</td></tr>
 *   <tr><td>4</td><td>int</td><td>bytes of the command</td></tr>
 *   <tr><td>8</td><td>int</td><td>bytes that docs, or tasks of lease changes, may have in an answer; 0: any number</td></tr>
 *   <tr><td>12</td><td>long</td><td>incarnation of the engine that proposes</td></tr>
 *   <tr><td>20</td><td>long</td><td>its number there, from 1</td></tr>
 * </table>
 */
final class ProposalFrame {
  static final int HEADER_BYTES = 28;
  static final int VERSION = 1;

  private static final short MAGIC = 0x5045;
  private static final int VERSION_OFFSET = 2;
  private static final int TYPE_OFFSET = 3;
  private static final int COMMAND_BYTES_OFFSET = 4;
  private static final int ANSWER_BYTES_OFFSET = 8;
  private static final int INCARNATION_OFFSET = 12;
  private static final int NUMBER_OFFSET = 20;

  private ProposalFrame() {}

  /** Writes the header; the command's length stays 0 until {@link #commandBytes} sets it. */
  static void write(
      MutableDirectBuffer buffer, int type, int answerBytesMax, long incarnation, long number) {
    buffer.putShort(0, MAGIC, LITTLE_ENDIAN);
    buffer.putByte(VERSION_OFFSET, (byte) VERSION);
    buffer.putByte(TYPE_OFFSET, (byte) type);
    buffer.putInt(COMMAND_BYTES_OFFSET, 0, LITTLE_ENDIAN);
    buffer.putInt(ANSWER_BYTES_OFFSET, answerBytesMax, LITTLE_ENDIAN);
    buffer.putLong(INCARNATION_OFFSET, incarnation, LITTLE_ENDIAN);
    buffer.putLong(NUMBER_OFFSET, number, LITTLE_ENDIAN);
  }

  static void commandBytes(MutableDirectBuffer buffer, int bytes) {
    buffer.putInt(COMMAND_BYTES_OFFSET, bytes, LITTLE_ENDIAN);
  }

  /** Whether the bytes start with a whole proposal of any version. */
  static boolean isProposal(DirectBuffer buffer, int offset, int length) {
    return length >= HEADER_BYTES
        && buffer.getShort(offset, LITTLE_ENDIAN) == MAGIC
        && commandBytes(buffer, offset) >= 0
        && commandBytes(buffer, offset) <= length - HEADER_BYTES;
  }

  static int commandBytes(DirectBuffer buffer, int offset) {
    return buffer.getInt(offset + COMMAND_BYTES_OFFSET, LITTLE_ENDIAN);
  }

  static int version(DirectBuffer buffer, int offset) {
    return buffer.getByte(offset + VERSION_OFFSET);
  }

  static int type(DirectBuffer buffer, int offset) {
    return buffer.getByte(offset + TYPE_OFFSET);
  }

  static int answerBytesMax(DirectBuffer buffer, int offset) {
    return buffer.getInt(offset + ANSWER_BYTES_OFFSET, LITTLE_ENDIAN);
  }

  static long incarnation(DirectBuffer buffer, int offset) {
    return buffer.getLong(offset + INCARNATION_OFFSET, LITTLE_ENDIAN);
  }

  static long number(DirectBuffer buffer, int offset) {
    return buffer.getLong(offset + NUMBER_OFFSET, LITTLE_ENDIAN);
  }
}

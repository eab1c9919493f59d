package io.entroq.cluster.level;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.util.Optional;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * A message between members, through the log, about the behavior levels that they support. One
 * member asks, and each answers when the question comes out of the log. It is 24 bytes long and not
 * a proposal; builds that do not know it ignore it.
 *
 * <table>
 *   <caption>Message, version 1, little endian</caption>
 *   <tr><td>0</td><td>short</td><td>magic, the bytes {@code EL}</td></tr>
 *   <tr><td>2</td><td>byte</td><td>version</td></tr>
 *   <tr><td>3</td><td>byte</td><td>0: question, 1: answer</td></tr>
 *   <tr><td>4</td><td>int</td><td>sending member</td></tr>
 *   <tr><td>8</td><td>long</td><td>random id of the question</td></tr>
 *   <tr><td>16</td><td>int</td><td>oldest level that the member supports</td></tr>
 *   <tr><td>20</td><td>int</td><td>newest level that it supports</td></tr>
 * </table>
 *
 * @param memberId the sender, from 0
 * @param question id of the question asked or answered
 * @param range the levels that the sender supports, also in a question
 */
public record LevelMessage(boolean isAnswer, int memberId, long question, LevelRange range) {
  public static final int BYTES = 24;

  private static final short MAGIC = 0x4c45;
  private static final int VERSION = 1;
  private static final int VERSION_OFFSET = 2;
  private static final int KIND_OFFSET = 3;
  private static final int MEMBER_OFFSET = 4;
  private static final int QUESTION_OFFSET = 8;
  private static final int MIN_OFFSET = 16;
  private static final int MAX_OFFSET = 20;

  /** Writes the message at the beginning of a buffer. */
  void write(MutableDirectBuffer buffer) {
    buffer.putShort(0, MAGIC, LITTLE_ENDIAN);
    buffer.putByte(VERSION_OFFSET, (byte) VERSION);
    buffer.putByte(KIND_OFFSET, (byte) (isAnswer ? 1 : 0));
    buffer.putInt(MEMBER_OFFSET, memberId, LITTLE_ENDIAN);
    buffer.putLong(QUESTION_OFFSET, question, LITTLE_ENDIAN);
    buffer.putInt(MIN_OFFSET, range.min(), LITTLE_ENDIAN);
    buffer.putInt(MAX_OFFSET, range.max(), LITTLE_ENDIAN);
  }

  /** Whether a message is a level message of any version. */
  public static boolean matches(DirectBuffer buffer, int offset, int length) {
    return length >= BYTES && buffer.getShort(offset, LITTLE_ENDIAN) == MAGIC;
  }

  /**
   * Reads a message that {@link #matches}.
   *
   * @return empty if the version is newer or the content is invalid
   */
  static Optional<LevelMessage> read(DirectBuffer buffer, int offset, int members) {
    int kind = buffer.getByte(offset + KIND_OFFSET);
    int memberId = buffer.getInt(offset + MEMBER_OFFSET, LITTLE_ENDIAN);
    int min = buffer.getInt(offset + MIN_OFFSET, LITTLE_ENDIAN);
    int max = buffer.getInt(offset + MAX_OFFSET, LITTLE_ENDIAN);
    if (buffer.getByte(offset + VERSION_OFFSET) != VERSION
        || kind < 0
        || kind > 1
        || memberId < 0
        || memberId >= members
        || min < 1
        || max < min) {
      return Optional.empty();
    }
    long question = buffer.getLong(offset + QUESTION_OFFSET, LITTLE_ENDIAN);
    return Optional.of(new LevelMessage(kind == 1, memberId, question, new LevelRange(min, max)));
  }
}

package io.entroq.simulator.client.knowledge;

import io.entroq.codec.message.ValueKinds;
import io.entroq.codec.result.TaskDecoder;
import io.entroq.simulator.check.Invariant;
import io.entroq.simulator.virtual.SeededRandom;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Values and error texts that name their write, so that every reader can check them. A value of
 * {@link #HEADER_BYTES} or more begins with a header that determines the rest; a shorter one is
 * determined by the id.
 */
public final class Values {
  public static final int HEADER_BYTES = 48;
  public static final int VALUE_BYTES_MAX = 64 << 10;
  public static final int ERR_BYTES_MAX = 255;

  private static final long STEP = 0x9e3779b97f4a7c15L;

  /** The length of the only JSON value that is used: null, as a protobuf Value. */
  public static final int NULL_BYTES = 2;

  private static final byte[] NULL = {8, 0};
  private static final byte[] ERR =
      "the work has failed; ".repeat(13).getBytes(StandardCharsets.US_ASCII);

  private final UnsafeBuffer scratch = new UnsafeBuffer(new byte[VALUE_BYTES_MAX]);
  private final UnsafeBuffer err = new UnsafeBuffer(ERR);

  /** The buffer that {@link #write} fills, from 0. */
  public DirectBuffer buffer() {
    return scratch;
  }

  /** The longest error text; shorter ones are its prefixes. */
  public DirectBuffer err() {
    return err;
  }

  /** Writes the value of a task. */
  public void write(KnownTask task) {
    int length = task.valueLength;
    if (task.valueKind == ValueKinds.JSON) {
      scratch.putBytes(0, NULL);
    } else if (length < HEADER_BYTES) {
      for (int i = 0; i < length; i++) {
        scratch.putByte(i, shortByte(task.idLow, i));
      }
    } else {
      writeLong(task);
    }
  }

  private static byte shortByte(long first, int index) {
    return (byte) (first + index);
  }

  private void writeLong(KnownTask task) {
    int length = task.valueLength;
    long facts = facts(task);
    put(0, SeededRandom.mix(task.idHigh ^ task.idLow));
    put(8, task.write);
    put(16, task.generation);
    put(24, facts);
    put(32, task.writtenArrivalMs);
    put(40, seal(task, facts));
    int at = HEADER_BYTES;
    for (; at + 8 <= length; at += 8) {
      put(at, fill(task.write, at));
    }
    for (; at < length; at++) {
      scratch.putByte(at, (byte) fill(task.write, at));
    }
  }

  private void put(int at, long value) {
    scratch.putLong(at, value, ByteOrder.LITTLE_ENDIAN);
  }

  private static long fill(long write, int at) {
    return (write + at) * STEP;
  }

  private static long facts(KnownTask task) {
    return task.queue
        | (long) task.marks << 12
        | (long) task.attempt << 16
        | (long) task.errLength << 24
        | (long) task.writtenVersion << 32;
  }

  private static long seal(KnownTask task, long facts) {
    return SeededRandom.mix(
        task.write + STEP * (task.generation + STEP * (facts + task.writtenArrivalMs))
            ^ task.valueLength);
  }

  /**
   * Reads and checks the value of a claimed task.
   *
   * @param known has id, queue, attempt and length of the error text; receives the rest
   */
  public void read(TaskDecoder task, DirectBuffer buffer, KnownTask known) {
    known.valueKind = task.valueKind();
    known.valueLength = task.valueLength();
    int at = task.valueOffset();
    if (known.valueKind == ValueKinds.JSON) {
      check(isEqual(buffer, at, known.valueLength, NULL, NULL.length), known, "value");
    } else if (known.valueLength < HEADER_BYTES) {
      readShort(buffer, at, known);
    } else {
      readLong(buffer, at, known);
    }
    check(
        isEqual(buffer, task.errOffset(), task.errLength(), ERR, known.errLength), known, "error");
  }

  private static void readShort(DirectBuffer buffer, int offset, KnownTask known) {
    known.write = 0;
    known.writtenVersion = -1;
    known.writtenArrivalMs = 0;
    known.generation = 0;
    known.marks = 0;
    // The id of a copy does not tell that of the task that was written.
    boolean mayBeCopy = QueueNames.isPooled(known.queue) && known.valueLength > 0;
    long first = mayBeCopy ? buffer.getByte(offset) : known.idLow;
    for (int i = 0; i < known.valueLength; i++) {
      check(buffer.getByte(offset + i) == shortByte(first, i), known, "value");
    }
  }

  private static void readLong(DirectBuffer buffer, int offset, KnownTask known) {
    known.write = get(buffer, offset + 8);
    known.generation = get(buffer, offset + 16);
    long facts = get(buffer, offset + 24);
    known.marks = (int) (facts >>> 12) & 15;
    known.writtenVersion = (int) (facts >>> 32);
    known.writtenArrivalMs = get(buffer, offset + 32);
    check(
        get(buffer, offset) == SeededRandom.mix(known.idHigh ^ known.idLow),
        known,
        "id in the value");
    check(get(buffer, offset + 40) == seal(known, facts), known, "value");
    check(facts == facts(known), known, "queue, attempt or error");
    checkFill(buffer, offset, known);
  }

  private static void checkFill(DirectBuffer buffer, int offset, KnownTask known) {
    int length = known.valueLength;
    int at = HEADER_BYTES;
    boolean isGood = true;
    for (; at + 8 <= length; at += 8) {
      isGood &= get(buffer, offset + at) == fill(known.write, at);
    }
    for (; at < length; at++) {
      isGood &= buffer.getByte(offset + at) == (byte) fill(known.write, at);
    }
    check(isGood, known, "value");
  }

  private static long get(DirectBuffer buffer, int at) {
    return buffer.getLong(at, ByteOrder.LITTLE_ENDIAN);
  }

  private static boolean isEqual(
      DirectBuffer buffer, int offset, int length, byte[] expected, int expectedLength) {
    if (length != expectedLength) {
      return false;
    }
    for (int i = 0; i < length; i++) {
      if (buffer.getByte(offset + i) != expected[i]) {
        return false;
      }
    }
    return true;
  }

  private static void check(boolean isGood, KnownTask known, String what) {
    if (!isGood) {
      throw Invariant.VALUE_INTACT.broken(known, what + " as it was written", "another");
    }
  }
}

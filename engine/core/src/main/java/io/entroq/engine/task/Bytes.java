package io.entroq.engine.task;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** A reusable reference to a range of bytes; never null, may be empty. */
public final class Bytes implements Comparable<Bytes> {

  private static final DirectBuffer NOTHING = new UnsafeBuffer(new byte[0]);

  private DirectBuffer buffer = NOTHING;
  private int offset;
  private int length;

  /** Refers to a range, which must not change while it is read through this. */
  public Bytes set(DirectBuffer source, int from, int bytes) {
    // Usually the buffer is the same, and storing a reference costs a garbage collector barrier.
    if (buffer != source) {
      buffer = source;
    }
    offset = from;
    length = bytes;
    return this;
  }

  public Bytes clear() {
    return set(buffer, 0, 0);
  }

  public DirectBuffer buffer() {
    return buffer;
  }

  public int offset() {
    return offset;
  }

  public int length() {
    return length;
  }

  /** Compares the last bytes, fewer than eight: for short names, most of the work. */
  private boolean tailMatches(DirectBuffer other, int otherOffset, int from, int end) {
    int i = from;
    if (i + Integer.BYTES <= end) {
      if (buffer.getInt(offset + i) != other.getInt(otherOffset + i)) {
        return false;
      }
      i += Integer.BYTES;
    }
    for (; i < end; i++) {
      if (buffer.getByte(offset + i) != other.getByte(otherOffset + i)) {
        return false;
      }
    }
    return true;
  }

  /** Compares bytewise, unsigned; of two that begin alike, the shorter comes first. */
  @Override
  public int compareTo(Bytes other) {
    int common = Math.min(length, other.length);
    for (int i = 0; i < common; i++) {
      int order =
          Byte.compareUnsigned(buffer.getByte(offset + i), other.buffer.getByte(other.offset + i));
      if (order != 0) {
        return order;
      }
    }
    return Integer.compare(length, other.length);
  }

  public boolean matches(DirectBuffer other, int otherOffset, int otherLength) {
    return length == otherLength && startsWith(other, otherOffset, otherLength);
  }

  public boolean startsWith(DirectBuffer other, int otherOffset, int otherLength) {
    if (length < otherLength) {
      return false;
    }
    int i = 0;
    for (; i + Long.BYTES <= otherLength; i += Long.BYTES) {
      if (buffer.getLong(offset + i) != other.getLong(otherOffset + i)) {
        return false;
      }
    }
    return tailMatches(other, otherOffset, i, otherLength);
  }
}

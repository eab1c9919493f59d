package io.entroq.engine.task;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** A reusable pointer to a range of bytes; never null, may be empty. */
public final class Bytes {

  private static final DirectBuffer NOTHING = new UnsafeBuffer(new byte[0]);

  private DirectBuffer buffer = NOTHING;
  private int offset;
  private int length;

  /** Points to a range, which must stay as it is while it is read through this. */
  public Bytes set(DirectBuffer source, int from, int bytes) {
    // Mostly it is the same buffer again, and a store of a reference is dear: collectors watch it.
    if (buffer != source) {
      buffer = source;
    }
    offset = from;
    length = bytes;
    return this;
  }

  /** Points to nothing. */
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

  /** Compares the last bytes, fewer than eight: names are short, and this is most of them. */
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

  /** True if both are the same bytes. */
  public boolean matches(DirectBuffer other, int otherOffset, int otherLength) {
    return length == otherLength && startsWith(other, otherOffset, otherLength);
  }

  /** True if these bytes begin with the others. */
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

package io.entroq.codec.message;

import java.nio.ByteOrder;
import org.agrona.DirectBuffer;
import org.agrona.UnsafeApi;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Reads the fields of a protobuf message. Every read is checked against the end of the innermost
 * message, so malformed bytes never cause a read outside of it. Not thread-safe.
 *
 * <p>Positions refer to the source buffer. Bytes are read from its array or its address directly.
 * Through the buffer, a call site could see both kinds; the JIT compiler would then put barriers
 * around each read and keep nothing in registers, which doubles the time.
 */
public final class WireReader {
  /** Wire type, the low three bits of a tag: a varint. */
  public static final int VARINT = 0;

  /** Wire type: eight bytes, little endian. */
  public static final int FIXED64 = 1;

  /** Wire type: a length and that many bytes. */
  public static final int LENGTH_DELIMITED = 2;

  private static final int FIXED32 = 5;

  static final int WIRE_TYPE_BITS = 3;
  private static final int WIRE_TYPE_MASK = (1 << WIRE_TYPE_BITS) - 1;
  private static final int VARINT_BYTES_MAX = 10;

  private static final boolean IS_LITTLE_ENDIAN =
      ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;
  private static final long HIGH_BITS = 0x8080_8080_8080_8080L;

  private final UnsafeBuffer own = new UnsafeBuffer(0, 0);
  private UnsafeBuffer buffer = own;
  private byte[] array;
  private long address;
  private int start;
  private int position;
  private int limit;
  private int spanOffset;

  /** Starts at a message. Throws IndexOutOfBoundsException if it is outside of the source. */
  public void wrap(DirectBuffer source, int offset, int length) {
    if ((offset | length) < 0 || length > source.capacity() - offset) {
      throw new IndexOutOfBoundsException(
          "offset=" + offset + " length=" + length + " capacity=" + source.capacity());
    }
    // The source is usually the same again, and stores of references cost a GC barrier.
    if (source != buffer || source.addressOffset() != address || source.byteArray() != array) {
      view(source);
    }
    start = offset;
    position = offset;
    limit = offset + length;
  }

  private void view(DirectBuffer source) {
    if (source instanceof UnsafeBuffer unsafeBuffer) {
      buffer = unsafeBuffer;
    } else {
      own.wrap(source);
      buffer = own;
    }
    array = source.byteArray();
    address = source.addressOffset();
  }

  /** The source, at its own offsets. Valid until the next wrap. */
  public UnsafeBuffer buffer() {
    return buffer;
  }

  /** Start of the outermost message. */
  public int start() {
    return start;
  }

  /** Position of the next byte. */
  public int position() {
    return position;
  }

  /** End of the innermost message. */
  public int limit() {
    return limit;
  }

  /** Unchecked: the caller has checked that the position is below the limit. */
  private byte byteAt(int at) {
    return array != null ? UnsafeApi.getByte(array, address + at) : UnsafeApi.getByte(address + at);
  }

  /** Unchecked: the caller has checked that eight bytes are left. */
  private long longAt(int at) {
    long value =
        array != null ? UnsafeApi.getLong(array, address + at) : UnsafeApi.getLong(address + at);
    return IS_LITTLE_ENDIAN ? value : Long.reverseBytes(value);
  }

  /** Returns to the start of the outermost message, given its length. */
  void rewind(int length) {
    position = start;
    limit = start + length;
  }

  /** Reads a tag: field number times eight plus wire type; 0 at the end of the message. */
  public int tag(String message) {
    if (position >= limit) {
      return 0;
    }
    long tag = varint(message);
    if (tag >>> 32 != 0 || tag >>> WIRE_TYPE_BITS == 0) {
      throw malformed(message, "no field number in tag " + Long.toUnsignedString(tag));
    }
    return (int) tag;
  }

  /** Reads a varint of up to 64 bits. */
  public long varint(String field) {
    int at = position;
    if (at < limit) {
      byte first =
          array != null ? UnsafeApi.getByte(array, address + at) : UnsafeApi.getByte(address + at);
      if (first >= 0) {
        position = at + 1;
        return first;
      }
    }
    return longVarint(field);
  }

  private long longVarint(String field) {
    int at = position;
    int end = Math.min(limit, at + VARINT_BYTES_MAX);
    long value = 0;
    for (int shift = 0; at < end; shift += 7) {
      byte next = byteAt(at++);
      value |= (next & 0x7FL) << shift;
      if (next >= 0) {
        if (shift == 63 && next > 1) {
          throw malformed(field, "varint of more than 64 bits");
        }
        position = at;
        return value;
      }
    }
    throw malformed(field, end == limit ? "truncated varint" : "varint of more than 10 bytes");
  }

  /** Reads an unsigned number below 2^63. */
  public long positive(String field) {
    long value = varint(field);
    if (value < 0) {
      throw malformed(field, "not below 2^63: " + Long.toUnsignedString(value));
    }
    return value;
  }

  /** Reads an int32 as protobuf does: the low 32 bits of a varint. */
  public int int32(String field) {
    return (int) varint(field);
  }

  /** Throws if a number is not from {@code min} to {@code max}, inclusive. */
  public void checkRange(String field, long value, long min, long max) {
    if (value < min || value > max) {
      throw malformed(
          field,
          max == Long.MAX_VALUE && min == 0
              ? "negative: " + value
              : value + " is not in the range " + min + " to " + max);
    }
  }

  /** Reads a bool: anything but 0 is true. */
  public boolean bool(String field) {
    return varint(field) != 0;
  }

  /** Reads the number of an enum's value, from 0 to {@code max}. */
  public int enumeration(String field, int max) {
    int value = int32(field);
    if (value < 0 || value > max) {
      throw malformed(field, "unknown value " + value);
    }
    return value;
  }

  /** Reads a fixed64 or sfixed64. */
  public long fixed64(String field) {
    int at = position;
    if (limit - at < Long.BYTES) {
      throw malformed(field, "truncated fixed64");
    }
    position = at + Long.BYTES;
    return longAt(at);
  }

  /** Skips a byte string and returns its length; {@link #spanOffset()} is its offset. */
  public int bytes(String field) {
    int length = length(field);
    spanOffset = position;
    position += length;
    return length;
  }

  /** As {@link #bytes}, for at most {@code bytesMax} bytes of well-formed UTF-8. */
  public int text(String field, int bytesMax) {
    int length = bytes(field);
    if (length > bytesMax) {
      throw malformed(field, length + " bytes, the limit is " + bytesMax);
    }
    if (!isAscii(spanOffset, length) && !Utf8.isValid(buffer, spanOffset, length)) {
      throw malformed(field, "not UTF-8");
    }
    return length;
  }

  /** Tests eight bytes at a time; the last eight may overlap the ones before. */
  private boolean isAscii(int offset, int length) {
    if (length >= Long.BYTES) {
      int last = offset + length - Long.BYTES;
      long all = longAt(last);
      for (int at = offset; at < last; at += Long.BYTES) {
        all |= longAt(at);
      }
      return (all & HIGH_BITS) == 0;
    }
    int all = 0;
    for (int i = 0; i < length; i++) {
      all |= byteAt(offset + i);
    }
    return all >= 0;
  }

  /** Offset of the last byte string read. */
  public int spanOffset() {
    return spanOffset;
  }

  /** Enters a nested message. Returns the outer limit; pass it to {@link #leave} at the end. */
  public int enter(String field) {
    int outer = limit;
    int length = length(field);
    limit = position + length;
    return outer;
  }

  /** Leaves a nested message that was read to its end. */
  public void leave(int outerLimit) {
    limit = outerLimit;
  }

  private int length(String field) {
    long length = varint(field);
    if (length < 0 || length > limit - position) {
      throw malformed(
          field, "length " + length + ", but " + (limit - position) + " bytes are left");
    }
    return (int) length;
  }

  /**
   * Skips an unknown field of a later schema. Throws if the field is known, because its wire type
   * must then be wrong.
   *
   * @param knownMax the highest field number of the caller's schema
   */
  public void skip(int tag, int knownMax, String message) {
    int field = tag >>> WIRE_TYPE_BITS;
    if (field <= knownMax) {
      throw malformed(message, "wrong wire type " + (tag & WIRE_TYPE_MASK) + " of field " + field);
    }
    skipValue(tag, message);
  }

  void skipValue(int tag, String message) {
    switch (tag & WIRE_TYPE_MASK) {
      case VARINT -> varint(message);
      case FIXED64 -> advance(Long.BYTES, message);
      case FIXED32 -> advance(Integer.BYTES, message);
      case LENGTH_DELIMITED -> bytes(message);
      default ->
          throw malformed(
              message,
              "wire type "
                  + (tag & WIRE_TYPE_MASK)
                  + " of field "
                  + (tag >>> WIRE_TYPE_BITS)
                  + " is not supported");
    }
  }

  private void advance(int length, String message) {
    if (limit - position < length) {
      throw malformed(message, "truncated field of " + length + " bytes");
    }
    position += length;
  }

  /** Creates the exception for the field being read. */
  public MalformedMessageException malformed(String field, String problem) {
    return new MalformedMessageException(field, position - start, problem);
  }
}

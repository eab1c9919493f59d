package io.entroq.codec.wire;

import com.google.protobuf.UnsafeByteOperations;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** A bounds-checked cursor over the wire format of a serialized google.protobuf.Value. */
final class ValueCursor {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long HIGH_BITS = 0x8080_8080_8080_8080L;
  private static final int VARINT_BITS = 64;

  private final byte[] bytes;
  private final int start;
  private int position;
  private int limit;

  ValueCursor(byte[] bytes, int offset, int length) {
    this.bytes = bytes;
    start = offset;
    position = offset;
    limit = offset + length;
  }

  boolean hasNext() {
    return position < limit;
  }

  int position() {
    return position;
  }

  void position(int position) {
    this.position = position;
  }

  int limit() {
    return limit;
  }

  /** Enters a nested message; pass the returned limit to {@link #limit(int)} at its end. */
  int enter() {
    int outer = limit;
    int length = length();
    limit = position + length;
    return outer;
  }

  /** Sets the end of the current message. */
  void limit(int limit) {
    this.limit = limit;
  }

  int tag() {
    long tag = varint();
    if (tag >>> 32 != 0 || tag >>> 3 == 0) {
      throw invalid("no field number in tag " + Long.toUnsignedString(tag));
    }
    return (int) tag;
  }

  long varint() {
    long value = 0;
    for (int shift = 0; shift < VARINT_BITS; shift += 7) {
      if (position >= limit) {
        throw invalid("truncated");
      }
      byte next = bytes[position++];
      value |= (next & 0x7FL) << shift;
      if (next >= 0) {
        return value;
      }
    }
    throw invalid("varint of more than 10 bytes");
  }

  double number() {
    need(Long.BYTES);
    double number = Double.longBitsToDouble((long) LONGS.get(bytes, position));
    position += Long.BYTES;
    return number;
  }

  /** Reads a length that is within the message. */
  int length() {
    long length = varint();
    if (length < 0 || length > limit - position) {
      throw invalid("truncated: length " + length + " with " + (limit - position) + " bytes left");
    }
    return (int) length;
  }

  /** Skips a text; throws if it is not UTF-8. */
  void skipText() {
    int length = length();
    checkUtf8(length);
    position += length;
  }

  /** A text that was skipped before, for an error message; ends the walk. */
  String textAt(int position) {
    this.position = position;
    limit = bytes.length;
    return text();
  }

  String text() {
    int length = length();
    checkUtf8(length);
    String text = new String(bytes, position, length, StandardCharsets.UTF_8);
    position += length;
    return text;
  }

  private void checkUtf8(int length) {
    int end = position + length;
    int at = position;
    while (end - at >= Long.BYTES && ((long) LONGS.get(bytes, at) & HIGH_BITS) == 0) {
      at += Long.BYTES;
    }
    while (at < end && bytes[at] >= 0) {
      at++;
    }
    if (at < end && !UnsafeByteOperations.unsafeWrap(bytes, at, end - at).isValidUtf8()) {
      throw invalid("not UTF-8");
    }
  }

  /**
   * Skips an unknown field of a later schema. Throws if the number is known, because the field then
   * has the wrong wire type or occurs twice.
   */
  void skip(int tag, int knownMax) {
    if (tag >>> 3 <= knownMax) {
      throw unexpected(tag, knownMax);
    }
    switch (tag & 7) {
      case 0 -> varint();
      case 1 -> advance(Long.BYTES);
      case 2 -> skipBytes();
      case 5 -> advance(Integer.BYTES);
      default -> throw invalid("wire type " + (tag & 7) + " is not supported");
    }
  }

  /** A field that a Value must not have here. */
  InvalidValueException unexpected(int tag, int knownMax) {
    int field = tag >>> 3;
    return invalid(
        field <= knownMax
            ? "unexpected field " + field + " of wire type " + (tag & 7)
            : "unknown field " + field);
  }

  void skipBytes() {
    int length = length();
    position += length;
  }

  private void advance(int length) {
    need(length);
    position += length;
  }

  private void need(int length) {
    if (limit - position < length) {
      throw invalid("truncated");
    }
  }

  InvalidValueException invalid(String problem) {
    return new InvalidValueException(position - start, problem);
  }
}

package io.entroq.codec.message;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Writes the fields of a protobuf message as protobuf's generated classes do: in ascending order,
 * without defaults, with shortest varints. Sizes of nested messages are computed before they are
 * written. Not thread-safe.
 *
 * <p>An expandable target grows as needed. Writes go through one {@link UnsafeBuffer} view of it,
 * so that calls stay monomorphic.
 */
public final class WireWriter {
  /** The longest tag, of five bytes, and the longest varint. */
  private static final int SCALAR_BYTES_MAX = 15;

  private final UnsafeBuffer view = new UnsafeBuffer(0, 0);
  private MutableDirectBuffer target;
  private int start;
  private int position;
  private int lastField;

  /** A field without a nested message fits if it starts here or before. */
  private int scalarEnd;

  /** Starts a message. */
  public void wrap(MutableDirectBuffer target, int offset) {
    // The target is usually the same again, and stores of references cost a GC barrier.
    if (target != this.target
        || target.byteArray() != view.byteArray()
        || target.addressOffset() != view.addressOffset()
        || target.capacity() != view.capacity()) {
      this.target = target;
      view();
    }
    start = offset;
    position = offset;
    lastField = 0;
    // Even an empty message must be within the buffer.
    ensure(0);
  }

  /** Bytes of the message so far. */
  public int length() {
    return position - start;
  }

  /** Starts a singular field of the outermost message. */
  public void single(int field) {
    if (field <= lastField) {
      throw outOfOrder(field);
    }
    lastField = field;
  }

  /** Starts an element of a repeated field of the outermost message. */
  public void repeated(int field) {
    if (field < lastField) {
      throw outOfOrder(field);
    }
    lastField = field;
  }

  /** Number of the last field of the outermost message; 0 if none. */
  public int lastField() {
    return lastField;
  }

  private IllegalStateException outOfOrder(int field) {
    return new IllegalStateException("field " + field + " after field " + lastField);
  }

  /** Writes a number; nothing if it is 0. A negative int32 is sign-extended by the caller. */
  public void varintField(int field, long value) {
    if (value != 0) {
      if (position > scalarEnd) {
        ensure(varintFieldSize(field, value));
      }
      tag(field, WireReader.VARINT);
      varint(value);
    }
  }

  /** Writes a bool; nothing if it is false. */
  public void boolField(int field, boolean value) {
    varintField(field, value ? 1 : 0);
  }

  /** Writes a fixed64 or sfixed64; nothing if it is 0. */
  public void fixed64Field(int field, long value) {
    if (value != 0) {
      if (position > scalarEnd) {
        ensure(fixed64FieldSize(field, value));
      }
      tag(field, WireReader.FIXED64);
      view.putLong(position, value, LITTLE_ENDIAN);
      position += Long.BYTES;
    }
  }

  /** Writes a byte string or text; nothing if it is empty. */
  public void bytesField(int field, Slice bytes) {
    if (bytes.length != 0) {
      repeatedBytesField(field, bytes);
    }
  }

  /** Writes an element of a repeated byte string or text, which may be empty. */
  public void repeatedBytesField(int field, Slice bytes) {
    messageField(field, bytes.length);
    view.putBytes(position, bytes.view, 0, bytes.length);
    position += bytes.length;
  }

  /** Writes tag and length of a nested message and ensures capacity. Write its fields next. */
  public void messageField(int field, int size) {
    if (size > scalarEnd - position) {
      ensure(messageFieldSize(field, size));
    }
    tag(field, WireReader.LENGTH_DELIMITED);
    varint(size);
  }

  public static int varintFieldSize(int field, long value) {
    return value == 0 ? 0 : tagSize(field) + varintSize(value);
  }

  public static int boolFieldSize(int field, boolean value) {
    return value ? tagSize(field) + 1 : 0;
  }

  public static int fixed64FieldSize(int field, long value) {
    return value == 0 ? 0 : tagSize(field) + Long.BYTES;
  }

  public static int bytesFieldSize(int field, Slice bytes) {
    return bytes.length == 0 ? 0 : messageFieldSize(field, bytes.length);
  }

  /** Size of a field that holds a message of a given size. */
  public static int messageFieldSize(int field, int size) {
    return tagSize(field) + varintSize(size) + size;
  }

  private static int tagSize(int field) {
    // Constant once inlined, because field numbers are literals.
    return field < 16 ? 1 : varintSize((long) field << WireReader.WIRE_TYPE_BITS);
  }

  private static int varintSize(long value) {
    // One byte per seven significant bits, rounded up: 9/64 approximates 1/7.
    return (Long.SIZE * 10 - Long.numberOfLeadingZeros(value) * 9) >>> 6;
  }

  private void tag(int field, int wireType) {
    long tag = (long) field << WireReader.WIRE_TYPE_BITS | wireType;
    if (tag < 0x80) {
      view.putByte(position++, (byte) tag);
    } else {
      varint(tag);
    }
  }

  private void varint(long value) {
    long rest = value;
    int at = position;
    while ((rest & ~0x7FL) != 0) {
      view.putByte(at++, (byte) (rest | 0x80));
      rest >>>= 7;
    }
    view.putByte(at++, (byte) rest);
    position = at;
  }

  private void ensure(int bytes) {
    int end = position + bytes;
    if (end < 0 || end > view.capacity()) {
      grow(end);
    }
  }

  private void grow(int end) {
    if (end < 0 || !target.isExpandable()) {
      throw new IndexOutOfBoundsException(
          "a message of over " + length() + " bytes in a buffer of " + target.capacity());
    }
    target.checkLimit(end);
    view();
  }

  private void view() {
    view.wrap(target);
    scalarEnd = view.capacity() - SCALAR_BYTES_MAX;
  }
}

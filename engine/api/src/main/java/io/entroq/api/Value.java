package io.entroq.api;

import io.entroq.codec.wire.InvalidValueException;
import io.entroq.codec.wire.Values;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;

/**
 * The value of a task or doc: absent, bytes or JSON; a text is JSON. Immutable. Two values are
 * equal if their kinds and bytes are.
 *
 * <p>An absent value, an empty array of bytes and the JSON value {@code null} are three different
 * values; each is read as it was written.
 */
public final class Value {
  public enum Kind {
    /** There is no value. */
    ABSENT,
    /** Bytes that the engine does not interpret. */
    BYTES,
    /** JSON, stored as a serialized {@code google.protobuf.Value}, with numbers as doubles. */
    JSON
  }

  private static final Value ABSENT = new Value(Kind.ABSENT, new byte[0]);

  private final Kind kind;
  private final byte[] bytes;

  private Value(Kind kind, byte[] bytes) {
    this.kind = kind;
    this.bytes = bytes;
  }

  /** No value. */
  public static Value absent() {
    return ABSENT;
  }

  /** A copy of the given bytes. */
  public static Value bytes(byte[] bytes) {
    return new Value(Kind.BYTES, bytes.clone());
  }

  /**
   * A text, as the JSON string that clients in other languages read and write. An unpaired
   * surrogate becomes a question mark.
   */
  public static Value text(String text) {
    return new Value(Kind.JSON, Values.ofText(text));
  }

  /**
   * Parses a JSON text. Numbers become doubles, so integers are exact up to 2^53.
   *
   * @param json one value, nested at most 100 deep, without duplicate keys in an object
   * @throws EntroQException.InvalidArgument if it is not such JSON; the message says where
   */
  public static Value json(String json) {
    try {
      return new Value(Kind.JSON, Values.ofJson(json));
    } catch (InvalidValueException e) {
      throw new EntroQException.InvalidArgument(e.getMessage(), e);
    }
  }

  /**
   * Wraps an array without copying it; nobody may write to it afterwards. For engines and codecs.
   *
   * @param kind the kind; for {@link Kind#JSON} the bytes are a serialized {@code
   *     google.protobuf.Value}, validated already or by the receiver
   * @param bytes empty if the kind is {@link Kind#ABSENT}
   */
  public static Value wrap(Kind kind, byte[] bytes) {
    Objects.requireNonNull(bytes, "bytes");
    if (kind != Kind.ABSENT) {
      return new Value(Objects.requireNonNull(kind, "kind"), bytes);
    }
    if (bytes.length > 0) {
      throw new EntroQException.InvalidArgument(
          "an absent value must have no bytes, has " + bytes.length);
    }
    return ABSENT;
  }

  public Kind kind() {
    return kind;
  }

  public boolean isAbsent() {
    return kind == Kind.ABSENT;
  }

  /** Number of bytes stored. */
  public int size() {
    return bytes.length;
  }

  /** A copy of the stored bytes; for JSON, the serialized {@code google.protobuf.Value}. */
  public byte[] toBytes() {
    return bytes.clone();
  }

  /** A read-only view of the stored bytes. */
  public ByteBuffer asByteBuffer() {
    return ByteBuffer.wrap(bytes).asReadOnlyBuffer();
  }

  /** The array itself, not a copy; nobody may write to it. For engines and codecs. */
  public byte[] unwrap() {
    return bytes;
  }

  /**
   * The value as text: a JSON string as its characters, without quotes and escapes; other JSON as
   * compact JSON text; bytes decoded as UTF-8 with replacement of malformed input; an absent value
   * as the empty text.
   */
  public String asText() {
    return kind == Kind.JSON
        ? Values.toText(bytes).orElseGet(() -> Values.toJson(bytes))
        : new String(bytes, StandardCharsets.UTF_8);
  }

  /**
   * The value as compact JSON text, which {@link #json} reads.
   *
   * @throws EntroQException.InvalidArgument if its kind is not {@link Kind#JSON}
   */
  public String asJson() {
    if (kind != Kind.JSON) {
      throw new EntroQException.InvalidArgument("not JSON: " + this);
    }
    return Values.toJson(bytes);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Value that && kind == that.kind && Arrays.equals(bytes, that.bytes);
  }

  @Override
  public int hashCode() {
    return 31 * kind.hashCode() + Arrays.hashCode(bytes);
  }

  @Override
  public String toString() {
    return kind == Kind.ABSENT ? "absent" : kind + "(" + bytes.length + " bytes)";
  }
}

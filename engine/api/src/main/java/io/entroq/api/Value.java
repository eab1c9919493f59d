package io.entroq.api;

import io.entroq.codec.wire.InvalidValueException;
import io.entroq.codec.wire.Values;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;

/**
 * What a task carries: nothing, bytes, or JSON. Immutable; two values are equal if their kinds and
 * their bytes are.
 *
 * <p>An absent value, no bytes at all and the JSON value {@code null} are three things, and each
 * comes back as it went in.
 */
public final class Value {
  /** What a value is. */
  public enum Kind {
    /** There is no value. */
    ABSENT,
    /** Bytes that mean something to callers only. */
    BYTES,
    /** A serialized {@code google.protobuf.Value}: what JSON can say, with numbers as doubles. */
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

  /** The UTF-8 bytes of a text. */
  public static Value text(String text) {
    return new Value(Kind.BYTES, text.getBytes(StandardCharsets.UTF_8));
  }

  /**
   * What a JSON text says. Numbers are kept as doubles: whole numbers are exact up to 2^53.
   *
   * @param json one value, nested at most 100 deep, no key twice in an object
   * @throws EntroQException.InvalidArgument if it is not JSON; the message says where
   */
  public static Value json(String json) {
    try {
      return new Value(Kind.JSON, Values.ofJson(json));
    } catch (InvalidValueException e) {
      throw new EntroQException.InvalidArgument(e.getMessage(), e);
    }
  }

  /**
   * Takes an array as it is, without a copy: from here on nobody may write to it. For engines and
   * codecs.
   *
   * @param kind what the bytes are; of {@link Kind#JSON}, a serialized {@code
   *     google.protobuf.Value} that has been validated or will be where it is sent
   * @param bytes empty if the kind is {@link Kind#ABSENT}
   */
  public static Value wrap(Kind kind, byte[] bytes) {
    Objects.requireNonNull(bytes, "bytes");
    if (kind != Kind.ABSENT) {
      return new Value(Objects.requireNonNull(kind, "kind"), bytes);
    }
    if (bytes.length > 0) {
      throw new EntroQException.InvalidArgument(
          "an absent value has no bytes, given " + bytes.length);
    }
    return ABSENT;
  }

  /** What this value is. */
  public Kind kind() {
    return kind;
  }

  /** Whether there is no value. */
  public boolean isAbsent() {
    return kind == Kind.ABSENT;
  }

  /** How many bytes are stored. */
  public int size() {
    return bytes.length;
  }

  /** A copy of what is stored: of JSON, the serialized {@code google.protobuf.Value}. */
  public byte[] toBytes() {
    return bytes.clone();
  }

  /** A read-only view of what is stored, without a copy. */
  public ByteBuffer asByteBuffer() {
    return ByteBuffer.wrap(bytes).asReadOnlyBuffer();
  }

  /** The array itself, without a copy: nobody may write to it. For engines and codecs. */
  public byte[] unwrap() {
    return bytes;
  }

  /**
   * The value as text: of bytes, what they say in UTF-8 (with what is not UTF-8 replaced); of JSON,
   * its text without spaces; of an absent value, the empty text.
   */
  public String asText() {
    return kind == Kind.JSON ? Values.toJson(bytes) : new String(bytes, StandardCharsets.UTF_8);
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

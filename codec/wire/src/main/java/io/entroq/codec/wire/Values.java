package io.entroq.codec.wire;

import com.fasterxml.jackson.core.JsonParser;
import com.google.protobuf.ByteOutput;
import com.google.protobuf.ByteString;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.UnsafeByteOperations;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;

/**
 * Checks values when they are received, and converts them between the APIs. Thread-safe.
 *
 * <p>A JSON value is stored as a serialized google.protobuf.Value. It is checked once, before it is
 * logged, and opaque afterwards.
 */
public final class Values {
  private static final int TEXT_FIELD = ValueTags.STRING >>> 3;

  private Values() {}

  /**
   * Checks the size of a value of any kind.
   *
   * @throws InvalidValueException if it is larger than the limit
   */
  public static void checkSize(int bytes, int bytesMax) {
    if (bytes > bytesMax) {
      throw new InvalidValueException(-1, bytes + " bytes, the limit is " + bytesMax);
    }
  }

  /**
   * Checks that bytes are a serialized google.protobuf.Value that JSON can represent: well-formed,
   * exactly one kind per Value, text in UTF-8, no NaN or infinity, nested at most 100 deep. Builds
   * no objects.
   *
   * @throws InvalidValueException if they are not; the message names the place in the value
   */
  public static void check(byte[] bytes, int offset, int length) {
    new ValueChecker(new ValueCursor(bytes, offset, length)).check(0);
  }

  /** Checks all bytes as {@link #check(byte[], int, int)} does, without copying them. */
  public static void check(ByteString bytes) {
    FlatBytes flat = new FlatBytes(bytes.size());
    try {
      UnsafeByteOperations.unsafeWriteTo(bytes, flat);
    } catch (IOException e) {
      throw new UncheckedIOException("write to memory", e);
    }
    check(flat.array, flat.offset, bytes.size());
  }

  /**
   * Converts a checked, serialized google.protobuf.Value to compact JSON text, with sorted members,
   * and numbers as JavaScript prints them.
   */
  public static String toJson(byte[] value) {
    StringBuilder json = new StringBuilder(2 * value.length);
    appendJson(json, value, 0, value.length);
    return json.toString();
  }

  /** Appends the JSON text of a value. */
  public static void appendJson(StringBuilder out, byte[] value, int offset, int length) {
    new JsonPrinter(new ValueCursor(value, offset, length), out).print();
  }

  /**
   * Parses JSON text into a serialized google.protobuf.Value. Strict: one value, no duplicate keys,
   * no extensions of JSON.
   *
   * @throws InvalidValueException if it is not JSON, or fails {@link #check}
   */
  public static byte[] ofJson(String json) {
    return JsonReader.read(json).toByteArray();
  }

  /**
   * Parses the JSON value at the parser's current token into a serialized google.protobuf.Value,
   * and leaves the parser at the value's last token. Strictness and depth are up to the parser.
   *
   * @throws InvalidValueException if a google.protobuf.Value cannot represent it
   * @throws IOException if the parser throws it
   */
  public static byte[] ofJson(JsonParser parser) throws IOException {
    return JsonReader.read(parser).toByteArray();
  }

  /** The serialized google.protobuf.Value of a text. */
  public static byte[] ofText(String text) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    byte[] value = new byte[CodedOutputStream.computeByteArraySize(TEXT_FIELD, utf8)];
    try {
      CodedOutputStream.newInstance(value).writeByteArray(TEXT_FIELD, utf8);
    } catch (IOException e) {
      throw new UncheckedIOException("write to memory", e);
    }
    return value;
  }

  /** The text of a checked, serialized google.protobuf.Value; empty if it is not a text. */
  public static Optional<String> toText(byte[] value) {
    ValueCursor cursor = new ValueCursor(value, 0, value.length);
    while (cursor.hasNext()) {
      int tag = cursor.tag();
      if (tag == ValueTags.STRING) {
        return Optional.of(cursor.text());
      }
      if (tag >>> 3 <= ValueTags.VALUE_FIELD_MAX) {
        return Optional.empty();
      }
      cursor.skip(tag, ValueTags.VALUE_FIELD_MAX);
    }
    return Optional.empty();
  }

  /** Converts a JSON value for the v0 API: JSON text in UTF-8. */
  public static byte[] toV0(byte[] value) {
    return toJson(value).getBytes(StandardCharsets.UTF_8);
  }

  /**
   * Converts bytes for the v1 API: the bytes as JSON if they are JSON text, otherwise as a base64
   * string; returned as a serialized google.protobuf.Value.
   */
  public static byte[] toV1(byte[] bytes) {
    if (UnsafeByteOperations.unsafeWrap(bytes).isValidUtf8()) {
      try {
        return ofJson(new String(bytes, StandardCharsets.UTF_8));
      } catch (InvalidValueException e) {
        return base64(bytes);
      }
    }
    return base64(bytes);
  }

  private static byte[] base64(byte[] bytes) {
    return ofText(Base64.getEncoder().encodeToString(bytes));
  }

  /** The array of a ByteString, or a copy if it has several. */
  private static final class FlatBytes extends ByteOutput {
    private final int size;
    private byte[] array = new byte[0];
    private int offset;
    private int copied;

    private FlatBytes(int size) {
      this.size = size;
    }

    @Override
    public void writeLazy(byte[] value, int offset, int length) {
      if (length == size) {
        array = value;
        this.offset = offset;
      } else {
        write(value, offset, length);
      }
    }

    @Override
    public void write(byte[] value, int offset, int length) {
      prepareCopy();
      System.arraycopy(value, offset, array, copied, length);
      copied += length;
    }

    @Override
    public void write(byte value) {
      prepareCopy();
      array[copied++] = value;
    }

    @Override
    public void write(ByteBuffer value) {
      prepareCopy();
      int length = value.remaining();
      value.get(array, copied, length);
      copied += length;
    }

    @Override
    public void writeLazy(ByteBuffer value) {
      write(value);
    }

    private void prepareCopy() {
      if (copied == 0) {
        array = new byte[size];
      }
    }
  }
}

package io.entroq.codec.wire;

import com.fasterxml.jackson.core.JsonParser;
import com.google.protobuf.ByteOutput;
import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import com.google.protobuf.Value;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * Values of tasks: their check at the edge, and how each API reads what the other wrote. Any
 * thread.
 *
 * <p>A JSON value is stored as a serialized google.protobuf.Value. What an API hands over of it is
 * checked here once, before it is logged; afterwards it is passed on without being looked at.
 */
public final class Values {
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
   * Checks that bytes are a serialized google.protobuf.Value that JSON can say: well-formed, each
   * Value of exactly one kind, text in UTF-8, no NaN or infinity, nested at most 100 deep. Builds
   * nothing.
   *
   * @throws InvalidValueException if they are not; the message names the place inside the value
   */
  public static void check(byte[] bytes, int offset, int length) {
    new ValueChecker(new ValueCursor(bytes, offset, length)).check(0);
  }

  /** As {@link #check(byte[], int, int)}, over all the bytes, and without copying them. */
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
   * A serialized google.protobuf.Value that was checked, as JSON text without spaces, members
   * sorted, numbers as JavaScript prints them.
   */
  public static String toJson(byte[] value) {
    StringBuilder json = new StringBuilder(2 * value.length);
    appendJson(json, value, 0, value.length);
    return json.toString();
  }

  /** As {@link #toJson}, at the end of a text. */
  public static void appendJson(StringBuilder out, byte[] value, int offset, int length) {
    new JsonPrinter(new ValueCursor(value, offset, length), out).print();
  }

  /**
   * JSON text as a serialized google.protobuf.Value. Strict: one value, no key twice in an object,
   * nothing that JSON does not know.
   *
   * @throws InvalidValueException if it is not JSON, or not what {@link #check} lets pass
   */
  public static byte[] ofJson(String json) {
    return JsonReader.read(json).toByteArray();
  }

  /**
   * The JSON value that a parser stands at the first token of, as a serialized
   * google.protobuf.Value. The parser is left at its last token; how strict it is, and how deep it
   * goes, is its own matter.
   *
   * @throws InvalidValueException if a google.protobuf.Value cannot hold it
   * @throws IOException if the parser does
   */
  public static byte[] ofJson(JsonParser parser) throws IOException {
    return JsonReader.read(parser).toByteArray();
  }

  /** A JSON value as the v0 API reads it: JSON text in UTF-8. */
  public static byte[] toV0(byte[] value) {
    return toJson(value).getBytes(StandardCharsets.UTF_8);
  }

  /**
   * A value of bytes as the v1 API reads it: the JSON that the bytes hold, else a string in base64;
   * as a serialized google.protobuf.Value.
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
    String text = Base64.getEncoder().encodeToString(bytes);
    return Value.newBuilder().setStringValue(text).build().toByteArray();
  }

  /** The array behind a ByteString; a copy only if it has several. */
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

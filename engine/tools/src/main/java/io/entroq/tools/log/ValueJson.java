package io.entroq.tools.log;

import com.fasterxml.jackson.core.JsonGenerator;
import io.entroq.codec.message.ValueKinds;
import io.entroq.codec.wire.InvalidValueException;
import io.entroq.codec.wire.Values;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.agrona.DirectBuffer;

/** The value of a task as a member of a JSON object: kind, size and, if wanted, what it is. */
final class ValueJson {
  private final boolean isWhole;

  /**
   * @param isWhole whether to write what the value is
   */
  ValueJson(boolean isWhole) {
    this.isWhole = isWhole;
  }

  /** Writes the member {@code value}; nothing for a value that is absent. */
  void write(JsonGenerator json, int kind, DirectBuffer buffer, int offset, int length)
      throws IOException {
    if (kind == ValueKinds.ABSENT) {
      return;
    }
    json.writeObjectFieldStart("value");
    json.writeStringField("kind", kind == ValueKinds.JSON ? "json" : "bytes");
    json.writeNumberField("bytes", length);
    if (isWhole) {
      byte[] bytes = new byte[length];
      buffer.getBytes(offset, bytes);
      if (kind == ValueKinds.JSON) {
        document(json, bytes);
      } else {
        bytes(json, bytes);
      }
    }
    json.writeEndObject();
  }

  /**
   * No engine lets a value into its log that is not JSON; but this must print whatever is there.
   */
  private static void document(JsonGenerator json, byte[] bytes) throws IOException {
    try {
      Values.check(bytes, 0, bytes.length);
    } catch (InvalidValueException e) {
      json.writeStringField("unreadable", e.getMessage());
      json.writeBinaryField("base64", bytes);
      return;
    }
    json.writeFieldName("json");
    JsonDocument.write(json, bytes);
  }

  private static void bytes(JsonGenerator json, byte[] bytes) throws IOException {
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      json.writeStringField("text", text);
    } catch (CharacterCodingException e) {
      json.writeBinaryField("base64", bytes);
    }
  }
}

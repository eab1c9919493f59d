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

/** Writes a task's value as a member of a JSON object: kind, size and optionally the content. */
final class ValueJson {
  private final boolean withContent;

  /**
   * @param withContent whether to write the content
   */
  ValueJson(boolean withContent) {
    this.withContent = withContent;
  }

  /** Writes the member {@code value}; nothing if the value is absent. */
  void write(JsonGenerator json, int kind, DirectBuffer buffer, int offset, int length)
      throws IOException {
    if (kind == ValueKinds.ABSENT) {
      return;
    }
    json.writeObjectFieldStart("value");
    json.writeStringField("kind", kind == ValueKinds.JSON ? "json" : "bytes");
    json.writeNumberField("bytes", length);
    if (withContent) {
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

  /** Prints even invalid JSON, although no engine logs it. */
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

package io.entroq.tools.log;

import com.fasterxml.jackson.core.JsonGenerator;
import io.entroq.codec.wire.Values;
import java.io.IOException;

/** A JSON value of a task as a part of a line. */
public final class JsonDocument {
  private JsonDocument() {}

  /**
   * Writes it in ASCII, numbers as JavaScript prints them.
   *
   * @param value a serialized {@code google.protobuf.Value} that was checked
   */
  public static void write(JsonGenerator json, byte[] value) throws IOException {
    json.writeRawValue(ascii(Values.toJson(value)));
  }

  /** The same JSON in ASCII: outside of strings it is that already. */
  private static String ascii(String text) {
    StringBuilder out = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < 0x7f) {
        out.append(c);
      } else {
        out.append("\\u%04x".formatted((int) c));
      }
    }
    return out.toString();
  }
}

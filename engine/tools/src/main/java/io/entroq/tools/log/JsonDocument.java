package io.entroq.tools.log;

import com.fasterxml.jackson.core.JsonGenerator;
import io.entroq.codec.wire.Values;
import java.io.IOException;

/** Writes a JSON value of a task. */
public final class JsonDocument {
  private JsonDocument() {}

  /**
   * Writes it in ASCII, with numbers as JavaScript prints them.
   *
   * @param value a checked, serialized {@code google.protobuf.Value}
   */
  public static void write(JsonGenerator json, byte[] value) throws IOException {
    json.writeRawValue(ascii(Values.toJson(value)));
  }

  /** Escapes non-ASCII characters, which occur only in strings. */
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

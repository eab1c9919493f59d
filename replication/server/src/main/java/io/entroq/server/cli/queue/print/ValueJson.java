package io.entroq.server.cli.queue.print;

import com.fasterxml.jackson.core.JsonGenerator;
import io.entroq.api.Value;
import io.entroq.codec.wire.Values;
import io.entroq.tools.log.JsonDocument;
import java.io.IOException;

/** A value as JSON. */
final class ValueJson {
  private ValueJson() {}

  /** Writes bytes as JSON if they are JSON, else in base64; an absent value as null. */
  static void write(JsonGenerator json, Value value) throws IOException {
    switch (value.kind()) {
      case ABSENT -> json.writeNull();
      case JSON -> JsonDocument.write(json, value.unwrap());
      case BYTES -> JsonDocument.write(json, Values.toV1(value.unwrap()));
    }
  }
}

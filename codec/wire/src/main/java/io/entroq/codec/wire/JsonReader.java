package io.entroq.codec.wire;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.google.protobuf.ListValue;
import com.google.protobuf.NullValue;
import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import java.io.IOException;
import java.io.UncheckedIOException;

/** Parses strict JSON text into a google.protobuf.Value. */
final class JsonReader {
  // Keys come from untrusted clients: do not cache or intern them.
  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
          .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(Limits.VALUE_DEPTH_MAX)
                  .maxNameLength(Integer.MAX_VALUE)
                  .maxStringLength(Integer.MAX_VALUE)
                  .build())
          .build();

  private final JsonParser parser;

  private JsonReader(JsonParser parser) {
    this.parser = parser;
  }

  static Value read(String json) {
    try (JsonParser parser = FACTORY.createParser(json)) {
      return new JsonReader(parser).readAll();
    } catch (JsonProcessingException e) {
      throw new InvalidValueException(
          e.getLocation() == null ? -1 : (int) e.getLocation().getCharOffset(),
          "not JSON: " + e.getOriginalMessage());
    } catch (IOException e) {
      throw new UncheckedIOException("read from memory", e);
    }
  }

  /** Reads the value at the parser's current token. */
  static Value read(JsonParser parser) throws IOException {
    return new JsonReader(parser).value(parser.currentToken());
  }

  private Value readAll() throws IOException {
    if (parser.nextToken() == null) {
      throw invalid("not JSON: empty");
    }
    Value value = value(parser.currentToken());
    if (parser.nextToken() != null) {
      throw invalid("not JSON: more than one value");
    }
    return value;
  }

  private Value value(JsonToken token) throws IOException {
    Value.Builder value = Value.newBuilder();
    switch (token) {
      case VALUE_NULL -> value.setNullValue(NullValue.NULL_VALUE);
      case VALUE_TRUE -> value.setBoolValue(true);
      case VALUE_FALSE -> value.setBoolValue(false);
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> value.setNumberValue(number());
      case VALUE_STRING -> value.setStringValue(text(parser.getText()));
      case START_ARRAY -> value.setListValue(list());
      case START_OBJECT -> value.setStructValue(struct());
      default -> throw invalid("not JSON: unexpected " + token);
    }
    return value.build();
  }

  private double number() throws IOException {
    double number = Double.parseDouble(parser.getText());
    if (Double.isInfinite(number)) {
      throw invalid("a number beyond the range of a double");
    }
    return number;
  }

  private ListValue list() throws IOException {
    ListValue.Builder list = ListValue.newBuilder();
    for (JsonToken token = parser.nextToken();
        token != JsonToken.END_ARRAY;
        token = parser.nextToken()) {
      try {
        list.addValues(value(token));
      } catch (InvalidValueException e) {
        throw e.inElement(list.getValuesCount());
      }
    }
    return list.build();
  }

  private Struct struct() throws IOException {
    Struct.Builder struct = Struct.newBuilder();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String key = text(parser.currentName());
      try {
        struct.putFields(key, value(parser.nextToken()));
      } catch (InvalidValueException e) {
        throw e.inMember(key);
      }
    }
    return struct.build();
  }

  private String text(String text) {
    if (!JsonText.isWhole(text)) {
      throw invalid("unpaired surrogate");
    }
    return text;
  }

  private InvalidValueException invalid(String problem) {
    return new InvalidValueException((int) parser.currentLocation().getCharOffset(), problem);
  }
}

package io.entroq.service.protojson;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.EnumDescriptor;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.OneofDescriptor;
import com.google.protobuf.Message;
import com.google.protobuf.UnsafeByteOperations;
import io.entroq.codec.wire.InvalidValueException;
import io.entroq.codec.wire.JsonText;
import io.entroq.codec.wire.Limits;
import io.entroq.codec.wire.Values;
import io.entroq.service.call.Protocol;
import io.entroq.service.translation.Refusal;
import io.entroq.service.translation.RefusedException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.BitSet;
import java.util.regex.Pattern;

/**
 * Reads messages from JSON. Strict: a misspelled member would do less than was asked for. Null
 * means a field's default, except in fields that accept any JSON.
 */
public final class JsonReader {
  /** The nesting depth of messages around values. */
  private static final int DEPTH_AROUND_VALUES = 8;

  private static final int MESSAGE_CHARS_MAX = 300;

  /** The source in the parser's location text, which says nothing useful to callers. */
  private static final Pattern SOURCE = Pattern.compile("\\[Source: [^;\\]]*; (line: [^]]*)]");

  // Callers choose the names, so do not cache or intern them.
  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
          .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(Limits.VALUE_DEPTH_MAX + DEPTH_AROUND_VALUES)
                  .maxNameLength(Integer.MAX_VALUE)
                  .maxStringLength(Integer.MAX_VALUE)
                  .build())
          .build();

  private final JsonParser parser;

  private JsonReader(JsonParser parser) {
    this.parser = parser;
  }

  /**
   * Reads an object into a message.
   *
   * @param json in UTF-8
   * @throws RefusedException if it cannot be read
   */
  public static void read(byte[] json, Message.Builder message) {
    if (!UnsafeByteOperations.unsafeWrap(json).isValidUtf8()) {
      throw refused("not UTF-8");
    }
    // Parse text, since the parser would guess the encoding of bytes.
    try (JsonParser parser = FACTORY.createParser(new String(json, StandardCharsets.UTF_8))) {
      JsonReader reader = new JsonReader(parser);
      try {
        reader.readWhole(message);
      } catch (UnreadableException e) {
        throw e.isUnknownName()
            ? new RefusedException(Protocol.unknown(shortened(reader.at(e))))
            : refused(reader.at(e));
      } catch (InvalidValueException e) {
        throw refused(reader.at(e));
      }
    } catch (JsonProcessingException e) {
      throw refused("not JSON: " + SOURCE.matcher(e.getOriginalMessage()).replaceAll("$1"));
    } catch (IOException e) {
      throw new UncheckedIOException("read from memory", e);
    }
  }

  private String at(RuntimeException problem) {
    String path = parser.getParsingContext().pathAsPointer().toString();
    return path.isEmpty() ? problem.getMessage() : "at " + path + ": " + problem.getMessage();
  }

  private static RefusedException refused(String problem) {
    return new RefusedException(Refusal.invalid("unmarshal message: " + shortened(problem)));
  }

  private static String shortened(String problem) {
    return problem.substring(0, Math.min(MESSAGE_CHARS_MAX, problem.length()));
  }

  private void readWhole(Message.Builder message) throws IOException {
    JsonToken first = parser.nextToken();
    if (first == null) {
      throw new UnreadableException("empty");
    }
    readMessage(first, message, JsonShape.of(message.getDescriptorForType()));
    if (parser.nextToken() != null) {
      throw new UnreadableException("more than one value");
    }
  }

  private void readMessage(JsonToken token, Message.Builder message, JsonShape shape)
      throws IOException {
    if (token != JsonToken.START_OBJECT) {
      throw unexpected(token, "an object");
    }
    BitSet seen = new BitSet();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      JsonField field = shape.field(parser.currentName());
      if (field == null) {
        throw UnreadableException.unknownName("unknown field \"" + parser.currentName() + "\"");
      }
      if (seen.get(field.index())) {
        throw new UnreadableException("the field is given under both of its names");
      }
      seen.set(field.index());
      readField(field, parser.nextToken(), message);
    }
  }

  private void readField(JsonField field, JsonToken token, Message.Builder message)
      throws IOException {
    if (token == JsonToken.VALUE_NULL && field.kind() != JsonKind.VALUE) {
      return;
    }
    OneofDescriptor oneof = field.descriptor().getRealContainingOneof();
    if (oneof != null && message.hasOneof(oneof)) {
      throw new UnreadableException("only one of them may be given: " + oneof.getName());
    }
    if (!field.descriptor().isRepeated()) {
      message.setField(field.descriptor(), value(field, token, message));
      return;
    }
    if (token != JsonToken.START_ARRAY) {
      throw unexpected(token, "an array");
    }
    for (JsonToken element = parser.nextToken();
        element != JsonToken.END_ARRAY;
        element = parser.nextToken()) {
      message.addRepeatedField(field.descriptor(), value(field, element, message));
    }
  }

  private Object value(JsonField field, JsonToken token, Message.Builder message)
      throws IOException {
    return switch (field.kind()) {
      case TEXT -> text(token);
      case INT32 -> Scalars.int32(number(token));
      case INT64 -> Scalars.int64(number(token));
      case UINT64 -> Scalars.uint64(number(token));
      case BOOL -> bool(token);
      case BYTES -> Scalars.bytes(text(token));
      case VALUE -> bytes();
      case MESSAGE -> {
        Message.Builder inner = message.newBuilderForField(field.descriptor());
        readMessage(token, inner, field.shape());
        yield inner.build();
      }
      case ENUM -> constant(field.descriptor().getEnumType(), token);
    };
  }

  private ByteString bytes() throws IOException {
    return UnsafeByteOperations.unsafeWrap(Values.ofJson(parser));
  }

  private String text(JsonToken token) throws IOException {
    if (token != JsonToken.VALUE_STRING) {
      throw unexpected(token, "a string");
    }
    String text = parser.getText();
    if (!JsonText.isWhole(text)) {
      throw new UnreadableException("unpaired surrogate");
    }
    return text;
  }

  private String number(JsonToken token) throws IOException {
    if (!token.isNumeric() && token != JsonToken.VALUE_STRING) {
      throw unexpected(token, "a number");
    }
    return parser.getText();
  }

  /** By name or number. A number without a name is for others to refuse. */
  private EnumValueDescriptor constant(EnumDescriptor type, JsonToken token) throws IOException {
    if (token == JsonToken.VALUE_STRING) {
      EnumValueDescriptor named = type.findValueByName(text(token));
      if (named == null) {
        throw new UnreadableException("not a " + type.getName() + ": " + parser.getText());
      }
      return named;
    }
    return type.findValueByNumberCreatingIfUnknown(Scalars.int32(number(token)));
  }

  private static boolean bool(JsonToken token) {
    if (!token.isBoolean()) {
      throw unexpected(token, "true or false");
    }
    return token == JsonToken.VALUE_TRUE;
  }

  private static UnreadableException unexpected(JsonToken token, String expected) {
    return new UnreadableException(expected + " expected, not " + name(token));
  }

  private static String name(JsonToken token) {
    return switch (token) {
      case START_OBJECT -> "an object";
      case START_ARRAY -> "an array";
      case VALUE_STRING -> "a string";
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> "a number";
      case VALUE_NULL -> "null";
      default -> "true or false";
    };
  }
}

package io.entroq.service.transport;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import com.google.protobuf.Value;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/** Requests as JSON, written by other code than the server's. */
final class RequestJson {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private RequestJson() {}

  /** The object; empty: JSON has no words for it. */
  static Optional<JsonNode> of(Message message) {
    try {
      return Optional.of(object(message));
    } catch (ArithmeticException e) {
      return Optional.empty();
    }
  }

  /** What stands behind the question mark of a GET. */
  static String parameters(JsonNode request) {
    List<String> parameters = new ArrayList<>();
    collect("", request, parameters);
    return String.join("&", parameters);
  }

  private static void collect(String path, JsonNode node, List<String> parameters) {
    if (node.isObject()) {
      node.properties()
          .forEach(
              field ->
                  collect(
                      path.isEmpty() ? field.getKey() : path + "." + field.getKey(),
                      field.getValue(),
                      parameters));
    } else if (node.isArray()) {
      node.forEach(item -> collect(path, item, parameters));
    } else {
      parameters.add(path + "=" + URLEncoder.encode(node.asText(), StandardCharsets.UTF_8));
    }
  }

  private static ObjectNode object(Message message) {
    ObjectNode object = NODES.objectNode();
    message
        .getAllFields()
        .forEach((field, value) -> object.set(field.getJsonName(), field(field, value)));
    return object;
  }

  private static JsonNode field(FieldDescriptor field, Object value) {
    if (!field.isRepeated()) {
      return single(field, value);
    }
    ArrayNode array = NODES.arrayNode();
    ((List<?>) value).forEach(item -> array.add(single(field, item)));
    return array;
  }

  private static JsonNode single(FieldDescriptor field, Object value) {
    return switch (field.getJavaType()) {
      case MESSAGE -> value instanceof Value json ? json(json) : object((Message) value);
      case BYTE_STRING ->
          NODES.textNode(Base64.getEncoder().encodeToString(((ByteString) value).toByteArray()));
      case BOOLEAN -> NODES.booleanNode((Boolean) value);
      case INT -> NODES.numberNode((Integer) value);
      case ENUM -> constant((EnumValueDescriptor) value);
      default -> NODES.textNode(value.toString());
    };
  }

  private static JsonNode constant(EnumValueDescriptor value) {
    boolean isNamed = value.getType().getValues().contains(value);
    return isNamed ? NODES.textNode(value.getName()) : NODES.numberNode(value.getNumber());
  }

  private static JsonNode json(Value value) {
    return switch (value.getKindCase()) {
      case NULL_VALUE -> NODES.nullNode();
      case BOOL_VALUE -> NODES.booleanNode(value.getBoolValue());
      case STRING_VALUE -> NODES.textNode(value.getStringValue());
      case NUMBER_VALUE -> {
        if (!Double.isFinite(value.getNumberValue())) {
          throw new ArithmeticException("no number");
        }
        yield NODES.numberNode(value.getNumberValue());
      }
      case LIST_VALUE -> {
        ArrayNode array = NODES.arrayNode();
        value.getListValue().getValuesList().forEach(item -> array.add(json(item)));
        yield array;
      }
      case STRUCT_VALUE -> {
        ObjectNode object = NODES.objectNode();
        value.getStructValue().getFieldsMap().forEach((name, item) -> object.set(name, json(item)));
        yield object;
      }
      case KIND_NOT_SET -> throw new ArithmeticException("no value");
    };
  }
}

package io.entroq.workers;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.CoercionAction;
import com.fasterxml.jackson.databind.cfg.CoercionInputShape;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.type.LogicalType;
import io.entroq.api.EntroQException;
import io.entroq.api.Task;
import io.entroq.api.TaskId;
import io.entroq.api.Value;
import io.entroq.api.codec.JacksonCodec;
import io.entroq.api.codec.ValueCodec;
import io.entroq.api.worker.Outcome;
import io.entroq.api.worker.OutcomeException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;

/**
 * Values as JSON. Unlike the {@linkplain ValueCodec#json default}, unknown properties are ignored,
 * as EntroQ's own workers do; types are not converted.
 */
final class Json {
  static final ObjectMapper MAPPER =
      JsonMapper.builder()
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .withCoercionConfig(
              LogicalType.Textual,
              text -> {
                text.setCoercion(CoercionInputShape.Integer, CoercionAction.Fail);
                text.setCoercion(CoercionInputShape.Float, CoercionAction.Fail);
                text.setCoercion(CoercionInputShape.Boolean, CoercionAction.Fail);
              })
          .withCoercionConfig(
              LogicalType.Integer,
              number -> {
                number.setCoercion(CoercionInputShape.String, CoercionAction.Fail);
                number.setCoercion(CoercionInputShape.EmptyString, CoercionAction.Fail);
                number.setCoercion(CoercionInputShape.Float, CoercionAction.Fail);
              })
          .build();

  private static final ValueCodec<JsonNode> TREES = JacksonCodec.of(MAPPER, JsonNode.class);

  private Json() {}

  /**
   * The value as JSON.
   *
   * @throws OutcomeException that quarantines the task, if the value is not JSON
   */
  static JsonNode read(Value value) {
    try {
      return TREES.decode(value);
    } catch (EntroQException.Codec e) {
      throw malformed(e.getMessage());
    }
  }

  /**
   * The value as an object.
   *
   * @throws OutcomeException that quarantines the task, if the value is no such object
   */
  static <T> T read(Value value, Class<T> type) {
    JsonNode tree = read(value);
    if (!tree.isObject()) {
      throw malformed("the value must be an object in JSON, is " + kind(tree));
    }
    return convert(tree, type);
  }

  /**
   * JSON as an object.
   *
   * @throws OutcomeException that quarantines the task, if it is no such object
   */
  static <T> T convert(JsonNode tree, Class<T> type) {
    try {
      return MAPPER.treeToValue(tree, type);
    } catch (JsonProcessingException e) {
      throw malformed("cannot decode the value: " + e.getOriginalMessage());
    }
  }

  /** An object as a value: bytes that hold JSON, so that numbers keep their precision. */
  static Value write(Object object) {
    try {
      return Value.wrap(Value.Kind.BYTES, MAPPER.writeValueAsBytes(object));
    } catch (JsonProcessingException e) {
      throw new EntroQException.Codec(
          "cannot encode the result as JSON: " + e.getOriginalMessage(), e);
    }
  }

  /** What a file or a program gets: the JSON text of JSON, bytes as they are, or nothing. */
  static byte[] bytes(Value value) {
    return value.kind() == Value.Kind.JSON
        ? value.asJson().getBytes(StandardCharsets.UTF_8)
        : value.toBytes();
  }

  /**
   * Names the work of a task: the same whenever the task is claimed, another one for each task,
   * even if an id is used again. A UUID.
   */
  static String workKey(Task task) {
    return workKey(task.id(), task.created());
  }

  /** The same for the task of this id that was inserted at this time. */
  static String workKey(TaskId id, Instant created) {
    return id.derive("work of " + created.toEpochMilli()).text();
  }

  /** Quarantines the task: it would fail each time. */
  static OutcomeException malformed(String reason) {
    // Some of it may be of the task, and it is logged.
    return new OutcomeException(
        Outcome.quarantine(Results.shorten(reason).replaceAll("\\p{Cntrl}", " ")));
  }

  private static String kind(JsonNode tree) {
    return switch (tree.getNodeType()) {
      case ARRAY -> "an array";
      case STRING -> "a string";
      case NUMBER -> "a number";
      case BOOLEAN -> "a boolean";
      case NULL -> "null";
      default -> "nothing";
    };
  }
}

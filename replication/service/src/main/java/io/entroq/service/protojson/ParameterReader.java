package io.entroq.service.protojson;

import com.google.protobuf.Message;
import io.entroq.service.call.Protocol;
import io.entroq.service.translation.Refusal;
import io.entroq.service.translation.RefusedException;
import java.util.List;
import java.util.Map;

/**
 * Reads messages from query parameters. Fields may have either of their names. {@code a.b} is field
 * b of message a; a repeated parameter is a list.
 */
public final class ParameterReader {
  private static final char STEP = '.';
  private static final int NAME_CHARS_MAX = 100;

  private ParameterReader() {}

  /**
   * @throws RefusedException if they do not fit the message
   */
  public static void read(Map<String, List<String>> parameters, Message.Builder message) {
    parameters.forEach((name, values) -> read(name, values, message));
  }

  private static void read(String name, List<String> values, Message.Builder message) {
    try {
      readPath(name, values, message, JsonShape.of(message.getDescriptorForType()));
    } catch (UnreadableException e) {
      String problem =
          "parameter "
              + name.substring(0, Math.min(NAME_CHARS_MAX, name.length()))
              + ": "
              + e.getMessage();
      throw new RefusedException(
          e.isUnknownName() ? Protocol.unknown(problem) : Refusal.invalid(problem));
    }
  }

  private static void readPath(
      String path, List<String> values, Message.Builder message, JsonShape shape) {
    int step = path.indexOf(STEP);
    JsonField field = shape.field(step < 0 ? path : path.substring(0, step));
    boolean isInner = field != null && field.kind() == JsonKind.MESSAGE;
    boolean isOneOfMany = isInner && field.descriptor().isRepeated();
    if (field == null || isInner != step >= 0 || isOneOfMany) {
      throw UnreadableException.unknownName("unknown parameter");
    }
    if (isInner) {
      readPath(
          path.substring(step + 1),
          values,
          message.getFieldBuilder(field.descriptor()),
          field.shape());
    } else {
      readField(field, values, message);
    }
  }

  private static void readField(JsonField field, List<String> values, Message.Builder message) {
    if (field.descriptor().isRepeated()) {
      values.forEach(text -> message.addRepeatedField(field.descriptor(), value(field, text)));
      return;
    }
    if (values.size() > 1) {
      throw new UnreadableException("expected once, given " + values.size() + " times");
    }
    message.setField(field.descriptor(), value(field, values.get(0)));
  }

  private static Object value(JsonField field, String text) {
    return switch (field.kind()) {
      case TEXT -> text;
      case INT32 -> Scalars.int32(text);
      case INT64 -> Scalars.int64(text);
      case UINT64 -> Scalars.uint64(text);
      case BOOL -> Scalars.bool(text);
      case BYTES -> Scalars.bytes(text);
      case VALUE, MESSAGE, ENUM -> throw new UnreadableException("not for parameters");
    };
  }
}

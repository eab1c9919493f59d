package io.entroq.service.protojson;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Message;
import io.entroq.codec.wire.JsonText;
import io.entroq.codec.wire.Values;
import java.util.Base64;
import java.util.List;

/** Writes messages as JSON, with lowerCamel names and without defaults. */
public final class JsonWriter {
  private final StringBuilder out;

  private JsonWriter(Message message) {
    out = new StringBuilder(8 + 2 * message.getSerializedSize());
  }

  public static String write(Message message) {
    JsonWriter writer = new JsonWriter(message);
    writer.appendObject(message, JsonShape.of(message.getDescriptorForType()));
    return writer.out.toString();
  }

  /** Writes a message as a google.protobuf.Any: an object with its type. */
  public static String writeAny(String typeUrl, Message message) {
    JsonWriter writer = new JsonWriter(message);
    writer.out.append("{\"@type\":");
    JsonText.append(writer.out, typeUrl);
    writer.appendMembers(message, JsonShape.of(message.getDescriptorForType()), false);
    return writer.out.append('}').toString();
  }

  private void appendObject(Message message, JsonShape shape) {
    out.append('{');
    appendMembers(message, shape, true);
    out.append('}');
  }

  private void appendMembers(Message message, JsonShape shape, boolean isFirst) {
    boolean isNext = !isFirst;
    for (JsonField field : shape.fields()) {
      if (isPresent(field, message)) {
        if (isNext) {
          out.append(',');
        }
        isNext = true;
        JsonText.append(out, field.name());
        out.append(':');
        appendField(field, message.getField(field.descriptor()));
      }
    }
  }

  private static boolean isPresent(JsonField field, Message message) {
    if (field.descriptor().isRepeated()) {
      return message.getRepeatedFieldCount(field.descriptor()) > 0;
    }
    // Written even if default: clients skip error entries without a type, and CLAIM is the default.
    return field.kind() == JsonKind.ENUM || message.hasField(field.descriptor());
  }

  private void appendField(JsonField field, Object value) {
    if (!field.descriptor().isRepeated()) {
      appendValue(field, value);
      return;
    }
    out.append('[');
    boolean isNext = false;
    for (Object element : (List<?>) value) {
      if (isNext) {
        out.append(',');
      }
      isNext = true;
      appendValue(field, element);
    }
    out.append(']');
  }

  private void appendValue(JsonField field, Object value) {
    switch (field.kind()) {
      case TEXT -> JsonText.append(out, (String) value);
      case INT32, BOOL -> out.append(value);
      case INT64 -> out.append('"').append(value).append('"');
      case UINT64 -> out.append('"').append(Long.toUnsignedString((Long) value)).append('"');
      case ENUM -> JsonText.append(out, ((EnumValueDescriptor) value).getName());
      case BYTES -> JsonText.append(out, base64((ByteString) value));
      case VALUE -> appendJson(((ByteString) value).toByteArray());
      case MESSAGE -> appendObject((Message) value, field.shape());
    }
  }

  private static String base64(ByteString bytes) {
    return Base64.getEncoder().encodeToString(bytes.toByteArray());
  }

  private void appendJson(byte[] value) {
    Values.appendJson(out, value, 0, value.length);
  }
}

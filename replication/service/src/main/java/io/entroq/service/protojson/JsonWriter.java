package io.entroq.service.protojson;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import io.entroq.codec.wire.JsonText;
import io.entroq.codec.wire.Values;
import java.util.Base64;
import java.util.List;

/** Writes messages as JSON, with lowerCamel names. */
public final class JsonWriter {
  /** Numbers from here on are our extensions, which others do not expect. */
  private static final int EXTENSION_MIN = 100;

  private final StringBuilder out;
  private final Defaults defaults;

  /** Whether a message that is not there is null. In details, one of two is there. */
  private final boolean showsNull;

  private JsonWriter(Message message, Defaults defaults, boolean showsNull) {
    out = new StringBuilder(8 + 2 * message.getSerializedSize());
    this.defaults = defaults;
    this.showsNull = showsNull;
  }

  public static String write(Message message, Defaults defaults) {
    JsonWriter writer = new JsonWriter(message, defaults, true);
    writer.appendObject(message, JsonShape.of(message.getDescriptorForType()));
    return writer.out.toString();
  }

  /** Writes a message as a google.protobuf.Any: an object with its type. */
  public static String writeAny(String typeUrl, Message message, Defaults defaults) {
    JsonWriter writer = new JsonWriter(message, defaults, false);
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
        appendField(field, message);
      }
    }
  }

  private boolean isPresent(JsonField field, Message message) {
    FieldDescriptor descriptor = field.descriptor();
    if (descriptor.isRepeated()
        ? message.getRepeatedFieldCount(descriptor) > 0
        : message.hasField(descriptor)) {
      return true;
    }
    // Clients skip error entries without a type, and CLAIM is the default.
    boolean isEntroQsEnum = field.kind() == JsonKind.ENUM && descriptor.getNumber() < EXTENSION_MIN;
    return isEntroQsEnum || (defaults == Defaults.SHOWN && isShown(descriptor));
  }

  private boolean isShown(FieldDescriptor unset) {
    return unset.getNumber() < EXTENSION_MIN
        && unset.getRealContainingOneof() == null
        && (showsNull || !unset.hasPresence());
  }

  private void appendField(JsonField field, Message message) {
    FieldDescriptor descriptor = field.descriptor();
    if (descriptor.hasPresence() && !message.hasField(descriptor)) {
      out.append("null");
      return;
    }
    Object value = message.getField(descriptor);
    if (!descriptor.isRepeated()) {
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

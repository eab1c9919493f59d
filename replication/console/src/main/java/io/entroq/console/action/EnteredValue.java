package io.entroq.console.action;

import com.google.protobuf.ByteString;
import io.entroq.codec.wire.InvalidValueException;
import io.entroq.codec.wire.Values;
import io.entroq.codec.wire.edge.Task;
import io.entroq.codec.wire.edge.TaskData;
import io.entroq.console.read.Visit;
import io.entroq.console.view.Field;
import io.entroq.console.web.PageException;
import java.util.HexFormat;
import java.util.List;

/**
 * A value that was entered into a form. Immutable.
 *
 * @param isJson whether the bytes are a serialized {@code google.protobuf.Value}
 */
record EnteredValue(boolean isJson, ByteString bytes) {
  private static final String JSON = "JSON";
  private static final String TEXT = "text";
  private static final String HEX = "hexadecimal bytes";
  private static final int EDIT_BYTES_MAX = 256 << 10;

  /** The fields for a new value. */
  static List<Field> fields() {
    return fields(JSON, "");
  }

  /**
   * The fields with the value of a task.
   *
   * @throws PageException if it is too large for a form
   */
  static List<Field> fields(Task task) {
    ByteString bytes = task.hasRaw() ? task.getRaw() : task.getValue();
    if (bytes.size() > EDIT_BYTES_MAX) {
      throw PageException.invalid(
          "The value has %,d bytes; only values up to %,d bytes can be edited here."
              .formatted(bytes.size(), EDIT_BYTES_MAX));
    }
    if (!task.hasRaw()) {
      return fields(JSON, task.hasValue() ? Values.toJson(bytes.toByteArray()) : "");
    }
    return isText(bytes)
        ? fields(TEXT, bytes.toStringUtf8())
        : fields(HEX, HexFormat.of().formatHex(bytes.toByteArray()));
  }

  /** Whether a form gives the text back as it was: it sends all ends of lines alike. */
  private static boolean isText(ByteString bytes) {
    return bytes.isValidUtf8()
        && bytes
            .toStringUtf8()
            .chars()
            .allMatch(c -> !Character.isISOControl(c) || c == '\n' || c == '\t');
  }

  private static List<Field> fields(String kind, String value) {
    return List.of(
        Field.choice(
            "kind",
            "The value is",
            kind,
            "Workers get JSON as JSON, and all else as bytes.",
            List.of(JSON, TEXT, HEX)),
        Field.text("value", "Value", value, "Leave it empty for a task without a value."));
  }

  /**
   * Reads the fields.
   *
   * @throws PageException if they do not fit together
   */
  static EnteredValue of(Visit visit) {
    String text = visit.text("value").replace("\r\n", "\n");
    return switch (visit.text("kind")) {
      case JSON -> new EnteredValue(true, json(text));
      case TEXT -> new EnteredValue(false, ByteString.copyFromUtf8(text));
      case HEX -> new EnteredValue(false, hex(text.replaceAll("\\s", "")));
      default -> throw PageException.invalid("Say what the value is: JSON, text or bytes.");
    };
  }

  private static ByteString json(String text) {
    try {
      return text.isBlank() ? ByteString.EMPTY : ByteString.copyFrom(Values.ofJson(text));
    } catch (InvalidValueException e) {
      throw PageException.invalid("The value is not JSON: " + e.getMessage());
    }
  }

  private static ByteString hex(String text) {
    try {
      return ByteString.copyFrom(HexFormat.of().parseHex(text));
    } catch (IllegalArgumentException e) {
      throw PageException.invalid(
          "The value is not a sequence of pairs of hexadecimal digits such as 0a ff.");
    }
  }

  void addTo(TaskData.Builder data) {
    if (!bytes.isEmpty() && isJson) {
      data.setValue(bytes);
    } else if (!bytes.isEmpty()) {
      data.setRaw(bytes);
    }
  }
}

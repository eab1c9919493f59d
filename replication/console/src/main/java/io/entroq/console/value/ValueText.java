package io.entroq.console.value;

import com.google.protobuf.ByteString;
import io.entroq.codec.wire.Values;
import io.entroq.codec.wire.edge.Task;
import java.util.Locale;
import java.util.Optional;

/**
 * The value of a task as a page shows it. Immutable.
 *
 * @param kind what it is, for people
 * @param tree of JSON; empty otherwise
 * @param text of bytes that are not JSON, as text or in hexadecimal digits; empty otherwise
 */
public record ValueText(String kind, Optional<JsonNode> tree, String text) {
  private static final int CHARS_MAX = 1 << 16;

  /**
   * Reads a value.
   *
   * @param task read with {@code raw_values}
   * @param mask if not empty, values that are not JSON are hidden as a whole
   */
  public static ValueText of(Task task, ValueMask mask) {
    if (task.hasRaw()) {
      return ofBytes(task.getRaw(), mask);
    }
    if (!task.hasValue()) {
      return new ValueText("no value", Optional.empty(), "");
    }
    String json = Values.toJson(task.getValue().toByteArray());
    Optional<JsonNode> tree = JsonTree.of(json, mask);
    // Not every name and number that can be stored can be read by a parser with bounds.
    String text = tree.isPresent() ? "" : mask.isEmpty() ? cut(json) : "hidden";
    return new ValueText("JSON, " + size(task.getValue()), tree, text);
  }

  private static ValueText ofBytes(ByteString bytes, ValueMask mask) {
    String size = size(bytes);
    if (bytes.isEmpty()) {
      return new ValueText("bytes, " + size, Optional.empty(), "");
    }
    boolean isText = bytes.isValidUtf8();
    Optional<JsonNode> tree = isText ? JsonTree.of(bytes.toStringUtf8(), mask) : Optional.empty();
    if (tree.isPresent()) {
      return new ValueText("bytes with JSON, " + size, tree, "");
    }
    if (!mask.isEmpty()) {
      return new ValueText("bytes, " + size + ", hidden", Optional.empty(), "");
    }
    String text = isText ? bytes.toStringUtf8() : "";
    return isText && isPrintable(text)
        ? new ValueText("text, " + size, Optional.empty(), cut(text))
        : new ValueText("bytes, " + size, Optional.empty(), HexView.of(bytes.toByteArray()));
  }

  private static String size(ByteString bytes) {
    return String.format(Locale.ROOT, "%,d byte%s", bytes.size(), bytes.size() == 1 ? "" : "s");
  }

  private static boolean isPrintable(String text) {
    return text.codePoints().allMatch(c -> !Character.isISOControl(c) || "\t\n\r".indexOf(c) >= 0);
  }

  private static String cut(String text) {
    return text.length() <= CHARS_MAX ? text : text.substring(0, CHARS_MAX) + "… more is not shown";
  }
}

package io.entroq.console.value;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.io.JsonStringEncoder;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Reads a JSON document into a tree, as far as a page shows it: 2,000 values, nested 32 deep,
 * 65,536 characters. What is left out is named. Single-threaded.
 */
public final class JsonTree {
  private static final int NODES_MAX = 2_000;
  private static final int DEPTH_MAX = 32;
  private static final int CHARS_MAX = 1 << 16;

  private static final JsonNode MORE = new JsonNode("…", "more is not shown", List.of());
  private static final JsonFactory JSON =
      JsonFactory.builder().disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES).build();

  private final JsonParser parser;
  private int nodes;
  private int chars;
  private boolean isCut;

  private JsonTree(JsonParser parser) {
    this.parser = parser;
  }

  /**
   * The tree of a document; empty if it is not JSON. What follows the part that is shown is not
   * read.
   */
  public static Optional<JsonNode> of(String json, ValueMask mask) {
    try (JsonParser parser = JSON.createParser(json)) {
      if (parser.nextToken() == null) {
        return Optional.empty();
      }
      JsonTree tree = new JsonTree(parser);
      JsonNode root = tree.node("", 0, mask);
      boolean isDocument = tree.isCut || parser.nextToken() == null;
      return isDocument ? Optional.of(root) : Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** The value at the parser's token; leaves the parser at its last token. */
  private JsonNode node(String name, int depth, ValueMask mask) throws IOException {
    nodes++;
    chars += name.length();
    if (mask.hides()) {
      parser.skipChildren();
      return new JsonNode(name, "hidden", List.of());
    }
    JsonToken token = parser.currentToken();
    if (!token.isStructStart()) {
      return new JsonNode(name, scalar(token), List.of());
    }
    if (depth == DEPTH_MAX) {
      parser.skipChildren();
      return new JsonNode(name, "nested deeper than is shown", List.of());
    }
    return members(name, token == JsonToken.START_OBJECT, depth, mask);
  }

  private JsonNode members(String name, boolean isObject, int depth, ValueMask mask)
      throws IOException {
    List<JsonNode> members = new ArrayList<>();
    int count = 0;
    while (!isCut && !parser.nextToken().isStructEnd()) {
      if (nodes >= NODES_MAX || chars >= CHARS_MAX) {
        isCut = true;
        members.add(MORE);
      } else {
        String member = isObject ? parser.currentName() : Integer.toString(count);
        if (isObject) {
          parser.nextToken();
        }
        members.add(node(member, depth + 1, mask.at(member)));
        count++;
      }
    }
    return new JsonNode(name, size(count, isObject ? "member" : "item"), members);
  }

  private String size(int count, String what) {
    return (isCut ? "more than " : "") + count + " " + what + (count == 1 ? "" : "s");
  }

  private String scalar(JsonToken token) throws IOException {
    String text = parser.getText();
    String shown = text.substring(0, Math.min(text.length(), Math.max(0, CHARS_MAX - chars)));
    chars += shown.length();
    String cut = shown.length() < text.length() ? "… more is not shown" : "";
    return token == JsonToken.VALUE_STRING
        ? '"' + new String(JsonStringEncoder.getInstance().quoteAsString(shown)) + '"' + cut
        : shown + cut;
  }
}

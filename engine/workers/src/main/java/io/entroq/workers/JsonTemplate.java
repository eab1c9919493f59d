package io.entroq.workers;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.entroq.api.EntroQException;

/**
 * A mapping that needs no program: JSON in which each string that begins with {@code $} stands for
 * a part of the value.
 *
 * <p>{@code "$"} is the whole value, {@code "$/user/name"} what that JSON Pointer (RFC 6901) finds,
 * and {@code "$$"} at the beginning of a string a plain {@code $}. A pointer that finds nothing
 * fails the work. Names of properties are not replaced. Immutable.
 */
public final class JsonTemplate implements MapHandler.Mapping<JsonNode> {
  private final JsonNode template;

  private JsonTemplate(JsonNode template) {
    this.template = template;
  }

  /**
   * Parses a template.
   *
   * @throws EntroQException.InvalidArgument if it is not JSON, or one of its pointers is malformed
   */
  public static JsonTemplate parse(String json) {
    try {
      JsonNode template = Json.MAPPER.reader().readTree(json);
      if (template.isMissingNode()) {
        throw new EntroQException.InvalidArgument("the template is empty");
      }
      check(template);
      return new JsonTemplate(template);
    } catch (JsonProcessingException e) {
      throw new EntroQException.InvalidArgument(
          "the template is not JSON: " + e.getOriginalMessage(), e);
    }
  }

  private static void check(JsonNode part) {
    if (isPointer(part)) {
      try {
        JsonPointer.compile(pointer(part));
      } catch (IllegalArgumentException e) {
        throw new EntroQException.InvalidArgument(
            "'%s' in the template: write $, or $ and a JSON Pointer such as $/user/name, or $$ for"
                    .formatted(part.textValue())
                + " a dollar sign",
            e);
      }
    }
    part.forEach(JsonTemplate::check);
  }

  private static boolean isPointer(JsonNode part) {
    return part.isTextual() && part.textValue().startsWith("$") && !isEscaped(part);
  }

  private static boolean isEscaped(JsonNode part) {
    return part.isTextual() && part.textValue().startsWith("$$");
  }

  private static String pointer(JsonNode part) {
    return part.textValue().substring(1);
  }

  @Override
  public Object map(JsonNode value) {
    return fill(template, value == null ? Json.MAPPER.nullNode() : value);
  }

  private static JsonNode fill(JsonNode part, JsonNode value) {
    if (isPointer(part)) {
      JsonNode found = value.at(pointer(part));
      if (found.isMissingNode()) {
        throw new IllegalArgumentException("the value has nothing at " + pointer(part));
      }
      return found;
    }
    if (isEscaped(part)) {
      return Json.MAPPER.getNodeFactory().textNode(pointer(part));
    }
    if (part.isArray()) {
      ArrayNode filled = Json.MAPPER.createArrayNode();
      part.forEach(element -> filled.add(fill(element, value)));
      return filled;
    }
    if (part.isObject()) {
      ObjectNode filled = Json.MAPPER.createObjectNode();
      part.properties().forEach(entry -> filled.set(entry.getKey(), fill(entry.getValue(), value)));
      return filled;
    }
    return part;
  }
}

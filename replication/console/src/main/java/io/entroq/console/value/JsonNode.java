package io.entroq.console.value;

import java.util.List;

/**
 * A value within a JSON document. Immutable.
 *
 * @param name its member name or index; empty for the document itself
 * @param text of a scalar, as JSON; of an object or array, how much it has
 * @param members of an object or array that is not empty; empty for all others
 */
public record JsonNode(String name, String text, List<JsonNode> members) {
  /** Whether it can be folded open. */
  public boolean hasMembers() {
    return !members.isEmpty();
  }
}

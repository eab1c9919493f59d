package io.entroq.tools.importing;

import java.util.List;

/**
 * Which docs are meant.
 *
 * @param isNone none at all
 * @param namespaces those of these namespaces; none: of all
 */
public record DocChoice(boolean isNone, List<String> namespaces) {
  /** Copies the list. */
  public DocChoice {
    namespaces = List.copyOf(namespaces);
  }
}

package io.entroq.tools.importing;

import java.util.List;

/**
 * Which docs are meant.
 *
 * @param isNone none at all
 * @param namespaces those of these namespaces; none: of all
 */
public record DocSelection(boolean isNone, List<String> namespaces) {
  /** Copies the list. */
  public DocSelection {
    namespaces = List.copyOf(namespaces);
  }
}

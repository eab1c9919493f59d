package io.entroq.tools.importing;

import java.util.List;

/**
 * Which docs to import.
 *
 * @param isNone no docs
 * @param namespaces docs of these namespaces; empty for all
 */
public record DocSelection(boolean isNone, List<String> namespaces) {
  /** Copies the list. */
  public DocSelection {
    namespaces = List.copyOf(namespaces);
  }
}

package io.entroq.api;

import java.util.Objects;

/**
 * Statistics of a namespace.
 *
 * @param name name of the namespace
 * @param docs number of docs
 * @param claimed how many of them are in sets that are held
 */
public record NamespaceStats(String name, long docs, long claimed) {
  public NamespaceStats {
    Objects.requireNonNull(name, "name");
  }
}

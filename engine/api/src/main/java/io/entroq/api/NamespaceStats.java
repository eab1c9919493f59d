package io.entroq.api;

import java.util.Objects;

/**
 * How a namespace stands.
 *
 * @param name of the namespace
 * @param docs how many there are
 * @param claimed how many of them somebody holds
 */
public record NamespaceStats(String name, long docs, long claimed) {
  /** Checks that nothing is missing. */
  public NamespaceStats {
    Objects.requireNonNull(name, "name");
  }
}

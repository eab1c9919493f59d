package io.entroq.api;

import java.util.Objects;

/**
 * One version of one doc: what a change, a deletion or a dependency names.
 *
 * @param id which doc
 * @param version which version
 */
public record DocRef(DocId id, int version) {
  /** Checks the components. */
  public DocRef {
    Objects.requireNonNull(id, "id");
    Checks.inRange("version", version, 0, Integer.MAX_VALUE);
  }

  @Override
  public String toString() {
    return id + "@" + version;
  }
}

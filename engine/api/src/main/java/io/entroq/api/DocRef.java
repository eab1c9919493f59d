package io.entroq.api;

import java.util.Objects;

/** A doc at a version, as a change, delete or dependency names it. Versions start at 1. */
public record DocRef(DocId id, int version) {
  public DocRef {
    Objects.requireNonNull(id, "id");
    Checks.inRange("version", version, 0, Integer.MAX_VALUE);
  }

  @Override
  public String toString() {
    return id + "@" + version;
  }
}

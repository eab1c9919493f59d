package io.entroq.api;

import java.util.Objects;

/**
 * A doc at a version, as a change, delete or dependency names it.
 *
 * @param id the id
 * @param version the version of its {@linkplain DocSet set}, from 0
 */
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

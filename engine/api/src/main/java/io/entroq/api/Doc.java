package io.entroq.api;

import java.time.Instant;
import java.util.Objects;

/**
 * A value stored beside the tasks, as it was when it was read, claimed, inserted or changed. Docs
 * and tasks can be written atomically together. Immutable.
 *
 * <p>All times are the engine's, in whole milliseconds.
 *
 * @param id namespace and id
 * @param version 1 when inserted; every claim and every change adds one
 * @param claimant who holds the doc until its arrival time; empty if nobody does
 * @param arrivalTime the end of the lease if the doc was claimed; otherwise when it was last made
 *     available
 * @param key key to find the doc by; may be empty
 * @param secondaryKey distinguishes and orders docs of one key; may be empty
 * @param value the value; {@link Value#absent()} if there is none or the query omitted it
 * @param created when it was inserted
 * @param modified when it was last written
 */
public record Doc(
    DocId id,
    int version,
    String claimant,
    Instant arrivalTime,
    String key,
    String secondaryKey,
    Value value,
    Instant created,
    Instant modified) {
  public Doc {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(claimant, "claimant");
    Objects.requireNonNull(arrivalTime, "arrivalTime");
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(secondaryKey, "secondaryKey");
    Objects.requireNonNull(value, "value");
    Objects.requireNonNull(created, "created");
    Objects.requireNonNull(modified, "modified");
  }

  public DocRef ref() {
    return new DocRef(id, version);
  }

  /** The value as text: {@link Value#asText()}. */
  public String text() {
    return value.asText();
  }

  /** Whether anybody holds the doc at a time of the engine's clock. */
  public boolean isHeldAt(Instant time) {
    return arrivalTime.isAfter(time) && !claimant.isEmpty();
  }
}

package io.entroq.api;

import java.time.Instant;
import java.util.Objects;

/**
 * A doc as it was when it was read, claimed, inserted or changed: a value that lives beside the
 * tasks and is written in one step with them. Immutable.
 *
 * <p>All times are the engine's and have milliseconds.
 *
 * @param id which doc
 * @param version from 1 at its insertion, up by one with every claim and every change
 * @param claimant who holds it while the arrival time is to come; empty: nobody
 * @param arrivalTime after a claim, the end of the lease; else when it was last made available
 * @param key by which it is found; may be empty
 * @param secondaryKey tells docs of one key apart and orders them; may be empty
 * @param value what it holds; {@link Value#absent()} if there is none or it was left out
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
  /** Checks that nothing is missing. */
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

  /** This version of this doc. */
  public DocRef ref() {
    return new DocRef(id, version);
  }

  /** The value as text: {@link Value#asText()}. */
  public String text() {
    return value.asText();
  }

  /** Whether somebody holds the doc at a time. */
  public boolean isHeldAt(Instant time) {
    return arrivalTime.isAfter(time) && !claimant.isEmpty();
  }
}

package io.entroq.api;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * A doc to insert. Immutable; the {@code with} methods return modified copies.
 *
 * <p>The insert fails if others hold the {@linkplain DocSet set} of its key, or if the set has a
 * doc with its secondary key. Afterwards the requester holds the set if the arrival time is in the
 * future; otherwise nobody does.
 *
 * @param namespace 1 to 1,024 bytes of UTF-8
 * @param id the id; if empty, one is generated
 * @param key the key of its set, up to 1,024 bytes of UTF-8
 * @param secondaryKey its place in the set, unique and sorted there, up to 1,024 bytes of UTF-8
 * @param arrival until when the requester holds the set
 * @param value the value
 */
public record DocInsert(
    String namespace,
    Optional<String> id,
    String key,
    String secondaryKey,
    Arrival arrival,
    Value value) {
  /** Throws {@link EntroQException.InvalidArgument} if a component is out of range. */
  public DocInsert {
    Checks.namespace(namespace);
    id.ifPresent(Checks::docId);
    Checks.docKey("key", key);
    Checks.docKey("secondaryKey", secondaryKey);
    Objects.requireNonNull(arrival, "arrival");
    Objects.requireNonNull(value, "value");
  }

  /** A doc with a key and without a value. */
  public static DocInsert into(String namespace, String key) {
    return new DocInsert(namespace, Optional.empty(), key, "", Arrival.now(), Value.absent());
  }

  /** Sets the id. The insert fails if the namespace already has a doc with this id. */
  public DocInsert withId(String newId) {
    return new DocInsert(namespace, Optional.of(newId), key, secondaryKey, arrival, value);
  }

  public DocInsert withSecondaryKey(String newKey) {
    return new DocInsert(namespace, id, key, newKey, arrival, value);
  }

  public DocInsert withValue(Value newValue) {
    return new DocInsert(namespace, id, key, secondaryKey, arrival, newValue);
  }

  /** Gives the requester a lease of this length on the set. */
  public DocInsert heldFor(Duration lease) {
    return new DocInsert(namespace, id, key, secondaryKey, Arrival.in(lease), value);
  }

  /** Sets the value to a text: {@link Value#text(String)}. */
  public DocInsert withValue(String text) {
    return withValue(Value.text(text));
  }
}

package io.entroq.api;

import java.time.Duration;
import java.util.Objects;

/**
 * A doc to change, with its complete new state. Immutable; the {@code with} methods return modified
 * copies.
 *
 * <p>Afterwards the requester holds the doc if its arrival time is in the future; otherwise nobody
 * does.
 *
 * @param doc the doc and the version it must have
 * @param key the new key, up to 1,024 bytes of UTF-8; empty keeps the current key
 * @param secondaryKey the new secondary key, likewise
 * @param arrival until when the requester holds the doc
 * @param value the new value
 */
public record DocChange(DocRef doc, String key, String secondaryKey, Arrival arrival, Value value) {
  /** Throws {@link EntroQException.InvalidArgument} if a component is out of range. */
  public DocChange {
    Objects.requireNonNull(doc, "doc");
    Checks.docKey("key", key);
    Checks.docKey("secondaryKey", secondaryKey);
    Objects.requireNonNull(arrival, "arrival");
    Objects.requireNonNull(value, "value");
  }

  /** A change that keeps everything but ends the lease. */
  public static DocChange of(Doc doc) {
    return new DocChange(doc.ref(), doc.key(), doc.secondaryKey(), Arrival.now(), doc.value());
  }

  public DocChange withValue(Value newValue) {
    return new DocChange(doc, key, secondaryKey, arrival, newValue);
  }

  /** Sets the value to a text: {@link Value#text(String)}. */
  public DocChange withValue(String text) {
    return withValue(Value.text(text));
  }

  /** Sets the keys; an empty one keeps the current key. */
  public DocChange withKeys(String newKey, String newSecondaryKey) {
    return new DocChange(doc, newKey, newSecondaryKey, arrival, value);
  }

  /** Gives the requester a lease of this length. */
  public DocChange heldFor(Duration lease) {
    return new DocChange(doc, key, secondaryKey, Arrival.in(lease), value);
  }
}

package io.entroq.api;

import java.time.Duration;
import java.util.Objects;

/**
 * A doc to change: its whole new state. Immutable; the {@code with} methods return altered copies.
 *
 * <p>Who holds it afterwards: the requester if the new arrival is in the future, otherwise nobody.
 *
 * @param doc which version of which doc
 * @param key by which it is to be found, up to 1,024 bytes; empty: the key that it has
 * @param secondaryKey likewise
 * @param arrival until when the requester holds it
 * @param value its value
 */
public record DocChange(DocRef doc, String key, String secondaryKey, Arrival arrival, Value value) {
  /**
   * Checks the components.
   *
   * @throws EntroQException.InvalidArgument if one is out of its range
   */
  public DocChange {
    Objects.requireNonNull(doc, "doc");
    Checks.docKey("key", key);
    Checks.docKey("secondaryKey", secondaryKey);
    Objects.requireNonNull(arrival, "arrival");
    Objects.requireNonNull(value, "value");
  }

  /** A change that leaves everything as it is and lets the doc go. */
  public static DocChange of(Doc doc) {
    return new DocChange(doc.ref(), doc.key(), doc.secondaryKey(), Arrival.now(), doc.value());
  }

  /** The same with another value. */
  public DocChange withValue(Value newValue) {
    return new DocChange(doc, key, secondaryKey, arrival, newValue);
  }

  /** The same with the UTF-8 bytes of a text as the value. */
  public DocChange withValue(String text) {
    return withValue(Value.text(text));
  }

  /** The same with other keys; an empty one stays what it is. */
  public DocChange withKeys(String newKey, String newSecondaryKey) {
    return new DocChange(doc, newKey, newSecondaryKey, arrival, value);
  }

  /** The same, held by the requester for a while. */
  public DocChange heldFor(Duration lease) {
    return new DocChange(doc, key, secondaryKey, Arrival.in(lease), value);
  }
}

package io.entroq.api;

import java.time.Duration;
import java.util.Objects;

/**
 * A doc to change, with its new value. Its keys never change. Immutable; the {@code with} methods
 * return modified copies.
 *
 * <p>Afterwards the requester holds the doc's {@linkplain DocSet set} if its arrival time is in the
 * future; otherwise nobody does.
 *
 * @param doc the doc and the version its set must have; version 0 if the same modification names
 *     the set with its version
 * @param arrival until when the requester holds the set
 * @param value the new value
 */
public record DocChange(Doc.Ref doc, Arrival arrival, Value value) {
  public DocChange {
    Objects.requireNonNull(doc, "doc");
    Objects.requireNonNull(arrival, "arrival");
    Objects.requireNonNull(value, "value");
  }

  /** A change that keeps everything but ends the lease of the set. */
  public static DocChange of(Doc doc) {
    return new DocChange(doc.ref(), Arrival.now(), doc.value());
  }

  public DocChange withDoc(Doc.Ref newDoc) {
    return new DocChange(newDoc, arrival, value);
  }

  public DocChange withValue(Value newValue) {
    return new DocChange(doc, arrival, newValue);
  }

  /** Sets the value to a text: {@link Value#text(String)}. */
  public DocChange withValue(String text) {
    return withValue(Value.text(text));
  }

  /** Gives the requester a lease of this length on the set. */
  public DocChange heldFor(Duration lease) {
    return new DocChange(doc, Arrival.in(lease), value);
  }
}

package io.entroq.api;

import java.util.Objects;
import java.util.Optional;

/**
 * A doc to insert; nobody holds it at first. Immutable; the {@code with} methods return modified
 * copies.
 *
 * @param namespace 1 to 1,024 bytes of UTF-8
 * @param id the id; if empty, one is generated
 * @param key key to find the doc by, up to 1,024 bytes of UTF-8
 * @param secondaryKey distinguishes and orders docs of one key, up to 1,024 bytes of UTF-8
 * @param value the value
 */
public record DocInsert(
    String namespace, Optional<String> id, String key, String secondaryKey, Value value) {
  /** Throws {@link EntroQException.InvalidArgument} if a component is out of range. */
  public DocInsert {
    Checks.namespace(namespace);
    id.ifPresent(Checks::docId);
    Checks.docKey("key", key);
    Checks.docKey("secondaryKey", secondaryKey);
    Objects.requireNonNull(value, "value");
  }

  /** A doc with a key and without a value. */
  public static DocInsert into(String namespace, String key) {
    return new DocInsert(namespace, Optional.empty(), key, "", Value.absent());
  }

  /** Sets the id. The insert fails if the namespace already has a doc with this id. */
  public DocInsert withId(String newId) {
    return new DocInsert(namespace, Optional.of(newId), key, secondaryKey, value);
  }

  public DocInsert withSecondaryKey(String newKey) {
    return new DocInsert(namespace, id, key, newKey, value);
  }

  public DocInsert withValue(Value newValue) {
    return new DocInsert(namespace, id, key, secondaryKey, newValue);
  }

  /** Sets the value to a text: {@link Value#text(String)}. */
  public DocInsert withValue(String text) {
    return withValue(Value.text(text));
  }
}

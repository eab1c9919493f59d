package io.entroq.api;

import java.util.Objects;
import java.util.Optional;

/**
 * A doc to insert; it is nobody's at first. Immutable; the {@code with} methods return altered
 * copies.
 *
 * @param namespace where it goes, 1 to 1,024 bytes
 * @param id its id; empty: one is made for it
 * @param key by which it is found, up to 1,024 bytes
 * @param secondaryKey tells docs of one key apart, up to 1,024 bytes
 * @param value what it holds
 */
public record DocInsert(
    String namespace, Optional<String> id, String key, String secondaryKey, Value value) {
  /**
   * Checks the components.
   *
   * @throws EntroQException.InvalidArgument if one is out of its range
   */
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

  /** The same with an id of the caller's; inserting it fails if the namespace has that id. */
  public DocInsert withId(String newId) {
    return new DocInsert(namespace, Optional.of(newId), key, secondaryKey, value);
  }

  /** The same with a secondary key. */
  public DocInsert withSecondaryKey(String newKey) {
    return new DocInsert(namespace, id, key, newKey, value);
  }

  /** The same with a value. */
  public DocInsert withValue(Value newValue) {
    return new DocInsert(namespace, id, key, secondaryKey, newValue);
  }

  /** The same with the UTF-8 bytes of a text as its value. */
  public DocInsert withValue(String text) {
    return withValue(Value.text(text));
  }
}

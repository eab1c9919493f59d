package io.entroq.api.codec;

import io.entroq.api.EntroQException;
import io.entroq.api.Value;

/**
 * Encodes objects as values and decodes them. Implementations must be thread-safe.
 *
 * @param <T> the type of the objects
 */
public interface ValueCodec<T> {
  /**
   * Encodes an object.
   *
   * @throws EntroQException.Codec if it cannot be encoded
   */
  Value encode(T object);

  /**
   * Decodes a value.
   *
   * @throws EntroQException.Codec if it is not of this type; a worker then quarantines the task
   */
  T decode(Value value);

  /** Passes values through. */
  static ValueCodec<Value> raw() {
    return BasicCodecs.RAW;
  }

  /** Bytes. An absent value decodes to an empty array; JSON is rejected. */
  static ValueCodec<byte[]> bytes() {
    return BasicCodecs.BYTES;
  }

  /**
   * Text, as {@link Value#text(String)}. Reads what others write, too: an absent value decodes to
   * the empty text, bytes in UTF-8 to their text, and JSON that is not a string to its JSON text;
   * bytes that are not UTF-8 are rejected.
   */
  static ValueCodec<String> text() {
    return BasicCodecs.TEXT;
  }

  /**
   * Objects of a class, such as a record, as JSON: {@link JacksonCodec}. Needs {@code
   * com.fasterxml.jackson.core:jackson-databind} on the class path. Uses the Jackson modules that
   * it finds there: with {@code jackson-datatype-jsr310} it writes times and durations of {@code
   * java.time} as ISO texts. An unknown property is an error. For other rules give {@link
   * JacksonCodec#of(com.fasterxml.jackson.databind.ObjectMapper, Class)} a mapper of your own.
   */
  static <T> ValueCodec<T> json(Class<T> type) {
    return JacksonCodec.of(type);
  }

  /**
   * An object as JSON, as {@link #json} of its class writes it. For many objects, a codec that you
   * keep is faster.
   *
   * @param object not null
   * @throws EntroQException.Codec if it cannot be encoded
   */
  static Value toJson(Object object) {
    @SuppressWarnings("unchecked")
    Class<Object> type = (Class<Object>) object.getClass();
    return json(type).encode(object);
  }
}

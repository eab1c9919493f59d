package io.entroq.api.codec;

import io.entroq.api.Value;

/**
 * Turns objects into values and back. Any thread.
 *
 * @param <T> the objects
 */
public interface ValueCodec<T> {
  /**
   * What stands for an object.
   *
   * @throws CodecException if nothing can
   */
  Value encode(T object);

  /**
   * What a value stands for.
   *
   * @throws CodecException if it stands for nothing of this type; a worker then quarantines the
   *     task
   */
  T decode(Value value);

  /** Values as they are. */
  static ValueCodec<Value> raw() {
    return BasicCodecs.RAW;
  }

  /**
   * Arrays of bytes as values of bytes. An absent value is decoded as no bytes; JSON is refused.
   */
  static ValueCodec<byte[]> bytes() {
    return BasicCodecs.BYTES;
  }

  /**
   * Texts as values of bytes in UTF-8. An absent value is decoded as the empty text, JSON as its
   * JSON text; bytes that are not UTF-8 are refused.
   */
  static ValueCodec<String> text() {
    return BasicCodecs.TEXT;
  }
}

package io.entroq.api.codec;

import io.entroq.api.EntroQException;
import io.entroq.api.Value;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;

/** The codecs that need no library. */
final class BasicCodecs {
  static final ValueCodec<Value> RAW = new Pair<>(Function.identity(), Function.identity());
  static final ValueCodec<byte[]> BYTES = new Pair<>(Value::bytes, BasicCodecs::toBytes);
  static final ValueCodec<String> TEXT = new Pair<>(Value::text, BasicCodecs::toText);

  private BasicCodecs() {}

  private static byte[] toBytes(Value value) {
    if (value.kind() == Value.Kind.JSON) {
      throw new EntroQException.Codec("the value is JSON, not bytes");
    }
    return value.toBytes();
  }

  private static String toText(Value value) {
    if (value.kind() == Value.Kind.JSON) {
      return value.asText();
    }
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(value.asByteBuffer()).toString();
    } catch (CharacterCodingException e) {
      throw new EntroQException.Codec("the value is not UTF-8 text", e);
    }
  }

  private record Pair<T>(Function<T, Value> encoder, Function<Value, T> decoder)
      implements ValueCodec<T> {
    @Override
    public Value encode(T object) {
      return encoder.apply(object);
    }

    @Override
    public T decode(Value value) {
      return decoder.apply(value);
    }
  }
}

package io.entroq.spring;

import io.entroq.api.Value;
import io.entroq.api.codec.ValueCodec;
import java.lang.reflect.Type;
import tools.jackson.databind.json.JsonMapper;

/** How payloads become values of tasks, by their type. Thread-safe. */
final class PayloadCodecs {
  private final JsonMapper mapper;

  PayloadCodecs(JsonMapper mapper) {
    this.mapper = mapper;
  }

  /** Values and bytes as they are, strings as text, all else as JSON. */
  @SuppressWarnings("unchecked")
  ValueCodec<Object> of(Type type) {
    ValueCodec<?> codec;
    if (type == Value.class) {
      codec = ValueCodec.raw();
    } else if (type == String.class) {
      codec = ValueCodec.text();
    } else if (type == byte[].class) {
      codec = ValueCodec.bytes();
    } else {
      codec = new JsonCodec(mapper, type);
    }
    return (ValueCodec<Object>) codec;
  }
}

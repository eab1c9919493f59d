package io.entroq.spring;

import io.entroq.api.EntroQException;
import io.entroq.api.Value;
import io.entroq.api.codec.ValueCodec;
import java.lang.reflect.Type;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.json.JsonMapper;

/**
 * Objects as JSON, by the Jackson 3 of Spring Boot, in the form of {@link
 * io.entroq.api.codec.JacksonCodec}: bytes that hold JSON text. Thread-safe.
 */
final class JsonCodec implements ValueCodec<Object> {
  private final JavaType type;
  private final ObjectWriter writer;
  private final ObjectReader reader;

  JsonCodec(JsonMapper mapper, Type type) {
    this.type = mapper.constructType(type);
    writer = mapper.writerFor(this.type);
    reader = mapper.readerFor(this.type).with(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);
  }

  @Override
  public Value encode(Object object) {
    try {
      return Value.wrap(Value.Kind.BYTES, writer.writeValueAsBytes(object));
    } catch (JacksonException e) {
      throw new EntroQException.Codec(
          "cannot encode as JSON: " + name() + ": " + e.getOriginalMessage(), e);
    }
  }

  @Override
  public Object decode(Value value) {
    try {
      Object object =
          switch (value.kind()) {
            case ABSENT -> null;
            case BYTES -> reader.readValue(value.unwrap());
            case JSON -> reader.readValue(value.asJson());
          };
      if (object == null) {
        throw new EntroQException.Codec("there is no value, " + name() + " was expected");
      }
      return object;
    } catch (JacksonException e) {
      throw new EntroQException.Codec("not JSON of " + name() + ": " + e.getOriginalMessage(), e);
    }
  }

  private String name() {
    return type.toCanonical();
  }
}

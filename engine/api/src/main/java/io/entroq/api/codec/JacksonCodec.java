package io.entroq.api.codec;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.entroq.api.EntroQException;
import io.entroq.api.Value;
import io.entroq.codec.wire.Values;
import java.io.IOException;

/**
 * Encodes objects as JSON with Jackson, which the application must put on its class path.
 * Thread-safe.
 *
 * <p>Objects are encoded as bytes that hold JSON text in UTF-8, so numbers keep their full
 * precision for Java, and clients in other languages read JSON. Such bytes and values of kind JSON
 * can be decoded.
 *
 * @param <T> the type of the objects
 */
public final class JacksonCodec<T> implements ValueCodec<T> {
  /** Made when it is first needed, as a broken module must not harm who has another mapper. */
  private static volatile ObjectMapper defaultMapper;

  private final ObjectWriter writer;
  private final ObjectReader reader;

  private JacksonCodec(ObjectMapper mapper, JavaType type) {
    writer = mapper.writerFor(type);
    reader = mapper.readerFor(type).with(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);
  }

  /** A codec for a class, with the default mapper: {@link ValueCodec#json}. */
  public static <T> JacksonCodec<T> of(Class<T> type) {
    return of(defaultMapper(), type);
  }

  /** A codec for a generic type, with the default mapper: {@link ValueCodec#json}. */
  public static <T> JacksonCodec<T> of(TypeReference<T> type) {
    return of(defaultMapper(), type);
  }

  /** A codec for a class, with a configured mapper. */
  public static <T> JacksonCodec<T> of(ObjectMapper mapper, Class<T> type) {
    return new JacksonCodec<>(mapper, mapper.constructType(type));
  }

  /** A codec for a generic type, with a configured mapper. */
  public static <T> JacksonCodec<T> of(ObjectMapper mapper, TypeReference<T> type) {
    return new JacksonCodec<>(mapper, mapper.constructType(type));
  }

  private static ObjectMapper defaultMapper() {
    ObjectMapper mapper = defaultMapper;
    if (mapper == null) {
      // Not by the loader of the thread that happens to be the first.
      ClassLoader loader = JacksonCodec.class.getClassLoader();
      mapper =
          JsonMapper.builder()
              .addModules(ObjectMapper.findModules(loader))
              .disable(
                  SerializationFeature.WRITE_DATES_AS_TIMESTAMPS,
                  SerializationFeature.WRITE_DURATIONS_AS_TIMESTAMPS)
              .build();
      defaultMapper = mapper;
    }
    return mapper;
  }

  @Override
  public Value encode(T object) {
    try {
      return Value.wrap(Value.Kind.BYTES, writer.writeValueAsBytes(object));
    } catch (JsonProcessingException e) {
      throw new EntroQException.Codec(
          "cannot encode the object as JSON: " + e.getOriginalMessage(), e);
    }
  }

  @Override
  public T decode(Value value) {
    try {
      return switch (value.kind()) {
        case ABSENT -> throw new EntroQException.Codec("cannot decode an absent value");
        case BYTES -> reader.readValue(value.unwrap());
        case JSON -> reader.readValue(Values.toJson(value.unwrap()));
      };
    } catch (JsonProcessingException e) {
      throw new EntroQException.Codec("cannot decode the value: " + e.getOriginalMessage(), e);
    } catch (IOException e) {
      throw new EntroQException.Codec("cannot decode the value: " + e.getMessage(), e);
    }
  }
}

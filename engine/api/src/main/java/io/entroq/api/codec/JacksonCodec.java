package io.entroq.api.codec;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import io.entroq.api.Value;
import java.io.IOException;

/**
 * Objects as JSON, by Jackson, which the program brings along. Any thread.
 *
 * <p>Objects become bytes that hold JSON text in UTF-8: exact whatever the numbers, and JSON to
 * whoever reads them through a server. Decoded are such bytes and values of kind JSON.
 *
 * @param <T> the objects
 */
public final class JacksonCodec<T> implements ValueCodec<T> {
  private final ObjectWriter writer;
  private final ObjectReader reader;

  private JacksonCodec(ObjectMapper mapper, JavaType type) {
    writer = mapper.writerFor(type);
    reader = mapper.readerFor(type).with(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);
  }

  /** For a class, by a mapper as it comes. */
  public static <T> JacksonCodec<T> of(Class<T> type) {
    return of(new ObjectMapper(), type);
  }

  /** For a class, by a mapper that is set up already. */
  public static <T> JacksonCodec<T> of(ObjectMapper mapper, Class<T> type) {
    return new JacksonCodec<>(mapper, mapper.constructType(type));
  }

  /** For a type with parameters, by a mapper that is set up already. */
  public static <T> JacksonCodec<T> of(ObjectMapper mapper, TypeReference<T> type) {
    return new JacksonCodec<>(mapper, mapper.constructType(type));
  }

  @Override
  public Value encode(T object) {
    try {
      return Value.wrap(Value.Kind.BYTES, writer.writeValueAsBytes(object));
    } catch (JsonProcessingException e) {
      throw new CodecException("no JSON for it: " + e.getOriginalMessage(), e);
    }
  }

  @Override
  public T decode(Value value) {
    try {
      return switch (value.kind()) {
        case ABSENT -> throw new CodecException("there is no value");
        case BYTES -> reader.readValue(value.unwrap());
        case JSON -> reader.readValue(value.asText());
      };
    } catch (JsonProcessingException e) {
      throw new CodecException("not what was expected: " + e.getOriginalMessage(), e);
    } catch (IOException e) {
      throw new CodecException("not what was expected: " + e.getMessage(), e);
    }
  }
}

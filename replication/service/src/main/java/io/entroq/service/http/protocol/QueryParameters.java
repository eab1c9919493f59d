package io.entroq.service.http.protocol;

import io.entroq.service.translation.Refusal;
import io.entroq.service.translation.RefusedException;
import io.netty.handler.codec.http.QueryStringDecoder;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The query parameters of a URL. */
public final class QueryParameters {
  private QueryParameters() {}

  /**
   * The parameters by name, in order.
   *
   * @throws RefusedException if the encoding is invalid
   */
  public static Map<String, List<String>> of(String query) {
    Map<String, List<String>> parameters = new LinkedHashMap<>();
    try {
      decoder(query)
          .parameters()
          .forEach(
              (name, values) ->
                  parameters.put(text(name), values.stream().map(QueryParameters::text).toList()));
    } catch (IllegalArgumentException e) {
      throw new RefusedException(
          Refusal.invalid("the query string is malformed: " + e.getMessage()));
    }
    return parameters;
  }

  /** Keeps bytes as they are, for {@link #text}. The line's length limits the parameters. */
  private static QueryStringDecoder decoder(String query) {
    return QueryStringDecoder.builder()
        .hasPath(false)
        .charset(StandardCharsets.ISO_8859_1)
        .maxParams(Integer.MAX_VALUE)
        .semicolonIsNormalChar(true)
        .build(query);
  }

  static String text(String bytes) {
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(bytes.getBytes(StandardCharsets.ISO_8859_1)))
          .toString();
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException("not UTF-8", e);
    }
  }
}

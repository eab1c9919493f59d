package io.entroq.service.http.protocol;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/**
 * A complete response.
 *
 * @param status the HTTP status code
 * @param contentType of the body
 * @param body not copied
 * @param headers other than those about the body
 */
@SuppressWarnings("ArrayRecordComponent") // Never compared.
public record ApiResponse(
    int status, String contentType, byte[] body, Map<String, String> headers) {
  public static final String TEXT = "text/plain; charset=utf-8";
  public static final String JSON = "application/json";
  private static final String POSITION = "entroq-position";

  public static ApiResponse of(int status, String contentType, CharSequence body) {
    return new ApiResponse(
        status, contentType, body.toString().getBytes(StandardCharsets.UTF_8), Map.of());
  }

  public static ApiResponse json(int status, CharSequence json) {
    return of(status, JSON, json);
  }

  /** A line of text. */
  public static ApiResponse text(int status, String text) {
    return of(status, TEXT, text + "\n");
  }

  /** Adds a header. */
  public ApiResponse with(String name, String value) {
    Map<String, String> more = new HashMap<>(headers);
    more.put(name, value);
    return new ApiResponse(status, contentType, body, more);
  }

  /** Adds the log position that the response reflects. */
  public ApiResponse at(long position) {
    return with(POSITION, Long.toString(position));
  }
}

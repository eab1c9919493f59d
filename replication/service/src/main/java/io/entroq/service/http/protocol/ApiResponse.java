package io.entroq.service.http.protocol;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/** A response in one piece. */
public final class ApiResponse {
  public static final String TEXT = "text/plain; charset=utf-8";
  public static final String JSON = "application/json";
  private static final String POSITION = "entroq-position";

  private final int status;
  private final String contentType;
  private final byte[] body;
  private final Map<String, String> headers;

  /**
   * A response.
   *
   * @param status the HTTP status code
   * @param contentType of the body
   * @param body handed over
   * @param headers besides those about the body
   */
  public ApiResponse(int status, String contentType, byte[] body, Map<String, String> headers) {
    this.status = status;
    this.contentType = contentType;
    this.body = body;
    this.headers = headers;
  }

  public int status() {
    return status;
  }

  public String contentType() {
    return contentType;
  }

  public byte[] body() {
    return body;
  }

  public Map<String, String> headers() {
    return headers;
  }

  /** The same, with the position in the log that it has seen. */
  public ApiResponse at(long position) {
    Map<String, String> more = new HashMap<>(headers);
    more.put(POSITION, Long.toString(position));
    return new ApiResponse(status, contentType, body, more);
  }

  public static ApiResponse json(int status, CharSequence json) {
    return new ApiResponse(
        status, JSON, json.toString().getBytes(StandardCharsets.UTF_8), Map.of());
  }

  public static ApiResponse text(int status, String text) {
    return text(status, text, Map.of());
  }

  public static ApiResponse text(int status, String text, Map<String, String> headers) {
    return new ApiResponse(status, TEXT, (text + "\n").getBytes(StandardCharsets.UTF_8), headers);
  }
}

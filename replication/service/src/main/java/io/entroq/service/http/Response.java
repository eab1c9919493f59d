package io.entroq.service.http;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/** An answer in one piece. */
final class Response {
  static final String TEXT = "text/plain; charset=utf-8";
  static final String JSON = "application/json";
  private static final String POSITION = "entroq-position";

  private final int status;
  private final String contentType;
  private final byte[] body;
  private final Map<String, String> headers;

  /**
   * An answer.
   *
   * @param status of HTTP
   * @param contentType of the body
   * @param body handed over
   * @param headers others than those about the body
   */
  Response(int status, String contentType, byte[] body, Map<String, String> headers) {
    this.status = status;
    this.contentType = contentType;
    this.body = body;
    this.headers = headers;
  }

  int status() {
    return status;
  }

  String contentType() {
    return contentType;
  }

  byte[] body() {
    return body;
  }

  Map<String, String> headers() {
    return headers;
  }

  /** The same, with the position in the log that it has seen. */
  Response at(long position) {
    Map<String, String> more = new HashMap<>(headers);
    more.put(POSITION, Long.toString(position));
    return new Response(status, contentType, body, more);
  }

  static Response json(int status, CharSequence json) {
    return new Response(status, JSON, json.toString().getBytes(StandardCharsets.UTF_8), Map.of());
  }

  static Response text(int status, String text) {
    return text(status, text, Map.of());
  }

  static Response text(int status, String text, Map<String, String> headers) {
    return new Response(status, TEXT, (text + "\n").getBytes(StandardCharsets.UTF_8), headers);
  }
}

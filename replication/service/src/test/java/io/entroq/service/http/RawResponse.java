package io.entroq.service.http;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.zip.GZIPInputStream;

/** An answer as it came. */
final class RawResponse {
  private final int status;
  private final Map<String, String> headers;
  private final byte[] body;

  RawResponse(int status, Map<String, String> headers, byte[] body) {
    this.status = status;
    this.headers = headers;
    this.body = body;
  }

  int status() {
    return status;
  }

  /** By their names in lower case. */
  Map<String, String> headers() {
    return headers;
  }

  /** Without what chunks have around them. */
  byte[] body() {
    return body;
  }

  String text() {
    return new String(body, StandardCharsets.UTF_8);
  }

  String unpacked() {
    try {
      return new String(
          new GZIPInputStream(new ByteArrayInputStream(body)).readAllBytes(),
          StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

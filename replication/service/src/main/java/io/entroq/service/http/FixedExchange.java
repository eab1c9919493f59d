package io.entroq.service.http;

import io.entroq.service.http.protocol.ApiResponse;

/** A request with a fixed response. */
final class FixedExchange extends Exchange {
  private final ApiResponse response;

  FixedExchange(HttpConnection connection, ApiResponse response) {
    super(connection);
    this.response = response;
  }

  @Override
  void begin() {
    connection().execute(() -> connection().answer(this, response));
  }
}

package io.entroq.service.http;

/** A request that nobody has to be asked about. */
final class FixedExchange extends Exchange {
  private final Response response;

  FixedExchange(Connection connection, Response response) {
    super(connection);
    this.response = response;
  }

  @Override
  void begin() {
    connection().execute(() -> connection().answer(this, response));
  }
}

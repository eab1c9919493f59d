package io.entroq.service.http;

/** A request and its response, as the connection sees it. Event loop of the connection. */
abstract class Exchange {
  private final HttpConnection connection;

  Exchange(HttpConnection connection) {
    this.connection = connection;
  }

  final HttpConnection connection() {
    return connection;
  }

  /** Starts the request. The response follows after this has returned. */
  abstract void begin();

  /** Answers what would wait: the server stops. */
  void hurry() {}

  /** There is room for more of a streamed response. */
  void ready() {}

  /** The response has left. */
  void delivered() {}

  /** Nobody waits for the response, or the rest of it, any more. */
  void cancel() {}
}

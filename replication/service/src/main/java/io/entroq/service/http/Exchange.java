package io.entroq.service.http;

/** A request and its response, as the connection sees it. The connection's event loop. */
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

  /** Ends a wait: the server stops. */
  void hurry() {}

  /** There is room for more of a streamed response. */
  void ready() {}

  /** The response has been sent. */
  void delivered() {}

  /** The client no longer waits for the response, or the rest of it. */
  void cancel() {}
}

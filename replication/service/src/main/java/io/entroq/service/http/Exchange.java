package io.entroq.service.http;

/** A request and its response. Runs on the connection's event loop. */
abstract class Exchange {
  private final HttpConnection connection;

  Exchange(HttpConnection connection) {
    this.connection = connection;
  }

  final HttpConnection connection() {
    return connection;
  }

  /** Starts the request. The response is sent only after this has returned. */
  abstract void begin();

  /** Ends the wait of a claim. */
  void endWait() {}

  /** Called when there is room for more of a streamed response. */
  void ready() {}

  /** Called when the response has been sent. */
  void delivered() {}

  /** Called when the client no longer waits for the response or the rest of it. */
  void cancel() {}
}

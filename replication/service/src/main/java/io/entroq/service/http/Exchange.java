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

  /** Does what is asked. The answer follows when this has returned. */
  abstract void begin();

  /** The server is to end: what would wait is answered now. */
  void hurry() {}

  /** There is room for more of an answer that has several parts. */
  void ready() {}

  /** The answer has left as a whole. */
  void delivered() {}

  /** Nobody waits for the answer any more, or for the rest of it. */
  void cancel() {}
}

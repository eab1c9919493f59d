package io.entroq.client.transport;

/** A request in flight. Any thread. */
public interface Exchange {
  /**
   * Cancels the request, also at the server. The receiver gets a failure, or a response that was
   * faster.
   */
  void cancel();
}

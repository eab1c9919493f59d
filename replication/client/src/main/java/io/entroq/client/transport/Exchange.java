package io.entroq.client.transport;

/** A request under way. Any thread. */
public interface Exchange {
  /**
   * Ends it, also at the server. The receiver may be told of that, or of an answer that was faster.
   */
  void cancel();
}

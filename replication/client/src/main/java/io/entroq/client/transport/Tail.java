package io.entroq.client.transport;

/** A feed from one server, as fast as it is asked for. Any thread. */
public interface Tail {
  /** Asks for more responses. */
  void request(int responses);

  /** Ends it. The receiver gets a failure, unless it has ended. */
  void cancel();
}

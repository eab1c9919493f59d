package io.entroq.client.transport;

/** The open requests of a client. Any thread. */
public interface OpenRequests {
  boolean hasOpen();

  /**
   * Another server is in use. Requests that may be sent to two servers are resent, because the
   * first one may never answer.
   */
  void failOver();
}

package io.entroq.client.transport;

/** What a client has under way. Any thread. */
public interface OpenRequests {
  /** Whether there is any. */
  boolean hasOpen();

  /**
   * Another server is asked from now on. What may be asked of two at a time is to be asked once
   * more: the first one may never answer.
   */
  void failOver();
}

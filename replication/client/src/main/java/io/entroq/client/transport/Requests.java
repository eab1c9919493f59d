package io.entroq.client.transport;

/** What a client has under way. Any thread. */
public interface Requests {
  /** Whether there is any. */
  boolean areOpen();

  /**
   * Another server is asked from now on. What may be asked of two at a time is to be asked once
   * more: the first one may never answer.
   */
  void move();
}

package io.entroq.service.call;

/**
 * Where the answers to one request go, one after the other. One thread at a time, any; neither
 * blocks nor throws.
 *
 * @param <S> the message of an answer
 */
public interface StreamReply<S> extends Reply<S> {
  /** Whether one more answer may be sent without piling up memory. */
  boolean isReady();

  /** There are no more answers. */
  void complete();
}

package io.entroq.server.service.call;

import io.entroq.server.service.edge.Refusal;

/**
 * Where the one answer to a request goes. Answered once, on any thread; neither blocks nor throws.
 *
 * @param <S> the message of the answer
 */
public interface Reply<S> {
  /**
   * Tells how far the log had come that the answer has seen. Before the answer, if it is known.
   *
   * @param position from 1
   */
  void position(long position);

  /** There is an answer. */
  void send(S response);

  /** There is none. */
  void fail(Refusal refusal);
}

package io.entroq.server.service.call;

import io.entroq.server.service.edge.Refusal;

/**
 * Where the one answer to a request goes. Called once, on any thread; neither blocks nor throws.
 *
 * @param <S> the message of the answer
 */
public interface Reply<S> {
  /** There is an answer. */
  void send(S response);

  /** There is none. */
  void fail(Refusal refusal);
}

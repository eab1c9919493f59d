package io.entroq.client.transport;

/**
 * Hears what has become of a request, once.
 *
 * @param <A> the answer
 */
public interface Receiver<A> {
  /** The server has answered. */
  void onAnswer(A answer);

  /** It has refused, or there is none. */
  void onFailure(Failure failure);
}

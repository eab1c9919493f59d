package io.entroq.client.transport;

/**
 * Receives the outcome of a request, once.
 *
 * @param <A> the response
 */
public interface Receiver<A> {
  void onAnswer(A answer);

  void onFailure(Failure failure);
}

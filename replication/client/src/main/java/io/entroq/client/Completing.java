package io.entroq.client;

import io.entroq.client.transport.Failure;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * Completes a future with what becomes of a request.
 *
 * @param <A> the answer
 * @param <T> what the caller gets
 */
final class Completing<A, T> implements Ask.Ending<A> {
  private final CompletableFuture<T> future = new CompletableFuture<>();
  private final Function<A, T> answers;
  private final Refused<T> refused;

  private Completing(Function<A, T> answers, Refused<T> refused) {
    this.answers = answers;
    this.refused = refused;
  }

  /** Of a request that changes nothing. */
  static <A, T> Completing<A, T> read(Function<A, T> answers) {
    return new Completing<>(
        answers,
        (failure, maybeDone) -> {
          throw Refusals.ofRead(failure);
        });
  }

  /**
   * Of a request that may change something.
   *
   * @param refused makes a result of a failure, or throws
   */
  static <A, T> Completing<A, T> write(Function<A, T> answers, Refused<T> refused) {
    return new Completing<>(answers, refused);
  }

  CompletableFuture<T> future() {
    return future;
  }

  @Override
  public void onAnswer(A answer) {
    T value;
    try {
      value = answers.apply(answer);
    } catch (RuntimeException e) {
      // Whatever it says, what was asked for is done.
      onFailure(Failure.unreadable(e), false);
      return;
    }
    future.complete(value);
  }

  @Override
  public void onFailure(Failure failure, boolean maybeDone) {
    T value;
    try {
      value = refused.result(failure, maybeDone);
    } catch (RuntimeException e) {
      future.completeExceptionally(e);
      return;
    }
    future.complete(value);
  }

  @Override
  public void onException(RuntimeException exception) {
    future.completeExceptionally(exception);
  }

  /** Makes a result of a failure. */
  @FunctionalInterface
  interface Refused<T> {
    T result(Failure failure, boolean maybeDone);
  }
}

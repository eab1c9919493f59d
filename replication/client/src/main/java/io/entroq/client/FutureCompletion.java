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
final class FutureCompletion<A, T> implements PendingCall.Completion<A> {
  private final CompletableFuture<T> future = new CompletableFuture<>();
  private final Function<A, T> answers;
  private final FailureMapper<T> refused;

  private FutureCompletion(Function<A, T> answers, FailureMapper<T> refused) {
    this.answers = answers;
    this.refused = refused;
  }

  /** Of a request that changes nothing. */
  static <A, T> FutureCompletion<A, T> read(Function<A, T> answers) {
    return new FutureCompletion<>(
        answers,
        (failure, maybeDone) -> {
          throw FailureMapping.ofRead(failure);
        });
  }

  /**
   * Of a request that may change something.
   *
   * @param refused makes a result of a failure, or throws
   */
  static <A, T> FutureCompletion<A, T> write(Function<A, T> answers, FailureMapper<T> refused) {
    return new FutureCompletion<>(answers, refused);
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
  interface FailureMapper<T> {
    T result(Failure failure, boolean maybeDone);
  }
}

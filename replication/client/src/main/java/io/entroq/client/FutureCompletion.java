package io.entroq.client;

import io.entroq.client.translation.FailureMapping;
import io.entroq.client.transport.Failure;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * Completes a future with the outcome of a request.
 *
 * @param <A> the response
 * @param <T> the caller's result
 */
final class FutureCompletion<A, T> implements PendingCall.Completion<A> {
  private final CompletableFuture<T> future = new CompletableFuture<>();
  private final Function<A, T> answers;
  private final FailureMapper<T> refused;

  private FutureCompletion(Function<A, T> answers, FailureMapper<T> refused) {
    this.answers = answers;
    this.refused = refused;
  }

  /** For a request without effects. */
  static <A, T> FutureCompletion<A, T> read(Function<A, T> answers) {
    return new FutureCompletion<>(
        answers,
        (failure, maybeDone) -> {
          throw FailureMapping.ofRead(failure);
        });
  }

  /**
   * For a write.
   *
   * @param refused maps a failure to a result, or throws
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
      // The request has been executed, though its answer is unreadable.
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

  @FunctionalInterface
  interface FailureMapper<T> {
    T result(Failure failure, boolean maybeDone);
  }
}

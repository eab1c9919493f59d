package io.entroq.client;

import io.entroq.api.EntroQException;
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
    complete(() -> answers.apply(answer));
  }

  @Override
  public void onFailure(Failure failure, boolean maybeDone) {
    complete(() -> refused.result(failure, maybeDone));
  }

  @Override
  public void onException(RuntimeException exception) {
    future.completeExceptionally(exception);
  }

  private void complete(Result<T> result) {
    T value;
    try {
      value = result.get();
    } catch (EntroQException e) {
      future.completeExceptionally(e);
      return;
    } catch (RuntimeException e) {
      future.completeExceptionally(
          new EntroQException.Unavailable("the server's answer cannot be read", e));
      return;
    }
    future.complete(value);
  }

  /** Makes a result of a failure. */
  @FunctionalInterface
  interface Refused<T> {
    T result(Failure failure, boolean maybeDone);
  }

  @FunctionalInterface
  private interface Result<T> {
    T get();
  }
}

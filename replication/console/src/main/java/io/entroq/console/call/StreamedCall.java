package io.entroq.console.call;

import io.entroq.service.call.Call;
import io.entroq.service.call.Reply;
import io.entroq.service.translation.Refusal;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;

/** The responses of a call that is under way. Any thread. */
final class StreamedCall<S> implements Reply<S> {
  private final Predicate<S> each;

  /** Completes with whether all responses have come. */
  private final CompletableFuture<Boolean> end = new CompletableFuture<>();

  StreamedCall(Predicate<S> each) {
    this.each = each;
  }

  CompletableFuture<Boolean> within(Duration patience, Call call, Executor pool) {
    return end.orTimeout(patience.toMillis(), TimeUnit.MILLISECONDS)
        .handleAsync(
            (isComplete, failure) -> {
              if (failure == null && isComplete) {
                return true;
              }
              call.cancel();
              if (failure == null || failure instanceof TimeoutException) {
                return false;
              }
              throw new CompletionException(failure);
            },
            pool);
  }

  @Override
  public void position(long position) {}

  @Override
  public boolean isReady() {
    return !end.isDone();
  }

  @Override
  public void send(S response) {
    if (!end.isDone() && !each.test(response)) {
      end.complete(false);
    }
  }

  @Override
  public void complete() {
    end.complete(true);
  }

  @Override
  public void fail(Refusal refusal) {
    end.completeExceptionally(new CallFailedException(refusal));
  }
}

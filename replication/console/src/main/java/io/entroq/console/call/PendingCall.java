package io.entroq.console.call;

import io.entroq.service.call.AsOfHeader;
import io.entroq.service.call.Call;
import io.entroq.service.call.Reply;
import io.entroq.service.translation.Refusal;
import io.grpc.Status;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The response of a call that is under way. Any thread. */
final class PendingCall<S> implements Reply<S> {
  private final CompletableFuture<S> response = new CompletableFuture<>();

  /** Set before the response is. */
  private Optional<AsOf> asOf = Optional.empty();

  /**
   * The response, if it comes in time; otherwise the call is canceled.
   *
   * @return completes on the pool, and fails with a {@link CallFailedException}
   */
  CompletableFuture<S> within(Duration patience, Call call, Executor pool) {
    return response
        .orTimeout(patience.toMillis(), TimeUnit.MILLISECONDS)
        .handleAsync(
            (sent, failure) -> {
              if (failure instanceof TimeoutException) {
                call.cancel();
                throw new CallFailedException(
                    new Refusal(
                        Status.Code.DEADLINE_EXCEEDED,
                        "no answer within " + patience.toMillis() + " ms"));
              }
              if (failure != null) {
                throw new CompletionException(failure);
              }
              call.delivered();
              return sent;
            },
            pool);
  }

  @Override
  public void position(long position) {}

  @Override
  public void metadata(String name, String value) {
    if (name.equals(AsOfHeader.NAME)) {
      asOf = AsOf.of(value);
    }
  }

  /** What the response shows, once it is there; empty if that is the present. */
  Optional<AsOf> asOf() {
    return asOf;
  }

  @Override
  public void send(S sent) {
    response.complete(sent);
  }

  @Override
  public void fail(Refusal refusal) {
    response.completeExceptionally(new CallFailedException(refusal));
  }
}

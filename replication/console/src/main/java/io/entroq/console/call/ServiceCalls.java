package io.entroq.console.call;

import com.google.protobuf.Message;
import io.entroq.console.user.User;
import io.entroq.service.call.Call;
import io.entroq.service.call.CallContext;
import io.entroq.service.call.Method;
import io.entroq.service.call.Protocol;
import io.entroq.service.call.Service;
import io.entroq.service.limit.Origin;
import io.entroq.service.translation.Refusal;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Predicate;

/**
 * Calls the service for users, with deadlines. Any thread; does not block.
 *
 * <p>A call completes on the pool of the console, so what depends on it may render.
 */
public final class ServiceCalls {
  /** How long a part of a page waits for its call. */
  public static final Duration PATIENCE = Duration.ofSeconds(1);

  static final String TRANSPORT = "console";

  private final Service service;
  private final Executor pool;

  /**
   * @param service with all its filters; authorizes by the principal of a call
   * @param pool on which calls complete
   */
  public ServiceCalls(Service service, Executor pool) {
    this.service = service;
    this.pool = pool;
  }

  /** Calls a method with one response, with a deadline of {@link #PATIENCE}. */
  public <Q extends Message, S extends Message> CompletableFuture<S> call(
      User user, Method<Q, S> method, Q request) {
    return call(user, method, request, PATIENCE);
  }

  /**
   * Calls a method with one response.
   *
   * @param patience how long to wait; then the call is canceled
   * @return fails with a {@link CallFailedException}
   */
  public <Q extends Message, S extends Message> CompletableFuture<S> call(
      User user, Method<Q, S> method, Q request, Duration patience) {
    if (method.isStream()) {
      throw new IllegalArgumentException(method + " has several responses");
    }
    PendingCall<S> pending = new PendingCall<>();
    Call call = service.handle(method, context(user, patience), request, pending);
    return pending.within(patience, call, pool);
  }

  /**
   * Calls a method with several responses.
   *
   * @param patience how long to read at most; then the call is canceled, which is no failure
   * @param each gets the responses, one at a time, on threads that must not be kept; returns
   *     whether to go on
   * @return whether all responses have come; fails with a {@link CallFailedException}
   */
  public <Q extends Message, S extends Message> CompletableFuture<Boolean> stream(
      User user, Method<Q, S> method, Q request, Duration patience, Predicate<S> each) {
    if (!method.isStream()) {
      throw new IllegalArgumentException(method + " has one response");
    }
    StreamedCall<S> streamed = new StreamedCall<>(each);
    Call call = service.handle(method, context(user, patience), request, streamed);
    return streamed.within(patience, call, pool);
  }

  /** Why a request would be refused, whatever is stored and whoever asks; empty if it would not. */
  public Optional<Refusal> check(User user, Method<?, ?> method, Message request) {
    return service.check(method, context(user, PATIENCE), request);
  }

  /** The context of a call for a user. */
  static CallContext context(User user, Duration patience) {
    CallContext context =
        new CallContext(
            TRANSPORT,
            name -> Optional.empty(),
            OptionalLong.of(System.nanoTime() + patience.toNanos()),
            Origin.NONE,
            Protocol.TWO);
    return user.principal().map(context::by).orElse(context);
  }
}

package io.entroq.console.call;

import com.google.protobuf.Message;
import io.entroq.console.user.User;
import io.entroq.service.call.AsOfHeader;
import io.entroq.service.call.Call;
import io.entroq.service.call.CallContext;
import io.entroq.service.call.Headers;
import io.entroq.service.call.Method;
import io.entroq.service.call.Protocol;
import io.entroq.service.call.Service;
import io.entroq.service.limit.Origin;
import io.entroq.service.translation.Refusal;
import io.grpc.Status;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
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

  /** The feed has the past itself. */
  private static final Set<Method<?, ?>> OF_FEED = Set.of(Method.RANGE, Method.TAIL);

  private final Service service;
  private final Executor pool;

  /** Empty for the present. */
  private final Optional<String> at;

  /**
   * @param service with all its filters; authorizes by the principal of a call
   * @param pool on which calls complete
   */
  public ServiceCalls(Service service, Executor pool) {
    this(service, pool, Optional.empty());
  }

  private ServiceCalls(Service service, Executor pool, Optional<String> at) {
    this.service = service;
    this.pool = pool;
    this.at = at;
  }

  /**
   * Calls that show the past; those of a feed are as ever. A response of now is a failure.
   *
   * @param at the moment, as the service reads it
   */
  public ServiceCalls asOf(String at) {
    return new ServiceCalls(service, pool, Optional.of(at));
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
    return call(user, method, request, patience, shown -> {});
  }

  /**
   * As {@link #call(User, Method, Message, Duration)}.
   *
   * @param shown gets what the response of the past shows
   */
  public <Q extends Message, S extends Message> CompletableFuture<S> call(
      User user, Method<Q, S> method, Q request, Duration patience, Consumer<AsOf> shown) {
    if (method.isStream()) {
      throw new IllegalArgumentException(method + " has several responses");
    }
    boolean isPast = at.isPresent() && !OF_FEED.contains(method);
    CallContext context = context(user, patience, isPast ? this::header : Headers.NONE);
    PendingCall<S> pending = new PendingCall<>();
    Call call = service.handle(method, context, request, pending);
    CompletableFuture<S> response = pending.within(patience, call, pool);
    return isPast ? response.thenApply(sent -> proven(sent, pending, shown)) : response;
  }

  private Optional<String> header(String name) {
    return name.equals(AsOfHeader.NAME) ? at : Optional.empty();
  }

  private static <S> S proven(S sent, PendingCall<S> pending, Consumer<AsOf> shown) {
    shown.accept(
        pending
            .asOf()
            .orElseThrow(
                () ->
                    new CallFailedException(
                        new Refusal(
                            Status.Code.UNIMPLEMENTED, "this server shows only the present"))));
    return sent;
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
    if (at.isPresent() && !OF_FEED.contains(method)) {
      throw new IllegalArgumentException(method + " shows the present");
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
    return context(user, patience, Headers.NONE);
  }

  private static CallContext context(User user, Duration patience, Headers headers) {
    CallContext context =
        new CallContext(
            TRANSPORT,
            headers,
            OptionalLong.of(System.nanoTime() + patience.toNanos()),
            Origin.NONE,
            Protocol.TWO);
    return user.principal().map(context::by).orElse(context);
  }
}

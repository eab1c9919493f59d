package io.entroq.service.authentication;

import io.entroq.service.call.Call;
import io.entroq.service.call.CallContext;
import io.entroq.service.call.MinPosition;
import io.entroq.service.call.Principal;
import io.entroq.service.call.Reply;
import io.entroq.service.call.Service;
import io.entroq.service.call.SteppedCall;
import io.entroq.service.limit.RateLimitedLog;
import io.entroq.service.tls.TlsException;
import io.entroq.service.translation.Refusal;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Authenticates callers if that is configured. Any thread. Close it after the last call. */
public final class Authentication implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Authentication.class);
  private static final Duration LOG_INTERVAL = Duration.ofSeconds(1);
  private static final String HEADER = "authorization";

  /** What is read of a call that had to wait for keys. */
  private static final Set<String> HELD = Set.of(MinPosition.HEADER);

  /** Admits callers without asking who they are. */
  public static final Authentication NONE = new Authentication(null);

  /** Null if callers are not authenticated. */
  private final JwtAuthenticator authenticator;

  private final RateLimitedLog failures = new RateLimitedLog(LOG_INTERVAL);

  private Authentication(JwtAuthenticator authenticator) {
    this.authenticator = authenticator;
  }

  /**
   * By signed tokens. The keys need not be available yet.
   *
   * @throws TlsException if the CA file cannot be used
   */
  public static Authentication of(AuthenticationConfig config) throws TlsException {
    Optional<URI> url = config.jwksUrl();
    KeySource source =
        url.isPresent()
            ? new HttpKeySource(url.get(), config)
            : new FileKeySource(config.jwksFile().orElseThrow());
    return new Authentication(
        new JwtAuthenticator(
            config, new KeyCache(source, config, System::nanoTime), Clock.systemUTC()));
  }

  /** Whether every caller must have a token. */
  public boolean isRequired() {
    return authenticator != null;
  }

  /** The service with authentication; the service itself if it is not required. */
  public Service guard(Service service) {
    return isRequired() ? new AuthenticatedService(service, this) : service;
  }

  /**
   * Who calls; only if authentication {@linkplain #isRequired required}.
   *
   * @param context of the call; its headers are read before this returns
   * @return completes with the caller, or fails; {@link #refusal} says how
   */
  public CompletableFuture<Principal> caller(CallContext context) {
    return authenticator.authenticate(context.headers().all(HEADER));
  }

  /**
   * Continues a call with its caller, if that can be authenticated or need not be.
   *
   * @param context of the call; its headers are read before this returns
   * @param next the rest of the call
   */
  public <S> Call require(CallContext context, Reply<S> reply, Function<CallContext, Call> next) {
    if (!isRequired()) {
      return next.apply(context);
    }
    CompletableFuture<Principal> caller = caller(context);
    if (caller.isDone() && !caller.isCompletedExceptionally()) {
      return next.apply(context.by(caller.join()));
    }
    CallContext held = context.held(HELD);
    SteppedCall call = new SteppedCall();
    call.step(
        () -> {
          CompletableFuture<Void> unused =
              caller
                  .thenAccept(principal -> call.step(() -> next.apply(held.by(principal))))
                  .exceptionally(
                      failure -> {
                        fail(failure, reply);
                        return null;
                      });
          return () -> caller.cancel(false);
        });
    return call;
  }

  private void fail(Throwable failure, Reply<?> reply) {
    if (cause(failure) instanceof CancellationException) {
      return;
    }
    Refusal refusal = refusal(failure);
    failures.run(
        suppressed ->
            LOG.info(
                "Refused a request: {} ({} more since the last such message).",
                refusal.message(),
                suppressed));
    reply.fail(refusal);
  }

  /** The error of a caller that could not be {@linkplain #caller authenticated}. */
  public static Refusal refusal(Throwable failure) {
    if (cause(failure) instanceof AuthenticationException why) {
      return why.refusal();
    }
    LOG.error("A request failed because of an internal error.", failure);
    return Refusal.FAULT;
  }

  private static Throwable cause(Throwable failure) {
    return failure instanceof CompletionException ? failure.getCause() : failure;
  }

  @Override
  public void close() {
    if (isRequired()) {
      authenticator.close();
    }
  }
}

package io.entroq.service.authorization;

import io.entroq.service.call.Reply;
import io.entroq.service.call.SteppedCall;
import io.entroq.service.limit.RateLimitedLog;
import io.entroq.service.translation.Refusal;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks the authorizer and logs its denials. Any thread. */
final class LoggedAuthorizer {
  private static final Logger LOG = LoggerFactory.getLogger(LoggedAuthorizer.class);
  private static final Duration LOG_INTERVAL = Duration.ofSeconds(1);

  private final Authorizer authorizer;
  private final RateLimitedLog denials = new RateLimitedLog(LOG_INTERVAL);
  private final RateLimitedLog failures = new RateLimitedLog(LOG_INTERVAL);

  LoggedAuthorizer(Authorizer authorizer) {
    this.authorizer = authorizer;
  }

  /**
   * Asks as a step of a call; continues if the request is allowed.
   *
   * @param reply gets the denial or an internal error
   */
  void require(AuthorizationQuery query, SteppedCall call, Reply<?> reply, Runnable allowed) {
    decide(
        query, call, reply, decision -> decision.refusal().ifPresentOrElse(reply::fail, allowed));
  }

  /**
   * Asks as a step of a call; continues with the decision.
   *
   * @param reply gets an internal error
   */
  void decide(AuthorizationQuery query, SteppedCall call, Reply<?> reply, Consumer<Decision> then) {
    call.step(
        () -> {
          CompletableFuture<Decision> decision = authorizer.ask(query);
          CompletableFuture<Void> unused =
              decision
                  .thenAccept(
                      decided -> {
                        log(query, decided);
                        then.accept(decided);
                      })
                  .whenComplete((done, fault) -> onFault(fault, reply));
          return () -> decision.cancel(false);
        });
  }

  private static void onFault(Throwable fault, Reply<?> reply) {
    if (fault instanceof CompletionException
        && !(fault.getCause() instanceof CancellationException)) {
      LOG.error("A request failed because of an internal error.", fault);
      reply.fail(Refusal.FAULT);
    }
  }

  /** Asks what else a caller may see. A denial refuses no request, so it is not logged. */
  CompletableFuture<Boolean> allows(AuthorizationQuery query) {
    return askQuietly(query).thenApply(Decision::isAllowed);
  }

  /** The same, with the whole decision. */
  CompletableFuture<Decision> askQuietly(AuthorizationQuery query) {
    return authorizer
        .ask(query)
        .thenApply(
            decision -> {
              if (decision.isFailure()) {
                log(query, decision);
              }
              return decision;
            });
  }

  private void log(AuthorizationQuery query, Decision decision) {
    if (decision.isAllowed()) {
      return;
    }
    String message = decision.refusal().orElseThrow().message();
    if (decision.isFailure()) {
      failures.run(
          suppressed ->
              LOG.warn(
                  "Refused a request: {} ({} more since the last such message).",
                  message,
                  suppressed));
    } else {
      denials.run(
          suppressed ->
              LOG.info(
                  "Refused a request of {}: {} ({} more since the last such message).",
                  caller(query),
                  message,
                  suppressed));
    }
  }

  private static String caller(AuthorizationQuery query) {
    return query
        .principal()
        .map(principal -> "caller \"" + principal.subject() + "\"")
        .orElseGet(() -> "claimant \"" + query.claimantId() + "\"");
  }
}

package io.entroq.service.authorization;

import io.entroq.service.call.CallContext;
import io.entroq.service.limit.RateLimitedLog;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks the authorizer, and logs what it denies. Any thread. */
final class LoggedAuthorizer {
  private static final Logger LOG = LoggerFactory.getLogger(LoggedAuthorizer.class);
  private static final Duration LOG_INTERVAL = Duration.ofSeconds(1);

  /** Says whose request it is. */
  static final String HEADER = "authorization";

  private final Authorizer authorizer;
  private final RateLimitedLog denials = new RateLimitedLog(LOG_INTERVAL);
  private final RateLimitedLog failures = new RateLimitedLog(LOG_INTERVAL);

  LoggedAuthorizer(Authorizer authorizer) {
    this.authorizer = authorizer;
  }

  /** What a request says of whose it is; empty if nothing. */
  String authorization(CallContext context) {
    return context.headers().first(HEADER).orElse("");
  }

  /** Asks, and is to be used as {@link Authorizer#ask}. */
  CompletableFuture<Decision> ask(AuthorizationQuery query) {
    CompletableFuture<Decision> decision = authorizer.ask(query);
    CompletableFuture<Void> unused = decision.thenAccept(decided -> log(query, decided));
    return decision;
  }

  /** Asks whether something may be visible beside what everybody sees, which refuses nobody. */
  CompletableFuture<Boolean> allows(AuthorizationQuery query) {
    return authorizer
        .ask(query)
        .thenApply(
            decision -> {
              if (decision.isFailure()) {
                log(query, decision);
              }
              return decision.isAllowed();
            });
  }

  private void log(AuthorizationQuery query, Decision decision) {
    if (decision.refusal().isEmpty()) {
      return;
    }
    String message = decision.refusal().get().message();
    if (decision.isFailure()) {
      failures.run(
          suppressed -> LOG.warn("Refused a request: {} (and {} before).", message, suppressed));
    } else {
      denials.run(
          suppressed ->
              LOG.info(
                  "Refused a request in the name of \"{}\": {} (and {} before).",
                  query.claimantId(),
                  message,
                  suppressed));
    }
  }
}

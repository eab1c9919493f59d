package io.entroq.service.authorization;

import io.entroq.service.call.CallContext;
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

  private final Authorizer asker;
  private final RateLimitedLog denials = new RateLimitedLog(LOG_INTERVAL);
  private final RateLimitedLog failures = new RateLimitedLog(LOG_INTERVAL);

  LoggedAuthorizer(Authorizer asker) {
    this.asker = asker;
  }

  /** What a request says of whose it is; empty if nothing. */
  String authorization(CallContext context) {
    return context.headers().first(HEADER).orElse("");
  }

  /** Asks, and is to be used as {@link Authorizer#ask}. */
  CompletableFuture<Decision> ask(AuthorizationQuery question) {
    CompletableFuture<Decision> verdict = asker.ask(question);
    CompletableFuture<Void> unused = verdict.thenAccept(decided -> log(question, decided));
    return verdict;
  }

  /** Asks whether something may be shown beside what everybody sees, which refuses nobody. */
  CompletableFuture<Boolean> allows(AuthorizationQuery question) {
    return asker
        .ask(question)
        .thenApply(
            verdict -> {
              if (verdict.isFailure()) {
                log(question, verdict);
              }
              return verdict.isAllowed();
            });
  }

  private void log(AuthorizationQuery question, Decision verdict) {
    if (verdict.refusal().isEmpty()) {
      return;
    }
    String message = verdict.refusal().get().message();
    if (verdict.isFailure()) {
      failures.run(hidden -> LOG.warn("Refused a request: {} (and {} before).", message, hidden));
    } else {
      denials.run(
          hidden ->
              LOG.info(
                  "Refused a request in the name of \"{}\": {} (and {} before).",
                  question.claimantId(),
                  message,
                  hidden));
    }
  }
}

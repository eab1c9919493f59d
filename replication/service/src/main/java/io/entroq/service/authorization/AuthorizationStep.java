package io.entroq.service.authorization;

import io.entroq.service.call.Reply;
import io.entroq.service.call.SteppedCall;
import io.entroq.service.translation.Refusal;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The step of a call in which the authorizer is asked about it. */
final class AuthorizationStep {
  private static final Logger LOG = LoggerFactory.getLogger(AuthorizationStep.class);

  private AuthorizationStep() {}

  /**
   * Asks, and goes on if the call is allowed.
   *
   * @param reply gets the denial
   */
  static void ask(
      LoggedAuthorizer authorizer,
      AuthorizationQuery query,
      SteppedCall call,
      Reply<?> reply,
      Runnable allowed) {
    decide(
        authorizer,
        query,
        call,
        reply,
        decision -> decision.refusal().ifPresentOrElse(reply::fail, allowed));
  }

  /**
   * Asks, and goes on with the decision.
   *
   * @param reply gets a fault of this server
   */
  static void decide(
      LoggedAuthorizer authorizer,
      AuthorizationQuery query,
      SteppedCall call,
      Reply<?> reply,
      Consumer<Decision> then) {
    call.step(
        () -> {
          CompletableFuture<Decision> decision = authorizer.ask(query);
          CompletableFuture<Void> unused =
              decision.thenAccept(then).whenComplete((done, fault) -> fault(fault, reply));
          return () -> decision.cancel(false);
        });
  }

  private static void fault(Throwable fault, Reply<?> reply) {
    if (fault instanceof CompletionException
        && !(fault.getCause() instanceof CancellationException)) {
      LOG.error("A request met a fault of this server.", fault);
      reply.fail(Refusal.FAULT);
    }
  }
}

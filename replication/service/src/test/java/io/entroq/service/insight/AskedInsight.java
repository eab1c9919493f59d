package io.entroq.service.insight;

import com.google.protobuf.Message;
import io.entroq.api.EntroQ;
import io.entroq.engine.embedded.EmbeddedConfig;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import io.entroq.service.call.Call;
import io.entroq.service.call.CallContext;
import io.entroq.service.call.Method;
import io.entroq.service.call.Reply;
import io.entroq.service.call.Service;
import io.entroq.service.call.ServiceFilter;
import io.entroq.service.queue.BlockedClaims;
import io.entroq.service.queue.QueueService;
import io.entroq.service.translation.Facade;
import io.entroq.service.translation.Refusal;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/** A queue in memory with insight, which the test asks. */
final class AskedInsight implements AutoCloseable {
  private final EmbeddedEntroQ queue = EmbeddedEntroQ.open(EmbeddedConfig.inMemory().build());
  private final Insight insight;
  final Service service;
  private final List<Call> calls = new CopyOnWriteArrayList<>();

  volatile boolean stallsPolicies;

  /** What the server says of itself. */
  volatile ServerFigures figures = ServerFigures.NONE;

  AskedInsight() {
    insight =
        Insight.start(
            queue.gateway(), queue.feed(), () -> figures, new InsightConfig(100_000, 100));
    service =
        insight.before(
            new Stalling(
                new QueueService(Facade.V1, queue.gateway(), new BlockedClaims(), 10 << 20)));
  }

  EntroQ queue() {
    return queue;
  }

  /** Leaves questions about policies without an answer, as without a leader. */
  private final class Stalling extends ServiceFilter {
    Stalling(Service next) {
      super(next);
    }

    @Override
    public <Q extends Message, S extends Message> Call handle(
        Method<Q, S> method, CallContext context, Q request, Reply<S> reply) {
      return stallsPolicies && method == Method.LIST_POLICIES
          ? Call.done()
          : next.handle(method, context, request, reply);
    }
  }

  /** How often policies were written, as far as it has noticed. */
  long policyWrites() {
    return insight.tally().policyWrites();
  }

  /** Starts a call that may take long. */
  <Q extends Message, S extends Message> CompletableFuture<S> start(
      Method<Q, S> method, Q request) {
    return answer(method, request);
  }

  /** Cancels all calls that are not answered. */
  void cancelAll() {
    calls.forEach(Call::cancel);
  }

  /** The response to a request; fails if it is refused. */
  <Q extends Message, S extends Message> S ask(Method<Q, S> method, Q request) {
    return answer(method, request).orTimeout(60, TimeUnit.SECONDS).join();
  }

  /** Why a request is refused. */
  <Q extends Message, S extends Message> Refusal refusal(Method<Q, S> method, Q request) {
    CompletableFuture<Refusal> refused = new CompletableFuture<>();
    answer(method, request, refused).thenAccept(response -> refused.cancel(false));
    return refused.orTimeout(60, TimeUnit.SECONDS).join();
  }

  private <Q extends Message, S extends Message> CompletableFuture<S> answer(
      Method<Q, S> method, Q request) {
    CompletableFuture<Refusal> refused = new CompletableFuture<>();
    CompletableFuture<S> response = answer(method, request, refused);
    refused.thenAccept(
        refusal -> response.completeExceptionally(new AssertionError(refusal.message())));
    return response;
  }

  private <Q extends Message, S extends Message> CompletableFuture<S> answer(
      Method<Q, S> method, Q request, CompletableFuture<Refusal> refused) {
    CompletableFuture<S> response = new CompletableFuture<>();
    Call call =
        service.handle(
            method,
            CallContext.of("test"),
            request,
            new Reply<>() {
              @Override
              public void position(long position) {}

              @Override
              public void send(S message) {
                response.complete(message);
              }

              @Override
              public void fail(Refusal refusal) {
                refused.complete(refusal);
              }
            });
    calls.add(call);
    return response;
  }

  @Override
  public void close() {
    insight.close();
    queue.close();
  }
}

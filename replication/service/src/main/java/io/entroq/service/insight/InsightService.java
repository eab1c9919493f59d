package io.entroq.service.insight;

import com.google.protobuf.Message;
import io.entroq.api.EntroQException;
import io.entroq.codec.wire.edge.ClaimRequest;
import io.entroq.codec.wire.edge.ClaimResponse;
import io.entroq.codec.wire.edge.DeadLettersRequest;
import io.entroq.codec.wire.edge.DeadLettersResponse;
import io.entroq.codec.wire.edge.DeadQueue;
import io.entroq.codec.wire.edge.FailuresRequest;
import io.entroq.codec.wire.edge.FailuresResponse;
import io.entroq.codec.wire.edge.ListPoliciesRequest;
import io.entroq.codec.wire.edge.OverviewRequest;
import io.entroq.codec.wire.edge.OverviewResponse;
import io.entroq.codec.wire.edge.RatesRequest;
import io.entroq.codec.wire.edge.RatesResponse;
import io.entroq.codec.wire.edge.SearchQueuesRequest;
import io.entroq.codec.wire.edge.SearchQueuesResponse;
import io.entroq.codec.wire.edge.TasksRequest;
import io.entroq.codec.wire.edge.TasksResponse;
import io.entroq.codec.wire.edge.WaitersRequest;
import io.entroq.codec.wire.edge.WaitersResponse;
import io.entroq.codec.wire.edge.WorkersRequest;
import io.entroq.codec.wire.edge.WorkersResponse;
import io.entroq.service.call.Call;
import io.entroq.service.call.CallContext;
import io.entroq.service.call.FeatureReply;
import io.entroq.service.call.Handlers;
import io.entroq.service.call.Method;
import io.entroq.service.call.Reply;
import io.entroq.service.call.Service;
import io.entroq.service.call.ServiceFilter;
import io.entroq.service.insight.sweep.PoolPolicies;
import io.entroq.service.insight.sweep.SweepColumns;
import io.entroq.service.translation.Facade;
import io.entroq.service.translation.Refusal;
import io.entroq.service.translation.RefusedException;
import io.grpc.Status;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Serves insight, and says so among the features of the server. */
final class InsightService extends ServiceFilter {
  private static final Logger LOG = LoggerFactory.getLogger(InsightService.class);

  private static final long FEATURE_INSIGHT = 1 << 12;
  private static final int FAILURES = 100;
  private static final int FAILURES_MAX = 1_000;
  private static final int DEAD_QUEUES_MAX = 20;

  /** Of a dead queue, so many tasks are looked at: more would take the engine longer. */
  private static final int DEAD_TASKS_MAX = 4_096;

  /** If those are too large for a response. */
  private static final int DEAD_TASKS_MIN = 256;

  private final Insight insight;
  private final QueueAnswers queues;
  private final RateAnswers rates;
  private final Perspective perspective;
  private final Handlers handlers = new Handlers().on(Method.CLAIM, this::claim);

  /**
   * @param next of the state that the perspective sees
   */
  InsightService(Service next, Insight insight, Perspective perspective) {
    super(next);
    this.insight = insight;
    this.perspective = perspective;
    queues = perspective.answers();
    rates = new RateAnswers(insight.tally());
    if (facade() == Facade.V1) {
      handlers
          .on(Method.OVERVIEW, this::overview)
          .on(Method.SEARCH_QUEUES, this::searchQueues)
          .on(Method.RATES, this::rates)
          .on(Method.FAILURES, this::failures)
          .on(Method.WORKERS, this::workers)
          .on(Method.DEAD_LETTERS, this::deadLetters)
          .on(Method.WAITERS, this::waiters)
          .on(
              Method.TIME,
              (context, request, reply) ->
                  next.handle(
                      Method.TIME, context, request, new FeatureReply(reply, FEATURE_INSIGHT)));
    }
  }

  @Override
  public <Q extends Message, S extends Message> Call handle(
      Method<Q, S> method, CallContext context, Q request, Reply<S> reply) {
    return handlers.handle(method, context, request, reply, next);
  }

  private Call claim(CallContext context, ClaimRequest request, Reply<ClaimResponse> reply) {
    return insight.waiting().claim(next, context, request, reply);
  }

  private Call waiters(CallContext context, WaitersRequest request, Reply<WaitersResponse> reply) {
    return answer(Method.WAITERS, reply, insight.later(() -> insight.waiting().waiters(request)));
  }

  private Call overview(
      CallContext context, OverviewRequest request, Reply<OverviewResponse> reply) {
    return answer(
        Method.OVERVIEW,
        reply,
        look(
            found ->
                queues.overview(
                    found, perspective.ageNs(), perspective.problems(), insight.sinceMs())));
  }

  private Call searchQueues(
      CallContext context, SearchQueuesRequest request, Reply<SearchQueuesResponse> reply) {
    return answer(
        Method.SEARCH_QUEUES,
        reply,
        perspective
            .policies(this::policies)
            .thenCompose(said -> look(found -> queues.search(request, found, said))));
  }

  private Call rates(CallContext context, RatesRequest request, Reply<RatesResponse> reply) {
    return answer(
        Method.RATES,
        reply,
        insight.later(() -> rates.rates(request, perspective.moment(), insight.sinceMs())));
  }

  private Call failures(
      CallContext context, FailuresRequest request, Reply<FailuresResponse> reply) {
    return answer(Method.FAILURES, reply, insight.later(() -> failures(request)));
  }

  private FailuresResponse failures(FailuresRequest request) {
    int limit = Paging.limit(request.getLimit(), FAILURES, FAILURES_MAX);
    Moment moment = perspective.moment();
    return FailuresResponse.newBuilder()
        .addAllFailures(
            insight
                .tally()
                .failures(request.getQueue(), moment.isNow() ? limit : FAILURES_MAX)
                .stream()
                .filter(failure -> moment.includes(failure.getTimeMs()))
                .limit(limit)
                .toList())
        .setSinceMs(insight.sinceMs())
        .build();
  }

  private Call workers(CallContext context, WorkersRequest request, Reply<WorkersResponse> reply) {
    return answer(Method.WORKERS, reply, perspective.workers(request, this::policies));
  }

  private Call deadLetters(
      CallContext context, DeadLettersRequest request, Reply<DeadLettersResponse> reply) {
    CallContext held = context.held(Set.of());
    return answer(
        Method.DEAD_LETTERS,
        reply,
        look(found -> deadQueues(request, found)).thenCompose(asked -> sample(held, asked)));
  }

  private List<DeadQueue> deadQueues(DeadLettersRequest request, SweepColumns found) {
    if (request.getQueue().isEmpty()) {
      return queues.deadQueues(found, DEAD_QUEUES_MAX);
    }
    return queues.deadQueues(found, Integer.MAX_VALUE).stream()
        .filter(queue -> queue.getName().equals(request.getQueue()))
        .findFirst()
        .map(List::of)
        .orElseGet(() -> List.of(DeadQueue.newBuilder().setName(request.getQueue()).build()));
  }

  /** Looks at tasks of one queue after another, so that the engine does other things meanwhile. */
  private CompletableFuture<DeadLettersResponse> sample(
      CallContext context, List<DeadQueue> asked) {
    DeadGroups groups = new DeadGroups();
    DeadLettersResponse.Builder response = DeadLettersResponse.newBuilder();
    CompletableFuture<Void> all = CompletableFuture.completedFuture(null);
    for (DeadQueue queue : asked) {
      all =
          all.thenCompose(before -> tasks(context, queue.getName(), DEAD_TASKS_MAX))
              .thenAcceptAsync(
                  tasks -> {
                    response.addQueues(queue.toBuilder().setLookedAt(tasks.getTasksCount()));
                    tasks.getTasksList().forEach(groups::add);
                  },
                  insight::execute);
    }
    return all.thenApply(
        done ->
            response
                .addAllGroups(groups.toList())
                .setReadMs(perspective.moment().timeMs())
                .build());
  }

  private CompletableFuture<TasksResponse> tasks(CallContext context, String queue, int limit) {
    TasksRequest request =
        TasksRequest.newBuilder().setQueue(queue).setLimit(limit).setOmitValues(true).build();
    return ask(Method.TASKS, context, request)
        .exceptionallyCompose(
            failure ->
                limit > DEAD_TASKS_MIN && isTooLarge(failure)
                    ? tasks(context, queue, DEAD_TASKS_MIN)
                    : CompletableFuture.failedFuture(failure));
  }

  private static boolean isTooLarge(Throwable failure) {
    return refusal(failure).code() == Status.Code.RESOURCE_EXHAUSTED;
  }

  private CompletableFuture<PoolPolicies> policies() {
    return ask(
            Method.LIST_POLICIES,
            CallContext.of("insight"),
            ListPoliciesRequest.getDefaultInstance())
        .thenApplyAsync(found -> PoolPolicies.of(found.getPoliciesList()), insight::execute);
  }

  private <Q extends Message, S extends Message> CompletableFuture<S> ask(
      Method<Q, S> method, CallContext context, Q request) {
    CompletableFuture<S> response = new CompletableFuture<>();
    Call unused =
        next.handle(
            method,
            context,
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
                response.completeExceptionally(new RefusedException(refusal));
              }
            });
    return response;
  }

  private <S> CompletableFuture<S> look(Function<SweepColumns, S> answer) {
    return perspective.look(this::policies).thenApplyAsync(answer, insight::execute);
  }

  private static <S extends Message> Call answer(
      Method<?, S> method, Reply<S> reply, CompletableFuture<S> answer) {
    CompletableFuture<Void> sent =
        answer.handle(
            (response, failure) -> {
              if (failure == null) {
                reply.send(response);
              } else {
                reply.fail(refusal(failure).of(method.label()));
              }
              return null;
            });
    return () -> sent.cancel(false);
  }

  private static Refusal refusal(Throwable failure) {
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    if (cause instanceof RefusedException refused) {
      return refused.refusal();
    }
    if (cause instanceof EntroQException refused) {
      return Refusal.of(refused);
    }
    LOG.error("A question about queues met a fault of this server.", cause);
    return Refusal.FAULT;
  }
}

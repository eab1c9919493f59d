package io.entroq.service.insight;

import io.entroq.codec.wire.edge.WorkersRequest;
import io.entroq.codec.wire.edge.WorkersResponse;
import io.entroq.engine.gateway.Gateway;
import io.entroq.service.insight.sweep.PoolPolicies;
import io.entroq.service.insight.sweep.QueueWalk;
import io.entroq.service.insight.sweep.SweepColumns;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * What can be told as of then. A state of the past does not change, so it is looked at once, by
 * whoever asks first.
 */
final class PastLook {
  private static final int WORKERS_MAX = 10_000;
  private static final int HELD_MAX = 100_000;

  private final long sequence;
  private final Moment moment;
  private final int queuesMax;
  private final Executor executor;
  private final QueueAnswers answers;
  private CompletableFuture<PoolPolicies> said;

  /** What the queues below know of policies. */
  private CompletableFuture<PoolPolicies> saidOfQueues;

  private CompletableFuture<SweepColumns> queues;
  private CompletableFuture<WorkerBook> workers;

  /**
   * @param sequence of the state
   * @param tally what was counted, also of then
   * @param queuesMax how many queues are remembered
   * @param executor sorts and answers
   */
  PastLook(long sequence, Moment moment, EffectTally tally, int queuesMax, Executor executor) {
    this.sequence = sequence;
    this.moment = moment;
    this.queuesMax = queuesMax;
    this.executor = executor;
    answers = new QueueAnswers(tally, moment);
  }

  /** Whether it is of this state, as of this time. */
  boolean isOf(long otherSequence, long timeMs) {
    return sequence == otherSequence && moment.timeMs() == timeMs;
  }

  /** Answers from what was seen, or sees it through a view that is open meanwhile. */
  Perspective through(Gateway gateway) {
    return new Seen(gateway);
  }

  private synchronized CompletableFuture<PoolPolicies> policies(
      Supplier<CompletableFuture<PoolPolicies>> policies) {
    if (isNeeded(said)) {
      said = policies.get();
    }
    return said.exceptionally(failure -> PoolPolicies.NONE);
  }

  private synchronized CompletableFuture<SweepColumns> queues(
      Gateway gateway, Supplier<CompletableFuture<PoolPolicies>> policies) {
    if (isNeeded(queues) || isNeeded(saidOfQueues)) {
      QueueWalk walk = new QueueWalk(moment::timeMs, queuesMax, executor);
      CompletableFuture<PoolPolicies> dead = policies(policies);
      saidOfQueues = said;
      queues = walk.found().thenCombine(dead, (found, each) -> found.withDead(each.deadQueues()));
      walk.begin(gateway);
    }
    return queues.copy();
  }

  private synchronized CompletableFuture<WorkerBook> workers(Gateway gateway, SweepColumns found) {
    if (isNeeded(workers)) {
      workers = new HolderWalk(gateway, found, new WorkerBook(WORKERS_MAX, HELD_MAX)).begin();
    }
    return workers.copy();
  }

  /** The view of who looked before may have been closed meanwhile. */
  private static boolean isNeeded(CompletableFuture<?> seen) {
    return seen == null || seen.isCompletedExceptionally();
  }

  private final class Seen implements Perspective {
    private final Gateway gateway;

    private Seen(Gateway gateway) {
      this.gateway = gateway;
    }

    @Override
    public Moment moment() {
      return moment;
    }

    @Override
    public QueueAnswers answers() {
      return answers;
    }

    @Override
    public CompletableFuture<PoolPolicies> policies(
        Supplier<CompletableFuture<PoolPolicies>> policies) {
      return PastLook.this.policies(policies);
    }

    @Override
    public CompletableFuture<SweepColumns> look(
        Supplier<CompletableFuture<PoolPolicies>> policies) {
      return queues(gateway, policies);
    }

    @Override
    public long ageNs() {
      return 0;
    }

    @Override
    public Problems problems() {
      return new Problems();
    }

    @Override
    public CompletableFuture<WorkersResponse> workers(
        WorkersRequest request, Supplier<CompletableFuture<PoolPolicies>> policies) {
      return queues(gateway, policies)
          .thenCompose(found -> PastLook.this.workers(gateway, found))
          .thenApplyAsync(book -> WorkerAnswers.workers(request, book, 0), executor);
    }
  }
}

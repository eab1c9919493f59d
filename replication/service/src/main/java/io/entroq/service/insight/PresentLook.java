package io.entroq.service.insight;

import io.entroq.codec.wire.edge.WorkersRequest;
import io.entroq.codec.wire.edge.WorkersResponse;
import io.entroq.service.insight.sweep.PoolPolicies;
import io.entroq.service.insight.sweep.SweepColumns;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What can be told of the present. */
final class PresentLook implements Perspective {
  private static final Logger LOG = LoggerFactory.getLogger(PresentLook.class);
  private static final long POLICIES_NS = TimeUnit.MINUTES.toNanos(1);

  /** If policies have changed. */
  private static final long POLICIES_MIN_NS = TimeUnit.SECONDS.toNanos(1);

  private static final long UNKNOWN = -1;

  /** How long an answer about queues waits for that about policies. */
  private static final long PATIENCE_MS = 200;

  private final Insight insight;
  private final QueueAnswers answers;

  /** When policies were asked for last; 0 before. Guarded by this, as the next two. */
  private long askedNs;

  private long askedWrites;

  /** The answer that is awaited, or the last one. Never fails. */
  private CompletableFuture<PoolPolicies> asked =
      CompletableFuture.completedFuture(PoolPolicies.NONE);

  /** What policies say, as far as known. */
  private volatile PoolPolicies known = PoolPolicies.NONE;

  PresentLook(Insight insight) {
    this.insight = insight;
    answers = new QueueAnswers(insight.tally(), Moment.NOW);
  }

  @Override
  public Moment moment() {
    return Moment.NOW;
  }

  @Override
  public QueueAnswers answers() {
    return answers;
  }

  /**
   * Asks for policies if they have changed, and now and then: they also name dead queues, those
   * that were written before this server began, too.
   */
  @Override
  public synchronized CompletableFuture<PoolPolicies> policies(
      Supplier<CompletableFuture<PoolPolicies>> policies) {
    long nowNs = System.nanoTime();
    long writes = insight.tally().policyWrites();
    long restNs = asked.isDone() && writes != askedWrites ? POLICIES_MIN_NS : POLICIES_NS;
    if (askedNs == 0 || nowNs - askedNs >= restNs) {
      askedNs = nowNs;
      askedWrites = writes;
      asked = policies.get().thenApply(this::take).exceptionally(this::stay);
    }
    return asked.copy().completeOnTimeout(known, PATIENCE_MS, TimeUnit.MILLISECONDS);
  }

  /** After a failure, policies are asked for again soon. */
  private synchronized PoolPolicies stay(Throwable failure) {
    LOG.debug("Pools and dead queues of policies are not known.", failure);
    askedWrites = UNKNOWN;
    return known;
  }

  private PoolPolicies take(PoolPolicies found) {
    found.deadQueues().forEach(insight.tally()::markDead);
    known = found;
    return found;
  }

  @Override
  public CompletableFuture<SweepColumns> look(Supplier<CompletableFuture<PoolPolicies>> policies) {
    CompletableFuture<PoolPolicies> unused = policies(policies);
    return insight.sweep().look();
  }

  @Override
  public long ageNs() {
    return insight.sweep().ageNs();
  }

  @Override
  public Problems problems() {
    return insight.problems();
  }

  @Override
  public CompletableFuture<WorkersResponse> workers(
      WorkersRequest request, Supplier<CompletableFuture<PoolPolicies>> policies) {
    return insight.later(
        () ->
            insight
                .tally()
                .workers(book -> WorkerAnswers.workers(request, book, insight.sinceMs())));
  }
}

package io.entroq.service.insight;

import io.entroq.codec.wire.edge.WorkersRequest;
import io.entroq.codec.wire.edge.WorkersResponse;
import io.entroq.service.insight.sweep.PoolPolicies;
import io.entroq.service.insight.sweep.SweepColumns;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** From where questions are answered: the present, or a view of the past. Any thread. */
interface Perspective {
  Moment moment();

  /** What is told of queues, from each look at them. */
  QueueAnswers answers();

  /**
   * What policies say of queues; soon, perhaps as it was known before. Never fails.
   *
   * @param policies asks for them
   */
  CompletableFuture<PoolPolicies> policies(Supplier<CompletableFuture<PoolPolicies>> policies);

  /**
   * A look at all queues, not too old.
   *
   * @param policies as for {@link #policies}
   * @return completes exceptionally if the engine refuses
   */
  CompletableFuture<SweepColumns> look(Supplier<CompletableFuture<PoolPolicies>> policies);

  /** How old the last look is, in nanoseconds. */
  long ageNs();

  /** What is wrong with the server. */
  Problems problems();

  /**
   * Who works, and on what.
   *
   * @param policies as for {@link #look}
   */
  CompletableFuture<WorkersResponse> workers(
      WorkersRequest request, Supplier<CompletableFuture<PoolPolicies>> policies);
}

package io.entroq.workers;

import io.entroq.api.Claim;
import io.entroq.api.EntroQ;
import io.entroq.api.EntroQException;
import io.entroq.api.Modification;
import io.entroq.api.ModifyResult;
import io.entroq.api.Task;
import io.entroq.api.spi.ForwardingQueue;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;

/**
 * Another queue, except that its blocking Modify, with which a worker commits, goes through a
 * function, and that it counts as closed for claims once there are to be none.
 */
final class GatewayQueue extends ForwardingQueue {
  private final BiFunction<EntroQ, Modification, ModifyResult> commit;
  private final BooleanSupplier mayClaim;

  /**
   * @param mayClaim asked before each claim, on the thread of the worker
   */
  GatewayQueue(
      EntroQ queue,
      BiFunction<EntroQ, Modification, ModifyResult> commit,
      BooleanSupplier mayClaim) {
    super(queue);
    this.commit = commit;
    this.mayClaim = mayClaim;
  }

  @Override
  public ModifyResult modify(Modification modification) {
    return commit.apply(queue(), modification);
  }

  @Override
  public EntroQ withTimeout(Duration timeout) {
    return new GatewayQueue(queue().withTimeout(timeout), commit, mayClaim);
  }

  @Override
  public CompletableFuture<List<Task>> claimAsync(Claim claim) {
    return mayClaim.getAsBoolean()
        ? super.claimAsync(claim)
        : CompletableFuture.failedFuture(new EntroQException.Closed("the gateway has ended"));
  }

  @Override
  public void close() {
    // Of whoever opened it.
  }
}

package io.entroq.workers;

import io.entroq.api.Claim;
import io.entroq.api.DocClaim;
import io.entroq.api.DocClaimResult;
import io.entroq.api.EntroQ;
import io.entroq.api.EntroQException;
import io.entroq.api.Modification;
import io.entroq.api.ModifyResult;
import io.entroq.api.Task;
import io.entroq.api.spi.ForwardingQueue;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;

/**
 * Another queue, except that it has a claimant of its own, that its blocking Modify, with which a
 * worker commits, goes through a function, and that it counts as closed for claims once there are
 * to be none.
 */
final class GatewayQueue extends ForwardingQueue {
  /**
   * Another queue, with a claimant of its own: gateways of one process share their queue, and docs
   * that its claimant holds are free for each of them.
   */
  private static final class Named extends ForwardingQueue {
    private final String claimant;

    Named(EntroQ queue, String claimant) {
      super(queue);
      this.claimant = claimant;
    }

    @Override
    public String claimant() {
      return claimant;
    }

    @Override
    public EntroQ withTimeout(Duration timeout) {
      return new Named(queue().withTimeout(timeout), claimant);
    }

    @Override
    public CompletableFuture<List<Task>> claimAsync(Claim claim) {
      return queue().claimAsync(named(claim));
    }

    @Override
    public CompletableFuture<List<Task>> tryClaimAsync(Claim claim) {
      return queue().tryClaimAsync(named(claim));
    }

    private Claim named(Claim claim) {
      return claim.claimant().isEmpty() ? claim.withClaimant(claimant) : claim;
    }

    @Override
    public ModifyResult modify(Modification modification) {
      return queue().modify(named(modification));
    }

    @Override
    public CompletableFuture<ModifyResult> modifyAsync(Modification modification) {
      return queue().modifyAsync(named(modification));
    }

    private Modification named(Modification modification) {
      return modification.claimant().isEmpty() ? modification.withClaimant(claimant) : modification;
    }

    @Override
    public CompletableFuture<DocClaimResult> claimDocsAsync(DocClaim claim) {
      return queue()
          .claimDocsAsync(claim.claimant().isEmpty() ? claim.withClaimant(claimant) : claim);
    }
  }

  private static final AtomicLong COUNT = new AtomicLong();

  private final BiFunction<EntroQ, Modification, ModifyResult> commit;
  private final BooleanSupplier mayClaim;

  /**
   * A queue of one gateway.
   *
   * @param mayClaim asked before each claim, on the thread of the worker
   */
  static GatewayQueue on(
      EntroQ queue,
      BiFunction<EntroQ, Modification, ModifyResult> commit,
      BooleanSupplier mayClaim) {
    // It begins as that of the queue, because an authorizer wants the subject there.
    String claimant = queue.claimant() + "#" + COUNT.incrementAndGet();
    return new GatewayQueue(new Named(queue, claimant), commit, mayClaim);
  }

  private GatewayQueue(
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

package io.entroq.server.demo.chaos;

import io.entroq.api.Claim;
import io.entroq.api.Doc;
import io.entroq.api.DocClaim;
import io.entroq.api.DocClaimResult;
import io.entroq.api.DocQuery;
import io.entroq.api.EntroQ;
import io.entroq.api.EntroQException;
import io.entroq.api.Modification;
import io.entroq.api.ModifyResult;
import io.entroq.api.NamespaceQuery;
import io.entroq.api.NamespaceStats;
import io.entroq.api.QueueQuery;
import io.entroq.api.QueueStats;
import io.entroq.api.Task;
import io.entroq.api.TaskQuery;
import io.entroq.api.spi.TimeLimitedQueue;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The connection of one worker to the queue, as if the worker were a separate process. It has its
 * own claimant and can be cut, as if the process died; later requests do not reach the queue. Any
 * thread.
 */
final class WorkerLink implements EntroQ {
  private final EntroQ queue;
  private final String claimant;
  private volatile boolean isCut;

  WorkerLink(EntroQ queue, String claimant) {
    this.queue = queue;
    this.claimant = claimant;
  }

  /** Cuts the connection permanently. */
  void cut() {
    isCut = true;
  }

  boolean isCut() {
    return isCut;
  }

  @Override
  public EntroQ withTimeout(Duration timeout) {
    return new TimeLimitedQueue(this, timeout);
  }

  @Override
  public String claimant() {
    return claimant;
  }

  @Override
  public CompletableFuture<List<Task>> claimAsync(Claim claim) {
    return ifOpen(() -> queue.claimAsync(withClaimant(claim)));
  }

  @Override
  public CompletableFuture<List<Task>> tryClaimAsync(Claim claim) {
    return ifOpen(() -> queue.tryClaimAsync(withClaimant(claim)));
  }

  @Override
  public CompletableFuture<ModifyResult> modifyAsync(Modification modification) {
    return ifOpen(() -> queue.modifyAsync(withClaimant(modification)));
  }

  @Override
  public ModifyResult modify(Modification modification) {
    requireOpen();
    return queue.modify(withClaimant(modification));
  }

  @Override
  public CompletableFuture<List<Task>> tasksAsync(TaskQuery query) {
    return ifOpen(() -> queue.tasksAsync(query));
  }

  @Override
  public void forEachTask(TaskQuery query, Consumer<? super Task> consumer) {
    queue.forEachTask(
        query,
        task -> {
          requireOpen();
          consumer.accept(task);
        });
  }

  @Override
  public CompletableFuture<Map<String, Long>> queuesAsync(QueueQuery query) {
    return ifOpen(() -> queue.queuesAsync(query));
  }

  @Override
  public CompletableFuture<Map<String, QueueStats>> queueStatsAsync(QueueQuery query) {
    return ifOpen(() -> queue.queueStatsAsync(query));
  }

  @Override
  public CompletableFuture<DocClaimResult> claimDocsAsync(DocClaim claim) {
    return ifOpen(() -> queue.claimDocsAsync(claim));
  }

  @Override
  public CompletableFuture<List<Doc>> docsAsync(DocQuery query) {
    return ifOpen(() -> queue.docsAsync(query));
  }

  @Override
  public CompletableFuture<Map<String, NamespaceStats>> namespacesAsync(NamespaceQuery query) {
    return ifOpen(() -> queue.namespacesAsync(query));
  }

  @Override
  public CompletableFuture<Instant> timeAsync() {
    return ifOpen(queue::timeAsync);
  }

  /** Cuts this connection; the queue stays open. */
  @Override
  public void close() {
    cut();
  }

  private <T> CompletableFuture<T> ifOpen(Supplier<CompletableFuture<T>> request) {
    try {
      requireOpen();
      return request.get();
    } catch (EntroQException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private void requireOpen() {
    if (isCut) {
      throw new EntroQException.Closed("the worker " + claimant + " is cut off");
    }
  }

  private Claim withClaimant(Claim claim) {
    return claim.claimant().isEmpty() ? claim.withClaimant(claimant) : claim;
  }

  private Modification withClaimant(Modification modification) {
    return modification.claimant().isEmpty() ? modification.withClaimant(claimant) : modification;
  }
}

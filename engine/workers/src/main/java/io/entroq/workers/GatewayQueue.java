package io.entroq.workers;

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
import io.entroq.api.Policies;
import io.entroq.api.QueueQuery;
import io.entroq.api.QueueStats;
import io.entroq.api.Task;
import io.entroq.api.TaskId;
import io.entroq.api.TaskQuery;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Another queue, except that its blocking Modify, with which a worker commits, goes through a
 * function, and that it counts as closed for claims once there are to be none.
 */
final class GatewayQueue implements EntroQ {
  private final EntroQ queue;
  private final BiFunction<EntroQ, Modification, ModifyResult> commit;
  private final BooleanSupplier mayClaim;

  /**
   * @param mayClaim asked before each claim, on the thread of the worker
   */
  GatewayQueue(
      EntroQ queue,
      BiFunction<EntroQ, Modification, ModifyResult> commit,
      BooleanSupplier mayClaim) {
    this.queue = queue;
    this.commit = commit;
    this.mayClaim = mayClaim;
  }

  @Override
  public ModifyResult modify(Modification modification) {
    return commit.apply(queue, modification);
  }

  @Override
  public EntroQ withTimeout(Duration timeout) {
    return new GatewayQueue(queue.withTimeout(timeout), commit, mayClaim);
  }

  @Override
  public String claimant() {
    return queue.claimant();
  }

  @Override
  public CompletableFuture<List<Task>> claimAsync(Claim claim) {
    return mayClaim.getAsBoolean()
        ? queue.claimAsync(claim)
        : CompletableFuture.failedFuture(new EntroQException.Closed("the gateway has ended"));
  }

  @Override
  public CompletableFuture<List<Task>> tryClaimAsync(Claim claim) {
    return queue.tryClaimAsync(claim);
  }

  @Override
  public CompletableFuture<ModifyResult> modifyAsync(Modification modification) {
    return queue.modifyAsync(modification);
  }

  @Override
  public CompletableFuture<List<Task>> tasksAsync(TaskQuery query) {
    return queue.tasksAsync(query);
  }

  @Override
  public CompletableFuture<Map<String, Long>> queuesAsync(QueueQuery query) {
    return queue.queuesAsync(query);
  }

  @Override
  public CompletableFuture<Map<String, QueueStats>> queueStatsAsync(QueueQuery query) {
    return queue.queueStatsAsync(query);
  }

  @Override
  public CompletableFuture<DocClaimResult> claimDocsAsync(DocClaim claim) {
    return queue.claimDocsAsync(claim);
  }

  @Override
  public CompletableFuture<List<Doc>> docsAsync(DocQuery query) {
    return queue.docsAsync(query);
  }

  @Override
  public CompletableFuture<Map<String, NamespaceStats>> namespacesAsync(NamespaceQuery query) {
    return queue.namespacesAsync(query);
  }

  @Override
  public CompletableFuture<Instant> timeAsync() {
    return queue.timeAsync();
  }

  @Override
  public void forEachTask(TaskQuery query, Consumer<? super Task> consumer) {
    queue.forEachTask(query, consumer);
  }

  @Override
  public boolean hasPolicies() {
    return queue.hasPolicies();
  }

  @Override
  public boolean hasPools() {
    return queue.hasPools();
  }

  @Override
  public <T> Optional<T> extension(Class<T> type) {
    return queue.extension(type);
  }

  @Override
  public CompletableFuture<List<Policies.Entry>> policyEntriesAsync(Policies.Query query) {
    return queue.policyEntriesAsync(query);
  }

  @Override
  public CompletableFuture<Optional<Task.Position>> positionAsync(TaskId task) {
    return queue.positionAsync(task);
  }

  @Override
  public void close() {
    // Of whoever opened it.
  }
}

package io.entroq.api.spi;

import io.entroq.api.Claim;
import io.entroq.api.Doc;
import io.entroq.api.DocClaim;
import io.entroq.api.DocClaimResult;
import io.entroq.api.DocQuery;
import io.entroq.api.EntroQ;
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
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * Passes each request on to another queue; subclasses change some of them. A method that waits,
 * such as {@link #modify}, calls the one that does not, so it is enough to override the latter. An
 * embedded queue is quicker if both are overridden. As thread-safe as the other queue.
 */
public abstract class ForwardingQueue implements EntroQ {
  private final EntroQ queue;

  /** Passes requests on to a queue. */
  protected ForwardingQueue(EntroQ queue) {
    this.queue = Objects.requireNonNull(queue, "queue");
  }

  /** The queue that requests are passed on to. */
  protected final EntroQ queue() {
    return queue;
  }

  @Override
  public String claimant() {
    return queue.claimant();
  }

  @Override
  public CompletableFuture<List<Task>> claimAsync(Claim claim) {
    return queue.claimAsync(claim);
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
  public void forEachTask(TaskQuery query, Consumer<? super Task> consumer) {
    queue.forEachTask(query, consumer);
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
  public boolean hasPolicies() {
    return queue.hasPolicies();
  }

  @Override
  public boolean hasPools() {
    return queue.hasPools();
  }

  @Override
  public <T> Optional<T> extension(Class<T> type) {
    return type.isInstance(this) ? Optional.of(type.cast(this)) : queue.extension(type);
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
    queue.close();
  }
}

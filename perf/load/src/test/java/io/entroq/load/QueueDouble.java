package io.entroq.load;

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
import io.entroq.api.QueueQuery;
import io.entroq.api.QueueStats;
import io.entroq.api.Task;
import io.entroq.api.TaskQuery;
import io.entroq.api.spi.TimeLimitedQueue;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * An engine in memory, of which tests override what is to go wrong, and a clock that each claim
 * moves by a millisecond.
 */
class QueueDouble implements EntroQ {
  final EntroQ engine = EmbeddedEntroQ.inMemory();
  final ManualClock clock = new ManualClock();
  final AtomicInteger claims = new AtomicInteger();

  @Override
  public EntroQ withTimeout(Duration timeout) {
    return new TimeLimitedQueue(this, timeout);
  }

  @Override
  public String claimant() {
    return engine.claimant();
  }

  @Override
  public CompletableFuture<List<Task>> claimAsync(Claim claim) {
    return engine.claimAsync(claim);
  }

  @Override
  public CompletableFuture<List<Task>> tryClaimAsync(Claim claim) {
    return engine.tryClaimAsync(claim);
  }

  @Override
  public List<Task> tryClaimMany(Claim claim) {
    claims.incrementAndGet();
    clock.advance(Duration.ofMillis(1));
    return engine.tryClaimMany(claim);
  }

  @Override
  public CompletableFuture<ModifyResult> modifyAsync(Modification modification) {
    return engine.modifyAsync(modification);
  }

  @Override
  public ModifyResult modify(Modification modification) {
    return engine.modify(modification);
  }

  @Override
  public CompletableFuture<List<Task>> tasksAsync(TaskQuery query) {
    return engine.tasksAsync(query);
  }

  @Override
  public CompletableFuture<Map<String, Long>> queuesAsync(QueueQuery query) {
    return engine.queuesAsync(query);
  }

  @Override
  public CompletableFuture<Map<String, QueueStats>> queueStatsAsync(QueueQuery query) {
    return engine.queueStatsAsync(query);
  }

  @Override
  public CompletableFuture<DocClaimResult> claimDocsAsync(DocClaim claim) {
    return engine.claimDocsAsync(claim);
  }

  @Override
  public CompletableFuture<List<Doc>> docsAsync(DocQuery query) {
    return engine.docsAsync(query);
  }

  @Override
  public CompletableFuture<Map<String, NamespaceStats>> namespacesAsync(NamespaceQuery query) {
    return engine.namespacesAsync(query);
  }

  @Override
  public CompletableFuture<Instant> timeAsync() {
    return engine.timeAsync();
  }

  @Override
  public void forEachTask(TaskQuery query, Consumer<? super Task> consumer) {
    engine.forEachTask(query, consumer);
  }

  @Override
  public void close() {
    engine.close();
  }
}

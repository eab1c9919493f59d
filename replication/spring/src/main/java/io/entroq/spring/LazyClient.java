package io.entroq.spring;

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
import io.entroq.client.ClientConfig;
import io.entroq.client.EntroQClient;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A client that connects when it is first used, so that an application starts while its server is
 * away. Calls made while it connects wait for that; if no server answers, they fail with {@link
 * EntroQException.Unavailable}, and the next call tries again. Once it is connected, the client
 * itself follows its servers. Any thread.
 */
final class LazyClient implements EntroQ {
  private final Supplier<? extends EntroQ> connector;
  private final ReentrantLock lock = new ReentrantLock();

  /** The attempt that is under way, or that succeeded; otherwise null. Guarded by the lock. */
  private CompletableFuture<EntroQ> attempt;

  /** Guarded by the lock. */
  private boolean isClosed;

  /** Null until connected; spares calls the lock. */
  private volatile EntroQ client;

  LazyClient(ClientConfig config) {
    this(() -> EntroQClient.connect(config));
  }

  /**
   * @param connector may block; called on a thread of its own, never twice at once
   */
  LazyClient(Supplier<? extends EntroQ> connector) {
    this.connector = connector;
  }

  private CompletableFuture<EntroQ> connection() {
    lock.lock();
    try {
      if (isClosed) {
        return CompletableFuture.failedFuture(closed());
      }
      if (attempt == null) {
        CompletableFuture<EntroQ> started = new CompletableFuture<>();
        Thread thread = new Thread(() -> connect(started), "entroq-connect");
        thread.setDaemon(true);
        thread.start();
        attempt = started;
      }
      return attempt;
    } finally {
      lock.unlock();
    }
  }

  private void connect(CompletableFuture<EntroQ> started) {
    EntroQ connected;
    try {
      connected = connector.get();
    } catch (Throwable e) {
      // An Error too: callers would wait for ever. They get it.
      forget();
      started.completeExceptionally(e);
      return;
    }
    if (keep(connected)) {
      started.complete(connected);
    } else {
      connected.close();
    }
  }

  private void forget() {
    lock.lock();
    try {
      attempt = null;
    } finally {
      lock.unlock();
    }
  }

  private boolean keep(EntroQ connected) {
    lock.lock();
    try {
      if (!isClosed) {
        client = connected;
      }
      return !isClosed;
    } finally {
      lock.unlock();
    }
  }

  private static EntroQException.Closed closed() {
    return new EntroQException.Closed("the client is closed");
  }

  private <T> CompletableFuture<T> call(Function<EntroQ, CompletableFuture<T>> request) {
    EntroQ connected = client;
    return connected != null ? request.apply(connected) : connection().thenCompose(request);
  }

  /** Waits for the connection. */
  private EntroQ connected() {
    try {
      EntroQ connected = client;
      return connected != null ? connected : connection().join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw e;
    }
  }

  /** Connects. */
  @Override
  public String claimant() {
    return connected().claimant();
  }

  @Override
  public CompletableFuture<List<Task>> claimAsync(Claim claim) {
    EntroQ connected = client;
    return connected != null ? connected.claimAsync(claim) : claimOnceConnected(claim);
  }

  /** As with any claim, a cancel ends it: before it is sent, or at the server. */
  @SuppressWarnings("FutureReturnValueIgnored") // What is chained tells the result.
  private CompletableFuture<List<Task>> claimOnceConnected(Claim claim) {
    CompletableFuture<List<Task>> result = new CompletableFuture<>();
    connection()
        .whenComplete(
            (connected, failure) -> {
              if (failure != null) {
                result.completeExceptionally(failure);
              } else if (!result.isDone()) {
                forward(connected, connected.claimAsync(claim), result);
              }
            });
    return result;
  }

  @SuppressWarnings("FutureReturnValueIgnored") // As above; a lease ends by itself, too.
  private static void forward(
      EntroQ queue, CompletableFuture<List<Task>> claim, CompletableFuture<List<Task>> result) {
    result.whenComplete((tasks, end) -> claim.cancel(false));
    claim.whenComplete(
        (tasks, failure) -> {
          if (failure != null) {
            result.completeExceptionally(failure);
          } else if (!result.complete(tasks) && !tasks.isEmpty()) {
            // Answered and cancelled at the same time: nobody works on them.
            Modification.Builder release = Modification.builder();
            tasks.forEach(task -> release.add(Modification.release(task)));
            queue.modifyAsync(release.build());
          }
        });
  }

  @Override
  public CompletableFuture<List<Task>> tryClaimAsync(Claim claim) {
    return call(queue -> queue.tryClaimAsync(claim));
  }

  @Override
  public CompletableFuture<ModifyResult> modifyAsync(Modification modification) {
    return call(queue -> queue.modifyAsync(modification));
  }

  @Override
  public CompletableFuture<List<Task>> tasksAsync(TaskQuery query) {
    return call(queue -> queue.tasksAsync(query));
  }

  @Override
  public void forEachTask(TaskQuery query, Consumer<? super Task> consumer) {
    connected().forEachTask(query, consumer);
  }

  @Override
  public CompletableFuture<Map<String, Long>> queuesAsync(QueueQuery query) {
    return call(queue -> queue.queuesAsync(query));
  }

  @Override
  public CompletableFuture<Map<String, QueueStats>> queueStatsAsync(QueueQuery query) {
    return call(queue -> queue.queueStatsAsync(query));
  }

  @Override
  public CompletableFuture<DocClaimResult> claimDocsAsync(DocClaim claim) {
    return call(queue -> queue.claimDocsAsync(claim));
  }

  @Override
  public CompletableFuture<List<Doc>> docsAsync(DocQuery query) {
    return call(queue -> queue.docsAsync(query));
  }

  @Override
  public CompletableFuture<Map<String, NamespaceStats>> namespacesAsync(NamespaceQuery query) {
    return call(queue -> queue.namespacesAsync(query));
  }

  @Override
  public CompletableFuture<Instant> timeAsync() {
    return call(EntroQ::timeAsync);
  }

  /** Connects. */
  @Override
  public boolean hasPolicies() {
    return connected().hasPolicies();
  }

  /** Connects. */
  @Override
  public boolean hasPools() {
    return connected().hasPools();
  }

  /** Connects only for what a client has: workers ask for something else before they start. */
  @Override
  public <T> Optional<T> extension(Class<T> type) {
    return type.isAssignableFrom(EntroQClient.class)
        ? connected().extension(type)
        : Optional.empty();
  }

  @Override
  public CompletableFuture<List<Policies.Entry>> policyEntriesAsync(Policies.Query query) {
    return call(queue -> queue.policyEntriesAsync(query));
  }

  @Override
  public CompletableFuture<Optional<Task.Position>> positionAsync(TaskId task) {
    return call(queue -> queue.positionAsync(task));
  }

  @Override
  public void close() {
    CompletableFuture<EntroQ> pending;
    lock.lock();
    try {
      isClosed = true;
      pending = attempt;
    } finally {
      lock.unlock();
    }
    EntroQ connected = client;
    if (connected != null) {
      connected.close();
    } else if (pending != null) {
      pending.completeExceptionally(closed());
    }
  }
}

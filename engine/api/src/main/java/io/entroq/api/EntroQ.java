package io.entroq.api;

import io.entroq.codec.wire.Times;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * A task queue that many workers compete on.
 *
 * <p>Two operations write. A <em>claim</em> takes available tasks under a lease. A <em>modify</em>
 * inserts, changes and deletes any set of tasks and docs, all or nothing. Work may run twice but
 * commits once, because a commit names the task version it holds.
 *
 * <pre>{@code
 * queue.modify(Modification.insert("inbox", "hello")).orThrow();
 * Task task = queue.claim(Claim.from("inbox"));
 * queue.modify(Modification.delete(task)).orThrow();
 * }</pre>
 *
 * <p>The interface is the same for an embedded engine, a server and a replicated cluster. All
 * methods may be called from any thread, including virtual threads. Most blocking methods have an
 * asynchronous form whose future carries the same result or exception. Futures complete on a thread
 * of the implementation, so dependent stages must be quick or use the {@code Async} methods of
 * {@link CompletableFuture}.
 *
 * <p>All methods fail with an {@link EntroQException}: {@link EntroQException.InvalidArgument} if
 * the request can never succeed; {@link EntroQException.ResourceExhausted} or {@link
 * EntroQException.Unavailable} if nothing was done but a retry may succeed; {@link
 * EntroQException.Closed} after {@link #close()}.
 */
public interface EntroQ extends AutoCloseable {
  /**
   * Connects to a server or cluster with default settings, using the client on the class path. The
   * artifact {@code io.entroq:entroq-client} provides one; its own classes offer more options.
   *
   * @param address host and port, such as {@code queue.example.com:37706}; for a cluster, those of
   *     one or more members, separated by commas
   * @throws EntroQException.InvalidArgument if the address is malformed
   * @throws EntroQException.Unavailable if no server answers
   * @throws IllegalStateException if there is no client on the class path
   */
  static EntroQ connect(String address) {
    return ServiceLoader.load(Connector.class)
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalStateException(
                    "cannot connect to "
                        + address
                        + ": no client on the class path; add io.entroq:entroq-client"))
        .connect(address);
  }

  /**
   * This queue, with a time for each call: one that has no answer by then ends, as soon as that is
   * noticed, which takes a few milliseconds.
   *
   * <pre>{@code
   * ModifyResult result = queue.withTimeout(Duration.ofSeconds(2)).modify(modification);
   * }</pre>
   *
   * <ul>
   *   <li>A read fails with {@link EntroQException.Unavailable}.
   *   <li>Any call that had no room until then fails with {@link
   *       EntroQException.ResourceExhausted}: nothing was done.
   *   <li>A claim that waits fails with {@link EntroQException.TimedOut}. What it was assigned
   *       meanwhile is returned; if the server is away, when the lease ends. If {@link
   *       Claim#maxWait()} is over before, it ends as always.
   *   <li>A modification that is known not to have been sent fails with {@link
   *       EntroQException.Unavailable}: nothing was done, and nothing will be. Otherwise it ends
   *       with {@link ModifyResult.OutcomeUnknown}: it may have been applied, may still be, or
   *       never is. It is not sent again. Either read the state, or repeat it: a change or a delete
   *       names the version that it read, so a second one fails with a dependency failure. An
   *       insert under an id of your own, with {@link #modifySkippingColliding(Modification)},
   *       collides only while the first task exists. If a worker may have finished that meanwhile,
   *       insert a doc in the same modification that nobody deletes.
   *   <li>A claim that does not wait, of tasks or docs, likewise fails with {@link
   *       EntroQException.Unavailable} or {@link EntroQException.OutcomeUnknown}. What was claimed
   *       in vain is free again when its lease ends.
   * </ul>
   *
   * <p>Methods that send several requests, such as {@link #popAll} and {@link
   * #modifySkippingColliding(Modification)}, have the time for each. So has {@link #forEachTask}
   * for each part of its listing that comes from a server. Feeds are not limited, and workers wait
   * for tasks as long as it takes.
   *
   * @param timeout at least 1 ms; replaces any other time for a call, such as one of a client's
   *     configuration
   * @return the same queue: its claimant is the same, and to close one closes both
   * @throws EntroQException.InvalidArgument if the timeout is less than 1 ms
   */
  EntroQ withTimeout(Duration timeout);

  /** The claimant of requests that do not name one. Not empty, and unique to this EntroQ. */
  String claimant();

  /**
   * Claims tasks, waiting for the first one.
   *
   * <p>The future completes with 1 to {@link Claim#limit()} tasks as soon as one is available, or
   * with an empty list after {@link Claim#maxWait()}. Cancelling it ends the claim: tasks it was
   * assigned in the meantime are returned to their queues. Cancelling a derived future does
   * nothing.
   */
  CompletableFuture<List<Task>> claimAsync(Claim claim);

  /** Claims up to {@link Claim#limit()} tasks that are available now, without waiting. */
  CompletableFuture<List<Task>> tryClaimAsync(Claim claim);

  /** Applies a modification, all or nothing. Cancelling the future does not undo it. */
  CompletableFuture<ModifyResult> modifyAsync(Modification modification);

  /**
   * Reads tasks with the consistency of {@link #forEachTask}, in a single response.
   *
   * <p>Fails with {@link EntroQException.ResourceExhausted} if the response would be too large.
   */
  CompletableFuture<List<Task>> tasksAsync(TaskQuery query);

  /** Reads the number of tasks by queue. A queue without tasks does not exist. */
  CompletableFuture<Map<String, Long>> queuesAsync(QueueQuery query);

  /** Reads statistics by queue. A queue without tasks does not exist. */
  CompletableFuture<Map<String, QueueStats>> queueStatsAsync(QueueQuery query);

  /**
   * Claims doc sets, all or none if others hold some of them. It never waits.
   *
   * <p>Cancelling the future does not undo the claim: the sets are free again when the lease ends.
   */
  CompletableFuture<DocClaimResult> claimDocsAsync(DocClaim claim);

  /**
   * Reads docs, each as it was at one moment. A doc that does not change during the call is
   * returned exactly once.
   *
   * <p>Fails with {@link EntroQException.ResourceExhausted} if the response would be too large.
   */
  CompletableFuture<List<Doc>> docsAsync(DocQuery query);

  /** Reads statistics by namespace. A namespace without docs does not exist. */
  CompletableFuture<Map<String, NamespaceStats>> namespacesAsync(NamespaceQuery query);

  /** Reads the engine's clock, which governs leases and arrival times, in whole milliseconds. */
  CompletableFuture<Instant> timeAsync();

  /**
   * Whether there are policies: rules of queues, limiters and pauses, reported failures, tasks that
   * expire or have a trace, and positions. They need an engine's log of behavior level 8, or a
   * server that has it. Requests that need them fail with {@link EntroQException.InvalidArgument}
   * where there are none. May ask a server, and then fails as a read does.
   */
  default boolean hasPolicies() {
    return false;
  }

  /**
   * Whether policies may make pools and topics, and name weights and ranks. They need an engine's
   * log of behavior level 9, or a server that has it. May ask a server, and then fails as a read
   * does.
   */
  default boolean hasPools() {
    return false;
  }

  /**
   * What this queue offers beyond this interface, such as a {@code io.entroq.api.feed.FeedSource}.
   * A queue that passes calls on to another one should pass this one on as well.
   *
   * @param <T> the interface of the extension
   * @return empty if it does not offer that
   */
  default <T> Optional<T> extension(Class<T> type) {
    return type.isInstance(this) ? Optional.of(type.cast(this)) : Optional.empty();
  }

  /** Reads entries of the {@link #policies()}, in no particular order. */
  default CompletableFuture<List<Policies.Entry>> policyEntriesAsync(Policies.Query query) {
    return CompletableFuture.failedFuture(noPolicies());
  }

  /** Reads where a task stands in its queue; empty if it does not exist. */
  default CompletableFuture<Optional<Task.Position>> positionAsync(TaskId task) {
    return CompletableFuture.failedFuture(noPolicies());
  }

  private static EntroQException noPolicies() {
    return new EntroQException.InvalidArgument(
        "there are no policies and no positions here; EntroQ.hasPolicies() tells");
  }

  /**
   * Claims one task, waiting for it.
   *
   * @throws InterruptedException if the caller was interrupted; the claim is cancelled
   * @throws EntroQException.TimedOut if no task was available within {@link Claim#maxWait()}
   */
  default Task claim(Claim claim) throws InterruptedException {
    List<Task> tasks = claimMany(claim.withLimit(1));
    if (tasks.isEmpty()) {
      throw new EntroQException.TimedOut(
          "no task in " + claim.queues() + " within " + claim.maxWait());
    }
    return tasks.get(0);
  }

  /**
   * Claims one task, waiting at most {@code maxWait}.
   *
   * @return empty if no task was available within that time
   * @throws InterruptedException if the caller was interrupted; the claim is cancelled
   */
  default Optional<Task> claim(Claim claim, Duration maxWait) throws InterruptedException {
    return claimMany(claim.withLimit(1).withMaxWait(maxWait)).stream().findFirst();
  }

  /**
   * Claims tasks, waiting for the first one.
   *
   * @return 1 to {@link Claim#limit()} tasks; empty after {@link Claim#maxWait()}
   * @throws InterruptedException if the caller was interrupted; the claim is cancelled
   */
  default List<Task> claimMany(Claim claim) throws InterruptedException {
    return awaitOrCancel(claimAsync(claim));
  }

  /** Claims one task if one is available now. */
  default Optional<Task> tryClaim(Claim claim) {
    return tryClaimMany(claim.withLimit(1)).stream().findFirst();
  }

  /** Claims up to {@link Claim#limit()} tasks that are available now, without waiting. */
  default List<Task> tryClaimMany(Claim claim) {
    return await(tryClaimAsync(claim));
  }

  /**
   * Takes all tasks that are available, until there is none: claims up to {@link Claim#limit()},
   * deletes them all or none, hands them over, and claims the next.
   *
   * <p>What is handed over is gone already: if the consumer fails, it is lost. Work that must not
   * be lost needs a {@link io.entroq.api.worker.Worker} or a {@link
   * io.entroq.api.worker.ClaimLoop}.
   *
   * @return how many were handed over
   * @throws EntroQException.Dependency if a lease ended before its task was deleted; those of this
   *     claim are not deleted
   * @throws EntroQException.OutcomeUnknown if a reply was lost; those of this claim may be deleted
   */
  default long popAll(Claim claim, Consumer<? super Task> consumer) {
    long popped = 0;
    while (true) {
      List<Task> tasks = tryClaimMany(claim);
      if (tasks.isEmpty()) {
        return popped;
      }
      Modification.Builder deletion = Modification.builder();
      tasks.forEach(deletion::delete);
      modify(deletion.build().withClaimant(claim.claimant())).orThrow();
      tasks.forEach(consumer);
      popped += tasks.size();
    }
  }

  /**
   * Applies a modification, all or nothing.
   *
   * <p>Check the result, by its type or with {@link ModifyResult#orThrow()}: a dependency failure
   * is returned, not thrown. An interrupt does not end the wait, since the outcome would then be
   * unknown; it stays pending.
   */
  default ModifyResult modify(Modification modification) {
    return await(modifyAsync(modification));
  }

  /**
   * Reads tasks with the consistency of {@link #forEachTask}, in a single response.
   *
   * @throws EntroQException.ResourceExhausted if the response would be too large; {@link
   *     #forEachTask} has no such limit
   */
  default List<Task> tasks(TaskQuery query) {
    return await(tasksAsync(query));
  }

  /**
   * Reads tasks and passes each to a consumer on the calling thread. The listing may have any
   * length: tasks are read in pages, and a slow consumer delays nobody else.
   *
   * <p>A task that is in the queue throughout the listing is passed exactly once, as it was at some
   * moment during the listing. A task that enters or leaves meanwhile is passed once or not at all.
   * No id is passed twice. Whether a task matches is decided when it is read.
   *
   * <p>The consumer may call this EntroQ. If it throws, the listing ends with that exception. An
   * interrupt does not end the listing; it stays pending.
   *
   * @throws EntroQException.ResourceExhausted if the server is too busy to read the next page; as
   *     with every exception, some tasks may already have been passed
   */
  void forEachTask(TaskQuery query, Consumer<? super Task> consumer);

  /** Reads the number of tasks by queue. A queue without tasks does not exist. */
  default Map<String, Long> queues(QueueQuery query) {
    return await(queuesAsync(query));
  }

  /** Reads statistics by queue. A queue without tasks does not exist. */
  default Map<String, QueueStats> queueStats(QueueQuery query) {
    return await(queueStatsAsync(query));
  }

  /** Claims doc sets, all or none if others hold some of them. It never waits. */
  default DocClaimResult claimDocs(DocClaim claim) {
    return await(claimDocsAsync(claim));
  }

  /**
   * Reads docs, each as it was at one moment. A doc that does not change during the call is
   * returned exactly once.
   *
   * @throws EntroQException.ResourceExhausted if the response would be too large
   */
  default List<Doc> docs(DocQuery query) {
    return await(docsAsync(query));
  }

  /** Reads statistics by namespace. A namespace without docs does not exist. */
  default Map<String, NamespaceStats> namespaces(NamespaceQuery query) {
    return await(namespacesAsync(query));
  }

  /** Reads the engine's clock, which governs leases and arrival times, in whole milliseconds. */
  default Instant time() {
    return await(timeAsync());
  }

  /** The rules of queues and limiters, and what is paused. */
  default Policies policies() {
    return new Policies(this);
  }

  /** Reads entries of the {@link #policies()}, in no particular order. */
  default List<Policies.Entry> policyEntries(Policies.Query query) {
    return await(policyEntriesAsync(query));
  }

  /**
   * Pauses a queue for a time: no claim gets a task of it. Everything else goes on.
   *
   * @param length counted from now, more than zero and at most 366 days
   */
  default Policies.Entry pause(String queue, Duration length) {
    return policies().pause(Policies.Target.queue(queue), length);
  }

  /** Pauses a queue until it is resumed: no claim gets a task of it. Everything else goes on. */
  default Policies.Entry pause(String queue) {
    return policies().pause(Policies.Target.queue(queue));
  }

  /** Ends the pause of a queue; does nothing if there is none. */
  default void resume(String queue) {
    policies().resume(Policies.Target.queue(queue));
  }

  /** Reads where a task stands in its queue; empty if it does not exist. */
  default Optional<Task.Position> position(TaskId task) {
    return await(positionAsync(task));
  }

  /** {@link #modifySkippingColliding(Modification, Predicate)} that may skip any insert. */
  default ModifyResult modifySkippingColliding(Modification modification) {
    return modifySkippingColliding(modification, insert -> true);
  }

  /**
   * Applies a modification but skips inserts whose ids are taken, so that inserting is safe to
   * repeat.
   *
   * <p>If the modification fails only because of such inserts, it is sent again without them, as a
   * separate request. Otherwise the failure is returned.
   *
   * @param skippable which inserts may be skipped
   * @return the result of the last request, without the skipped inserts
   */
  default ModifyResult modifySkippingColliding(
      Modification modification, Predicate<Insert> skippable) {
    return await(modifySkippingCollidingAsync(modification, skippable));
  }

  /** Sends at most one request more than there are inserts: each retry skips one or more. */
  private CompletableFuture<ModifyResult> modifySkippingCollidingAsync(
      Modification modification, Predicate<Insert> skippable) {
    return modifyAsync(modification)
        .thenCompose(
            result ->
                result instanceof ModifyResult.DependencyFailure failure
                    ? modification
                        .withoutTaken(failure, skippable)
                        .map(rest -> modifyRestAsync(rest, skippable))
                        .orElseGet(() -> CompletableFuture.completedFuture(result))
                    : CompletableFuture.completedFuture(result));
  }

  /** Nothing is sent if nothing is left. */
  private CompletableFuture<ModifyResult> modifyRestAsync(
      Modification rest, Predicate<Insert> skippable) {
    return rest.isEmpty()
        ? CompletableFuture.completedFuture(
            new ModifyResult.Committed(List.of(), List.of(), List.of()))
        : modifySkippingCollidingAsync(rest, skippable);
  }

  /**
   * Renews the leases of tasks, all or none. Their values are not sent.
   *
   * @param tasks claimed tasks at their latest versions
   * @param lease the new lease, counted from now; zero or more
   * @return the renewed tasks with their new versions, in the same order
   * @throws EntroQException.Dependency if one of them is no longer held; none is renewed
   * @throws EntroQException.OutcomeUnknown if the reply was lost; they may have been renewed
   */
  default List<Task> renewAll(Collection<Task> tasks, Duration lease) {
    if (tasks.isEmpty()) {
      return List.of();
    }
    Modification.Builder renewal = Modification.builder();
    tasks.forEach(task -> renewal.renew(task, lease));
    return modify(renewal.build()).orThrow().changed();
  }

  /**
   * Whether all matching queues are empty.
   *
   * @throws EntroQException.InvalidArgument if the query names no queues
   */
  default boolean areQueuesEmpty(QueueQuery query) {
    if (query.matchesAll()) {
      throw new EntroQException.InvalidArgument("the query must name queues or prefixes");
    }
    return queues(query.withLimit(1)).isEmpty();
  }

  /**
   * Waits until all matching queues are empty, polling often at first and then every second.
   *
   * @throws InterruptedException if the caller was interrupted
   * @throws EntroQException.InvalidArgument if the query names no queues
   */
  default void waitQueuesEmpty(QueueQuery query) throws InterruptedException {
    waitQueuesEmpty(query, Claim.FOREVER);
  }

  /**
   * Waits until all matching queues are empty, polling often at first and then every second.
   *
   * @param maxWait how long to wait at most; zero or more
   * @return whether they are empty
   * @throws InterruptedException if the caller was interrupted
   * @throws EntroQException.InvalidArgument if the query names no queues
   */
  default boolean waitQueuesEmpty(QueueQuery query, Duration maxWait) throws InterruptedException {
    long startNanos = System.nanoTime();
    long pauseMs = 1;
    while (!areQueuesEmpty(query)) {
      long passedMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNanos);
      long leftMs = Times.toMs(maxWait) - passedMs;
      if (leftMs <= 0) {
        return false;
      }
      Thread.sleep(Math.min(pauseMs, leftMs));
      pauseMs = Math.min(2 * pauseMs, 1_000);
    }
    return true;
  }

  /** Waits uninterruptibly; an interrupt stays pending. */
  private static <T> T await(CompletableFuture<T> future) {
    try {
      return future.join();
    } catch (CompletionException e) {
      throw unwrap(e.getCause());
    }
  }

  /** Waits; an interrupt cancels the future. */
  private static <T> T awaitOrCancel(CompletableFuture<T> future) throws InterruptedException {
    try {
      return future.get();
    } catch (ExecutionException e) {
      throw unwrap(e.getCause());
    } catch (CancellationException e) {
      throw new EntroQException.Closed("another thread cancelled the claim", e);
    } catch (InterruptedException e) {
      future.cancel(false);
      throw e;
    }
  }

  private static RuntimeException unwrap(Throwable cause) {
    if (cause instanceof Error error) {
      throw error;
    }
    return cause instanceof RuntimeException known
        ? known
        : new EntroQException.Unavailable("request failed: " + cause, cause);
  }

  /**
   * Ends waiting calls with {@link EntroQException.Closed} and releases all resources. Idempotent.
   */
  @Override
  void close();

  /**
   * Service that {@link EntroQ#connect} finds with {@link ServiceLoader}; the artifact {@code
   * io.entroq:entroq-client} provides one.
   */
  interface Connector {
    /**
     * Connects to a server or cluster with default settings.
     *
     * @param address host and port, or several separated by commas
     * @throws EntroQException.InvalidArgument if the address is malformed
     * @throws EntroQException.Unavailable if no server answers
     */
    EntroQ connect(String address);
  }
}

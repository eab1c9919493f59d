package io.entroq.api;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * A task queue that many workers compete on.
 *
 * <p>Two operations write. A <em>claim</em> takes available tasks under a lease. A <em>modify</em>
 * inserts, changes and deletes any set of tasks and docs: all of them or none. Work may be done
 * twice, but is committed once, because a commit names the version of the task that it holds.
 *
 * <pre>{@code
 * queue.modify(Modification.insert("inbox", "hello")).orThrow();
 * Task task = queue.claim(Claim.from("inbox"));
 * queue.modify(Modification.delete(task)).orThrow();
 * }</pre>
 *
 * <p>The interface is the same for an embedded engine, a server and a replicated cluster. All
 * methods may be called from any thread, including virtual ones. Each blocking method has a form
 * that returns a future with the same result or exception. Futures complete on a thread of the
 * implementation, so dependent stages must be quick or use the {@code Async} methods of {@link
 * CompletableFuture}.
 *
 * <p>All methods fail with an {@link EntroQException}: {@link EntroQException.InvalidArgument} if
 * the request can never succeed; {@link EntroQException.ResourceExhausted} or {@link
 * EntroQException.Unavailable} if nothing was done but a retry may succeed; {@link
 * EntroQException.Closed} after {@link #close()}.
 */
public interface EntroQ extends AutoCloseable {
  /**
   * Connects to a server, with defaults for everything else, by the client on the class path: the
   * artifact {@code io.entroq:entroq-client}, whose own classes take more than an address.
   *
   * @param address host and port, as {@code queue.example.com:37706}; of a cluster those of its
   *     members with commas in between, of which any one will do
   * @throws EntroQException.InvalidArgument if it is no address
   * @throws EntroQException.Unavailable if nobody answers there
   * @throws IllegalStateException if there is no client on the class path
   */
  static EntroQ connect(String address) {
    return ServiceLoader.load(Connector.class)
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalStateException(
                    "no client to connect to "
                        + address
                        + " with: add io.entroq:entroq-client to the class path"))
        .connect(address);
  }

  /** The claimant of requests that name none: a text that is unique to this EntroQ. Not empty. */
  String claimant();

  /**
   * Claims tasks, waiting for the first one.
   *
   * <p>The future completes with 1 to {@link Claim#limit()} tasks as soon as one is available, or
   * with none after {@link Claim#maxWait()}. Cancelling it ends the claim: it is no longer waiting,
   * and tasks that it was assigned just before are given back, so that nothing stays locked.
   * Cancelling a future that was derived from it does nothing.
   */
  CompletableFuture<List<Task>> claimAsync(Claim claim);

  /** Claims up to {@link Claim#limit()} tasks that are available now; perhaps none. */
  CompletableFuture<List<Task>> tryClaimAsync(Claim claim);

  /**
   * Applies a modification atomically: all of it or nothing.
   *
   * <p>Cancelling the future undoes nothing.
   */
  CompletableFuture<ModifyResult> modifyAsync(Modification modification);

  /**
   * Reads tasks, each as it was at one moment, as {@link #forEachTask} does; all in one answer.
   *
   * <p>Fails with {@link EntroQException.ResourceExhausted} if the answer would be too long.
   */
  CompletableFuture<List<Task>> tasksAsync(TaskQuery query);

  /** Reads names of queues and how many tasks they have; a queue without tasks does not exist. */
  CompletableFuture<Map<String, Long>> queuesAsync(QueueQuery query);

  /** Reads statistics of queues, by name; a queue without tasks does not exist. */
  CompletableFuture<Map<String, QueueStats>> queueStatsAsync(QueueQuery query);

  /**
   * Claims all docs of one key, or none if others hold some of them. It never waits.
   *
   * <p>Cancelling the future undoes nothing: the docs become free when the lease ends.
   */
  CompletableFuture<DocClaimResult> claimDocsAsync(DocClaim claim);

  /**
   * Reads docs, each as it was at one moment. A doc that stays as it is from the beginning to the
   * end is shown exactly once.
   *
   * <p>Fails with {@link EntroQException.ResourceExhausted} if the answer would be too long.
   */
  CompletableFuture<List<Doc>> docsAsync(DocQuery query);

  /** Reads statistics of namespaces, by name; a namespace without docs does not exist. */
  CompletableFuture<Map<String, NamespaceStats>> namespacesAsync(NamespaceQuery query);

  /** Reads the engine's clock, by which leases end and tasks arrive; it has milliseconds. */
  CompletableFuture<Instant> timeAsync();

  /**
   * Claims one task, waiting for it.
   *
   * @throws InterruptedException if the caller was interrupted; the claim is cancelled
   * @throws EntroQException.TimedOut if there was none within {@link Claim#maxWait()}
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
   * Claims one task, waiting for it no longer than {@code maxWait}.
   *
   * @return empty if there was none within that time
   * @throws InterruptedException if the caller was interrupted; the claim is cancelled
   */
  default Optional<Task> claim(Claim claim, Duration maxWait) throws InterruptedException {
    return claimMany(claim.withLimit(1).withMaxWait(maxWait)).stream().findFirst();
  }

  /**
   * Claims tasks, waiting for the first one.
   *
   * @return 1 to {@link Claim#limit()} tasks; none if there were none within {@link
   *     Claim#maxWait()}
   * @throws InterruptedException if the caller was interrupted; the claim is cancelled
   */
  default List<Task> claimMany(Claim claim) throws InterruptedException {
    return Blocking.awaitOrCancel(claimAsync(claim));
  }

  /** Claims one task if there is one now. */
  default Optional<Task> tryClaim(Claim claim) {
    return tryClaimMany(claim.withLimit(1)).stream().findFirst();
  }

  /** Claims up to {@link Claim#limit()} tasks that are available now; perhaps none. */
  default List<Task> tryClaimMany(Claim claim) {
    return Blocking.await(tryClaimAsync(claim));
  }

  /**
   * Applies a modification atomically: all of it or nothing.
   *
   * <p>Check the result, by its type or with {@link ModifyResult#orThrow()}: a dependency failure
   * is returned, not thrown. An interrupt does not end the wait, as the outcome would be unknown;
   * it stays pending.
   */
  default ModifyResult modify(Modification modification) {
    return Blocking.await(modifyAsync(modification));
  }

  /**
   * Reads tasks, each as it was at one moment, as {@link #forEachTask} does; all in one answer.
   *
   * @throws EntroQException.ResourceExhausted if that would be too long
   */
  default List<Task> tasks(TaskQuery query) {
    return Blocking.await(tasksAsync(query));
  }

  /**
   * Reads tasks and hands each to a consumer on the calling thread: a listing of any length, for
   * which neither side ever holds more than a small part of it. Others are not held up, however
   * slow the consumer is.
   *
   * <p>A task that is in the queue from the beginning to the end is shown exactly once, as it is at
   * some moment in between; one that comes, goes or returns meanwhile is shown once or not at all,
   * and no id is shown twice. Which tasks match is decided at the moment at which each is read.
   *
   * <p>The consumer may call this EntroQ. If it throws, the listing ends and the exception passes
   * through. An interrupt does not end the listing; it is still pending afterwards.
   *
   * @throws EntroQException.ResourceExhausted if there was no room for the request for a further
   *     part; as with every exception, some tasks may have been shown by then
   */
  void forEachTask(TaskQuery query, Consumer<? super Task> consumer);

  /** Reads names of queues and how many tasks they have; a queue without tasks does not exist. */
  default Map<String, Long> queues(QueueQuery query) {
    return Blocking.await(queuesAsync(query));
  }

  /** Reads statistics of queues, by name; a queue without tasks does not exist. */
  default Map<String, QueueStats> queueStats(QueueQuery query) {
    return Blocking.await(queueStatsAsync(query));
  }

  /** Claims all docs of one key, or none if others hold some of them. It never waits. */
  default DocClaimResult claimDocs(DocClaim claim) {
    return Blocking.await(claimDocsAsync(claim));
  }

  /**
   * Reads docs, each as it was at one moment. A doc that stays as it is from the beginning to the
   * end is shown exactly once.
   *
   * @throws EntroQException.ResourceExhausted if that would be too long
   */
  default List<Doc> docs(DocQuery query) {
    return Blocking.await(docsAsync(query));
  }

  /** Reads statistics of namespaces, by name; a namespace without docs does not exist. */
  default Map<String, NamespaceStats> namespaces(NamespaceQuery query) {
    return Blocking.await(namespacesAsync(query));
  }

  /** Reads the engine's clock, by which leases end and tasks arrive; it has milliseconds. */
  default Instant time() {
    return Blocking.await(timeAsync());
  }

  /**
   * {@link #modifySkippingColliding(Modification, Predicate)}, where any insert may be left out.
   */
  default ModifyResult modifySkippingColliding(Modification modification) {
    return modifySkippingColliding(modification, insert -> true);
  }

  /**
   * Applies a modification without the inserts whose ids are taken: an insertion that is safe to
   * repeat.
   *
   * <p>If ids of inserts are all that stands in the way and all of those may be left out, the rest
   * is tried again, in a request of its own. Otherwise the failure is the result.
   *
   * @param skippable which inserts may be left out
   * @return what came of the last request; of inserts that were left out it says nothing
   */
  default ModifyResult modifySkippingColliding(
      Modification modification, Predicate<Insert> skippable) {
    return Blocking.await(modifySkippingCollidingAsync(modification, skippable));
  }

  /** Ends after at most as many requests as there are inserts: each leaves out one or more. */
  private CompletableFuture<ModifyResult> modifySkippingCollidingAsync(
      Modification modification, Predicate<Insert> skippable) {
    return modifyAsync(modification)
        .thenCompose(
            result ->
                result instanceof ModifyResult.DependencyFailure failure
                    ? modification
                        .withoutTaken(failure, skippable)
                        .map(rest -> modifySkippingCollidingAsync(rest, skippable))
                        .orElseGet(() -> CompletableFuture.completedFuture(result))
                    : CompletableFuture.completedFuture(result));
  }

  /**
   * Renews the leases of tasks, all or none.
   *
   * @param tasks as they are held
   * @param lease from now on; zero or more
   * @return the tasks as they are now, in the same order
   * @throws EntroQException.Dependency if one of them is no longer held; none is renewed
   * @throws EntroQException.OutcomeUnknown if nobody knows whether they were renewed
   */
  default List<Task> renewAll(Collection<Task> tasks, Duration lease) {
    Modification.Builder renewal = Modification.builder();
    tasks.forEach(task -> renewal.change(Change.of(task).availableIn(lease)));
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
   * Waits until all matching queues are empty, looking often at first and then every second.
   *
   * @throws InterruptedException if the caller was interrupted
   * @throws EntroQException.InvalidArgument if the query names no queues
   */
  default void waitQueuesEmpty(QueueQuery query) throws InterruptedException {
    waitQueuesEmpty(query, Claim.FOREVER);
  }

  /**
   * Waits until all matching queues are empty, looking often at first and then every second.
   *
   * @param maxWait how long; zero or more
   * @return whether they are empty
   * @throws InterruptedException if the caller was interrupted
   * @throws EntroQException.InvalidArgument if the query names no queues
   */
  default boolean waitQueuesEmpty(QueueQuery query, Duration maxWait) throws InterruptedException {
    return Blocking.poll(() -> areQueuesEmpty(query), maxWait);
  }

  /**
   * Ends waiting calls with {@link EntroQException.Closed} and releases all resources. Further
   * calls do nothing.
   */
  @Override
  void close();

  /**
   * Connects to servers. {@link EntroQ#connect} uses the one that {@link ServiceLoader} finds; the
   * artifact {@code io.entroq:entroq-client} provides one.
   */
  interface Connector {
    /**
     * Connects to a server, with defaults for everything else.
     *
     * @param address host and port, or several separated by commas
     * @throws EntroQException.InvalidArgument if it is not an address
     * @throws EntroQException.Unavailable if nobody answers there
     */
    EntroQ connect(String address);
  }
}

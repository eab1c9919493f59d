package io.entroq.kotlin

import io.entroq.api.Claim
import io.entroq.api.Doc
import io.entroq.api.DocClaim
import io.entroq.api.DocClaimResult
import io.entroq.api.DocQuery
import io.entroq.api.EntroQ
import io.entroq.api.EntroQException
import io.entroq.api.Modification
import io.entroq.api.ModifyResult
import io.entroq.api.NamespaceQuery
import io.entroq.api.NamespaceStats
import io.entroq.api.Policies
import io.entroq.api.QueueQuery
import io.entroq.api.QueueStats
import io.entroq.api.Task
import io.entroq.api.TaskId
import io.entroq.api.TaskQuery
import io.entroq.api.feed.Effect
import io.entroq.api.feed.Feed
import io.entroq.api.feed.FeedQuery
import java.time.Instant
import java.util.concurrent.CancellationException
import java.util.concurrent.CompletableFuture
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.ensureActive
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.future.await
import kotlinx.coroutines.jdk9.asFlow

/** The calls of this queue as suspending functions. */
public fun EntroQ.suspending(): SuspendingEntroQ = SuspendingEntroQ(this)

/**
 * The calls of a queue as suspending functions, which hold no thread while they wait. What each does,
 * and the [EntroQException] that it throws, is documented at the method of [EntroQ] with its name.
 *
 * If the coroutine is cancelled, a claim is cancelled as well: what it was assigned is available
 * again. A read is not waited for any longer. A modification is not undone; its outcome is then
 * unknown to the coroutine.
 *
 * Made by [suspending]. Thread-safe. To close the queue is for who has opened it.
 *
 * @property queue the same queue, for all other methods
 */
public class SuspendingEntroQ internal constructor(public val queue: EntroQ) {
  /**
   * Claims one task, waiting for it.
   *
   * @throws EntroQException.TimedOut if there was none within [Claim.maxWait]
   */
  public suspend fun claim(claim: Claim): Task =
    claimMany(claim.withLimit(1)).firstOrNull()
      ?: throw EntroQException.TimedOut("no task in ${claim.queues()} within ${claim.maxWait()}")

  /** Claims 1 to [Claim.limit] tasks, waiting for the first; none after [Claim.maxWait]. */
  public suspend fun claimMany(claim: Claim): List<Task> =
    if (claim.maxWait().isZero) {
      tryClaimMany(claim)
    } else {
      val claimed = queue.claimAsync(claim)
      awaitTasks(claimed, claimed)
    }

  /** Claims one task if one is available now. */
  public suspend fun tryClaim(claim: Claim): Task? = tryClaimMany(claim.withLimit(1)).firstOrNull()

  /** Claims up to [Claim.limit] tasks that are available now. */
  public suspend fun tryClaimMany(claim: Claim): List<Task> {
    val claimed = queue.tryClaimAsync(claim)
    // A cancel would not end it, but lose its answer.
    return awaitTasks(claimed, claimed.copy())
  }

  /** @param awaited completes as the claim does, and is cancelled with the coroutine */
  private suspend fun awaitTasks(
    claimed: CompletableFuture<List<Task>>,
    awaited: CompletableFuture<List<Task>>,
  ): List<Task> =
    try {
      awaited.await()
    } catch (e: CancellationException) {
      // Answered and cancelled at the same time: nobody works on them.
      claimed.thenAccept { release(it) }
      throw e
    }

  /** Does not wait: otherwise their lease ends. */
  private fun release(tasks: List<Task>) {
    if (tasks.isNotEmpty()) {
      queue.modifyAsync(Modification.release(tasks))
    }
  }

  /**
   * Tasks as they are claimed, for ever, up to [Claim.limit] ahead of the collector, which must
   * commit each before its lease ends. What it has not got when it ends is released. What was handed
   * to an operator that keeps tasks, such as `buffer` or `flowOn`, may be dropped there when the
   * collector ends, and is held until its lease ends. A [Worker][io.entroq.api.worker.Worker] also
   * renews leases, retries and quarantines.
   */
  public fun claims(claim: Claim): Flow<Task> = flow {
    while (true) {
      val tasks = claimMany(claim)
      var emitted = 0
      try {
        while (emitted < tasks.size) {
          // Otherwise a cancelled collector would be handed a task that it does not take.
          currentCoroutineContext().ensureActive()
          emitted++
          emit(tasks[emitted - 1])
        }
      } finally {
        release(tasks.drop(emitted))
      }
    }
  }

  /** Applies a modification, all or nothing. Check the result, or call `orThrow()` on it. */
  public suspend fun modify(modification: Modification): ModifyResult =
    queue.modifyAsync(modification).await()

  /** Reads tasks, in a single response. */
  public suspend fun tasks(query: TaskQuery): List<Task> = queue.tasksAsync(query).await()

  /** Reads the number of tasks by queue. */
  public suspend fun queues(query: QueueQuery): Map<String, Long> =
    queue.queuesAsync(query).await()

  /** Reads statistics by queue. */
  public suspend fun queueStats(query: QueueQuery): Map<String, QueueStats> =
    queue.queueStatsAsync(query).await()

  /** Claims doc sets, all or none. It never waits. */
  public suspend fun claimDocs(claim: DocClaim): DocClaimResult =
    queue.claimDocsAsync(claim).await()

  /** Reads docs. */
  public suspend fun docs(query: DocQuery): List<Doc> = queue.docsAsync(query).await()

  /** Reads statistics by namespace. */
  public suspend fun namespaces(query: NamespaceQuery): Map<String, NamespaceStats> =
    queue.namespacesAsync(query).await()

  /** Reads the engine's clock. */
  public suspend fun time(): Instant = queue.timeAsync().await()

  /** Reads policies. */
  public suspend fun policyEntries(query: Policies.Query): List<Policies.Entry> =
    queue.policyEntriesAsync(query).await()

  /** Reads where a task stands in its queue; null if it does not exist. */
  public suspend fun position(task: TaskId): Task.Position? =
    queue.positionAsync(task).await().orElse(null)

  /**
   * What happens, each effect once and in order, as fast as it is collected. Each collector has a
   * feed of its own, which ends when the query does or the collector is cancelled. To resume later,
   * keep the [position][Effect.position] of the last effect.
   *
   * @throws EntroQException.InvalidArgument if the queue has no feed; other reasons are thrown to
   *   the collector
   */
  public fun effects(query: FeedQuery): Flow<Effect> = Feed.of(queue).publisher(query).asFlow()
}

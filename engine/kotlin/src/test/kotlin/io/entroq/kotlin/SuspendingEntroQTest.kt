package io.entroq.kotlin

import io.entroq.api.Claim
import io.entroq.api.EntroQException
import io.entroq.api.Insert
import io.entroq.api.Modification
import io.entroq.api.ModifyResult
import io.entroq.api.QueueQuery
import io.entroq.api.Task
import io.entroq.api.TaskId
import io.entroq.api.TaskQuery
import io.entroq.api.feed.FeedQuery
import io.entroq.engine.embedded.EmbeddedEntroQ
import java.nio.file.Path
import java.time.Duration
import java.time.Instant
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.async
import kotlinx.coroutines.cancel
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.flow.take
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withTimeout
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir

class SuspendingEntroQTest {
  private val engine = EmbeddedEntroQ.inMemory()
  private val queue = engine.suspending()

  /** So long that no lost task comes back by itself. */
  private val inbox = Claim.from("inbox").withLease(Duration.ofHours(1))

  @AfterEach
  fun close() {
    engine.close()
  }

  /** Nothing takes a minute. */
  private fun test(body: suspend kotlinx.coroutines.CoroutineScope.() -> Unit) =
    runBlocking { withTimeout(60_000) { body() } }

  private suspend fun insert(text: String): Task =
    queue.modify(Modification.insert("inbox", text)).orThrow().inserted()[0]

  private suspend inline fun <reified E : Throwable> thrown(body: suspend () -> Unit): E =
    try {
      body()
      null
    } catch (e: Throwable) {
      e as? E ?: throw e
    } ?: throw AssertionError("nothing was thrown")

  @Test
  fun shouldRunTheExample() = test {
    val queue = EmbeddedEntroQ.inMemory().suspending()
    queue.modify(Modification.insert("inbox", "hello")).orThrow()
    val task = queue.claim(Claim.from("inbox"))
    queue.modify(Modification.delete(task).and(Modification.insert("done", task.value()))).orThrow()
    assertThat(queue.queues(QueueQuery.all())).containsOnlyKeys("done")
    queue.queue.close()
  }

  @Test
  fun shouldDoTheWholeLifeOfATask() = test {
    val claimed = async { queue.claim(inbox) }
    val inserted = insert("hello")
    val task = claimed.await()
    assertThat(task.id()).isEqualTo(inserted.id())
    assertThat(queue.tasks(TaskQuery.`in`("inbox"))).containsExactly(task)
    assertThat(queue.tryClaim(inbox)).isNull()
    val done = Modification.delete(task).and(Modification.insert("done", task.value()))
    assertThat(queue.modify(done).isCommitted).isTrue()
    assertThat(queue.queues(QueueQuery.all())).isEqualTo(mapOf("done" to 1L))
    assertThat(queue.queueStats(QueueQuery.all())["done"]!!.available()).isEqualTo(1)
    assertThat(queue.time()).isNotNull()
    assertThat(queue.position(TaskId.of("missing"))).isNull()
  }

  @Test
  fun shouldThrowWhatTheQueueThrows() = test {
    val none = inbox.withMaxWait(Duration.ofMillis(5))
    thrown<EntroQException.TimedOut> { queue.claim(none) }
    assertThat(queue.claimMany(none)).isEmpty()
    val empty = Modification.empty()
    thrown<EntroQException.InvalidArgument> { queue.modify(empty) }
    val task = insert("hello")
    queue.modify(Modification.delete(task)).orThrow()
    assertThat(queue.modify(Modification.delete(task)))
      .isInstanceOf(ModifyResult.DependencyFailure::class.java)
  }

  @Test
  fun shouldCancelTheClaimOfACancelledCoroutine() = test {
    val claimed = launch(start = CoroutineStart.UNDISPATCHED) { queue.claim(inbox) }
    claimed.cancelAndJoin()
    val task = insert("hello")
    assertThat(queue.tasks(TaskQuery.withIds(task.id()))[0].claims()).isZero()
  }

  @Test
  fun shouldLoseNoTaskToACancelledCoroutine() = test {
    repeat(200) { i ->
      val claimed = async(start = CoroutineStart.UNDISPATCHED) { queue.claim(inbox) }
      val inserted = engine.modifyAsync(Modification.insert("inbox", "task $i"))
      claimed.cancel()
      val committed = inserted.join().orThrow().inserted()[0]
      val task = runCatching { claimed.await() }.getOrNull() ?: queue.claim(inbox)
      assertThat(task.id()).isEqualTo(committed.id())
      queue.modify(Modification.delete(task)).orThrow()
    }
  }

  @Test
  fun shouldLoseNoTaskToACancelledCoroutineThatDoesNotWait() = test {
    val mine = inbox.withClaimant("me")
    repeat(200) { i ->
      val inserted = insert("task $i")
      val claimed = async(start = CoroutineStart.UNDISPATCHED) { queue.tryClaim(mine) }
      claimed.cancel()
      val task = runCatching { claimed.await() }.getOrNull() ?: queue.claim(mine)
      assertThat(task.id()).isEqualTo(inserted.id())
      queue.modify(Modification.delete(task).withClaimant("me")).orThrow()
    }
  }

  @Test
  fun shouldReleaseTasksOfACollectorThatIsCancelledAtWork() = test {
    repeat(3) { insert("task $it") }
    val seen = mutableListOf<Task>()
    val collector = launch {
      queue.claims(inbox.withLimit(3)).collect {
        seen.add(it)
        currentCoroutineContext().cancel()
      }
    }
    collector.join()
    assertThat(seen).hasSize(1)
    assertThat(queue.tryClaimMany(inbox.withLimit(3))).hasSize(2)
  }

  @Test
  fun shouldShowTasksAsTheyAreClaimed() = test {
    insert("1")
    insert("2")
    insert("3")
    val seen = mutableSetOf<String>()
    queue.claims(inbox.withLimit(2)).take(3).collect { task ->
      seen.add(task.text())
      queue.modify(Modification.delete(task)).orThrow()
    }
    assertThat(seen).containsExactlyInAnyOrder("1", "2", "3")
    assertThat(queue.queues(QueueQuery.all())).isEmpty()
  }

  @Test
  fun shouldReleaseTasksThatACollectorDidNotGet() = test {
    repeat(3) { insert("task $it") }
    assertThat(queue.claims(inbox.withLimit(3)).take(1).toList()).hasSize(1)
    assertThat(queue.tryClaimMany(inbox.withLimit(3))).hasSize(2)
  }

  @Test
  fun shouldShowEffectsInOrderFromWhereACollectorStopped(@TempDir data: Path) = test {
    val names = (1..200).map { "task $it" }
    EmbeddedEntroQ.open(data).use { kept ->
      val all = kept.suspending()
      names.forEach { all.modify(Modification.insert(Insert.into("inbox").withId(it))).orThrow() }
      val query = FeedQuery.from(Instant.EPOCH).queues("inbox").build()
      val first = all.effects(query).take(50).toList()
      val rest = FeedQuery.after(first.last().position().get()).queues("inbox").build()
      val seen = first + all.effects(rest).take(150).toList()
      assertThat(seen.map { it.task().get().id().text() }).isEqualTo(names)
    }
  }

  @Test
  fun shouldFailACollectorWhenTheQueueCloses() = test {
    val failure = async {
      thrown<EntroQException.Closed> { queue.effects(FeedQuery.fromNow().build()).collect {} }
    }
    val claimed = async(start = CoroutineStart.UNDISPATCHED) {
      thrown<EntroQException.Closed> { queue.claim(inbox) }
    }
    engine.close()
    assertThat(failure.await()).isNotNull()
    assertThat(claimed.await()).isNotNull()
  }
}

package io.entroq.engine.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import io.entroq.api.Claim;
import io.entroq.api.EntroQException;
import io.entroq.api.Insert;
import io.entroq.api.Limiter;
import io.entroq.api.Modification;
import io.entroq.api.QueuePolicy;
import io.entroq.api.QueueQuery;
import io.entroq.api.Task;
import io.entroq.api.TaskQuery;
import io.entroq.api.Value;
import io.entroq.api.worker.Backoff;
import io.entroq.api.worker.Outcome;
import io.entroq.api.worker.WorkContext;
import io.entroq.api.worker.Worker;
import io.entroq.api.worker.WorkerBuilder;
import io.entroq.api.worker.WorkerListener;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Waiting for workers on a queue whose clock stands still. */
class IdleWaitTest {
  private static final Duration SHORT = Duration.ofMillis(20);

  private final TestEntroQ queue = TestEntroQ.open();

  @AfterEach
  void closeQueue() {
    queue.close();
  }

  private WorkerBuilder<Value> worker(String from) {
    return Worker.on(queue).from(from).listener(WorkerListener.none());
  }

  private void insert(String name, int tasks) {
    Modification.Builder inserts = Modification.builder();
    IntStream.range(0, tasks).forEach(i -> inserts.insert(name, "task " + i));
    queue.modify(inserts.build()).orThrow();
  }

  private long tasksIn(String name) {
    return queue.queues(QueueQuery.named(name)).getOrDefault(name, 0L);
  }

  private static Outcome move(WorkContext<Value> work, String to) {
    return Outcome.done(Modification.insert(Insert.into(to).withValue(work.value())));
  }

  /** Workers of a queue that is closed end by themselves. */
  @Test
  void shouldHaveDoneAllWorkWhenIdle() throws Exception {
    for (int round = 0; round < 50; round++) {
      try (TestEntroQ other = TestEntroQ.open()) {
        for (int i = 0; i < 40; i++) {
          other.modify(Modification.insert("a", "task " + i)).orThrow();
        }
        WorkerBuilder<Value> builder = Worker.on(other).listener(WorkerListener.none());
        builder.from("a").concurrency(3).start(work -> move(work, "b"));
        builder.from("b").claimWithCommit(false).start(work -> move(work, "c"));
        builder.from("c").concurrency(1).start(work -> move(work, "done"));

        other.awaitIdle();

        assertThat(other.queues(QueueQuery.all()))
            .as("round %d", round)
            .containsOnly(entry("done", 40L));
      }
    }
  }

  /** A task that goes to and fro must not slip through between two looks. */
  @Test
  void shouldNotLoseSightOfATaskThatMoves() throws Exception {
    int moves = 3_000;
    AtomicInteger left = new AtomicInteger(moves);
    for (String[] way : new String[][] {{"a", "b"}, {"b", "a"}}) {
      worker(way[0])
          .start(work -> left.decrementAndGet() > 0 ? move(work, way[1]) : Outcome.done());
    }
    insert("a", 1);

    queue.awaitIdle();

    assertThat(left).hasValue(0);
  }

  @Test
  void shouldBeIdleWhateverOthersDo() throws Exception {
    worker("other").start(work -> move(work, "other"));
    insert("other", 2);

    queue.awaitIdle("inbox");

    assertThatThrownBy(() -> queue.awaitIdle(SHORT))
        .isInstanceOf(EntroQException.TimedOut.class)
        .hasMessageStartingWith("still not idle after 20 ms");
  }

  @Test
  void shouldNotBeIdleWhileAHandlerRuns() throws Exception {
    insert("inbox", 1);
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);

    worker("inbox")
        .start(
            work -> {
              begun.countDown();
              go.await();
              return Outcome.done();
            });
    begun.await();
    Task held = queue.tasks(TaskQuery.in("inbox")).get(0);

    assertThatThrownBy(() -> queue.awaitIdle(SHORT))
        .isInstanceOf(EntroQException.TimedOut.class)
        .hasMessage(
            """
            still not idle after 20 ms
              inbox: 0 available, 1 in flight
                %s: held by %s until 2026-01-01T00:00:45Z
            A task in flight is held by a handler that has not returned, by a worker that waits \
            for the clock, or by the test."""
                .formatted(held.id().text(), queue.claimant()));

    CompletableFuture<Void> idle = CompletableFuture.runAsync(this::awaitIdle);
    assertThatThrownBy(() -> idle.get(50, TimeUnit.MILLISECONDS))
        .isInstanceOf(TimeoutException.class);
    go.countDown();
    idle.get(30, TimeUnit.SECONDS);
    assertThat(tasksIn("inbox")).isZero();
  }

  private void awaitIdle() {
    try {
      queue.awaitIdle();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void shouldNotBeIdleWhileATaskIsAvailable() throws Exception {
    insert("inbox", 12);

    assertThatThrownBy(() -> queue.awaitIdle(SHORT, "inbox"))
        .isInstanceOf(EntroQException.TimedOut.class)
        .hasMessageContaining("inbox: 12 available, 0 in flight\n")
        .hasMessageContaining(": available, attempt 0\n")
        .hasMessageContaining("\n    and 2 more\n")
        .hasMessageEndingWith("Nobody claims: is a worker of that queue running?");
    queue.awaitIdle("outbox");
  }

  @Test
  void shouldAskForQueuesWhereThereAreNoWorkers() {
    assertThatThrownBy(() -> queue.awaitIdle())
        .isInstanceOf(EntroQException.InvalidArgument.class)
        .hasMessage(
            "no worker was started on this queue: start one, or name the queues to wait for");
  }

  @Test
  void shouldBeIdleWhenALeaseEnds() throws Exception {
    insert("inbox", 1);
    queue.claim(Claim.from("inbox").withLease(Duration.ofSeconds(30)));
    assertThatThrownBy(() -> queue.awaitIdle(SHORT, "inbox"))
        .isInstanceOf(EntroQException.TimedOut.class);
    queue.pause("inbox");
    queue.advance(Duration.ofMinutes(1));

    queue.awaitIdle("inbox");
  }

  @Test
  void shouldStartWhatRulesHoldBackAtItsTime() throws Exception {
    queue.policies().put(Limiter.of("shared").rate(1, Duration.ofHours(1)));
    queue.policies().put(QueuePolicy.of("limited").limiters("shared"));
    queue.policies().put(QueuePolicy.of("rated").rate(1, Duration.ofMinutes(1)));
    queue.pause("paused", Duration.ofDays(1));
    Map<String, List<Duration>> starts = new TreeMap<>();
    for (String name : List.of("limited", "rated", "paused")) {
      insert(name, 3);
    }
    Worker.on(queue)
        .from("limited", "rated", "paused")
        .listener(WorkerListener.none())
        .start(
            work -> {
              starts
                  .computeIfAbsent(work.task().queue(), name -> new ArrayList<>())
                  .add(Duration.between(TestEntroQ.START, queue.now()));
              return Outcome.done();
            });

    queue.awaitIdle();
    assertThat(queue.queues(QueueQuery.all()))
        .containsOnly(entry("limited", 2L), entry("rated", 2L), entry("paused", 3L));

    queue.runFor(Duration.ofDays(2));
    assertThat(starts)
        .containsOnly(
            entry("limited", List.of(Duration.ZERO, Duration.ofHours(1), Duration.ofHours(2))),
            entry("paused", Collections.nCopies(3, Duration.ofDays(1))),
            entry("rated", List.of(Duration.ZERO, Duration.ofMinutes(1), Duration.ofMinutes(2))));
  }

  @Test
  void shouldWaitForTheMembersOfAPool() throws Exception {
    queue.policies().put(QueuePolicy.of("pool").pool(QueuePolicy.Fairness.ROUND_ROBIN));
    insert("pool/tenant", 1);
    insert("pool/err", 1);
    insert("pool/tenant/deep", 1);

    assertThatThrownBy(() -> queue.awaitIdle(SHORT, "pool"))
        .isInstanceOf(EntroQException.TimedOut.class)
        .hasMessageContaining("pool/tenant: 1 available")
        .hasMessageNotContaining("pool/err")
        .hasMessageNotContaining("deep");
    worker("pool").start(work -> Outcome.done());
    queue.awaitIdle();
    assertThat(tasksIn("pool/tenant")).isZero();
  }

  @Test
  void shouldRetryEachTimeAtItsTime() throws Exception {
    ConcurrentLinkedQueue<Duration> times = new ConcurrentLinkedQueue<>();
    insert("inbox", 1);

    worker("inbox")
        .maxAttempts(4)
        .retryBackoff(new Backoff(Duration.ofDays(1), Duration.ofDays(100), 0))
        .start(
            work -> {
              times.add(Duration.between(TestEntroQ.START, queue.now()));
              throw new IllegalStateException("no");
            });
    queue.runFor(Duration.ofDays(30));
    assertThat(times)
        .containsExactly(Duration.ZERO, Duration.ofDays(1), Duration.ofDays(3), Duration.ofDays(7));
    assertThat(queue.now()).isEqualTo(TestEntroQ.START.plus(Duration.ofDays(30)));
    assertThat(tasksIn("inbox/err")).isEqualTo(1);
  }

  @Test
  void shouldLeapOverTheTimesOfRetriesWhenAdvanced() throws Exception {
    AtomicInteger attempts = new AtomicInteger();
    insert("inbox", 1);

    worker("inbox")
        .start(
            work -> {
              attempts.incrementAndGet();
              throw new IllegalStateException("no");
            });
    queue.awaitIdle();
    queue.advance(Duration.ofDays(30));
    queue.awaitIdle();
    assertThat(attempts).hasValue(2);
  }

  @Test
  void shouldRenewLeasesByTheClockOfTheQueue() throws Exception {
    insert("inbox", 1);
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    try (Worker worker =
        worker("inbox")
            .lease(Duration.ofMinutes(10))
            .start(
                work -> {
                  begun.countDown();
                  go.await();
                  return Outcome.done();
                })) {
      begun.await();
      queue.advance(Duration.ofMinutes(7));
      Await.until(
          "the lease is renewed", () -> queue.tasks(TaskQuery.in("inbox")).get(0).version() >= 2);
      go.countDown();
      queue.awaitIdle();
      assertThat(worker.metrics().lost()).isZero();
    }
  }

  @Test
  void shouldNotWaitWhenInterrupted() {
    insert("inbox", 1);
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> queue.awaitIdle("inbox")).isInstanceOf(InterruptedException.class);
    assertThat(Thread.interrupted()).isFalse();
  }
}

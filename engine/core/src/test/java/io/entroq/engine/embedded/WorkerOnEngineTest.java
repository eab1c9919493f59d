package io.entroq.engine.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.QueueQuery;
import io.entroq.api.Task;
import io.entroq.api.TaskQuery;
import io.entroq.api.Value;
import io.entroq.api.worker.Backoff;
import io.entroq.api.worker.Outcome;
import io.entroq.api.worker.Ticker;
import io.entroq.api.worker.WorkContext;
import io.entroq.api.worker.Worker;
import io.entroq.api.worker.WorkerListener;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Workers on a real engine, whose time both go by. */
@Timeout(60)
class WorkerOnEngineTest {
  private static final int TASKS = 500;

  private final TestEntroQ queue = TestEntroQ.open();
  private final Ticker ticker = Ticker.following(queue::now);

  @AfterEach
  void closeQueue() {
    queue.close();
  }

  @Test
  void shouldRenewAndCommitWhatTakesLongerThanItsLease() throws Exception {
    queue.modify(Modification.insert("inbox", "long work")).orThrow();
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    try (Worker worker =
        Worker.on(queue)
            .from("inbox")
            .ticker(ticker)
            .start(
                work -> {
                  begun.countDown();
                  go.await();
                  return Outcome.done();
                })) {
      begun.await();
      for (int version = 2; version < 12; version++) {
        queue.advance(Duration.ofSeconds(15));
        awaitVersion(version);
      }
      go.countDown();

      queue.waitQueuesEmpty(QueueQuery.named("inbox"));
      assertThat(worker.metrics().lost()).isZero();
    }
  }

  private void awaitVersion(int version) {
    long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (queue.tasks(TaskQuery.in("inbox")).get(0).version() < version) {
      assertThat(System.nanoTime()).as("renewed to version %d", version).isLessThan(deadlineNs);
      LockSupport.parkNanos(100_000);
    }
    // The engine has renewed; the worker has yet to hear of it, and shows nobody when it has. Until
    // then the lease it knows of ends with the next step of the clock.
    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
  }

  @Test
  void shouldCommitEachTaskOnceWhateverHandlersDo() {
    Modification.Builder inserts = Modification.builder();
    for (int i = 0; i < TASKS; i++) {
      inserts.insert("inbox", "task " + i);
    }
    queue.modify(inserts.build()).orThrow();

    try (Worker first = worker(true);
        Worker second = worker(false)) {
      while (!queue.areQueuesEmpty(QueueQuery.named("inbox"))) {
        queue.advance(Duration.ofMillis(ThreadLocalRandom.current().nextInt(2_000)));
        LockSupport.parkNanos(100_000);
      }
      assertThat(first.isRunning() && second.isRunning()).isTrue();
    }

    List<String> expected = IntStream.range(0, TASKS).mapToObj(i -> "task " + i).toList();
    assertThat(queue.tasks(TaskQuery.in("outbox")))
        .extracting(Task::text)
        .containsExactlyInAnyOrderElementsOf(expected);
  }

  private Worker worker(boolean claimWithCommit) {
    return Worker.on(queue)
        .from("inbox")
        .concurrency(4)
        .maxClaims(0)
        .claimWithCommit(claimWithCommit)
        .retryBackoff(Backoff.constant(Duration.ofSeconds(5)))
        .listener(WorkerListener.none())
        .ticker(ticker)
        .start(WorkerOnEngineTest::workOrFail);
  }

  private static Outcome workOrFail(WorkContext<Value> work) throws InterruptedException {
    int what = ThreadLocalRandom.current().nextInt(20);
    if (what == 0) {
      throw new IllegalStateException("the handler failed");
    } else if (what == 1) {
      // Long enough for its lease to end now and then.
      Thread.sleep(3);
    }
    return Outcome.done(Modification.insert(Insert.into("outbox").withValue(work.value())));
  }
}

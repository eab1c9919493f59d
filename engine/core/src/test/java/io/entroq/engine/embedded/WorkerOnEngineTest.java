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

/** Workers on a real engine, whose time both go by. */
class WorkerOnEngineTest {
  private static final int TASKS = 500;

  private final TestEntroQ queue = TestEntroQ.open();
  private final WatchedTicker ticker = new WatchedTicker(Ticker.following(queue::now));

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
            .lease(Duration.ofSeconds(30))
            .ticker(ticker)
            .start(
                work -> {
                  begun.countDown();
                  go.await();
                  return Outcome.done();
                })) {
      begun.await();
      for (int version = 2; version < 12; version++) {
        queue.advance(Duration.ofSeconds(21));
        awaitRenewal(version);
      }
      go.countDown();

      queue.waitQueuesEmpty(QueueQuery.named("inbox"));
      assertThat(worker.metrics().lost()).isZero();
    }
  }

  private void awaitRenewal(int version) {
    Await.until(
        "renewed to version " + version,
        () -> queue.tasks(TaskQuery.in("inbox")).get(0).version() >= version);
    // The engine has renewed. Until the worker has heard of it, what it waits for is the end of the
    // lease that it knew before, in 9 seconds; from then on it is two thirds of the new one.
    Await.until(
        "the worker has heard of it",
        () -> ticker.awaitedNs - ticker.nanoTime() > TimeUnit.MILLISECONDS.toNanos(9_500));
  }

  /** Shows until when the thread that renews leases waits. */
  private static final class WatchedTicker implements Ticker {
    private final Ticker ticker;
    private final ThreadLocal<Long> seenNs = new ThreadLocal<>();
    private volatile long awaitedNs;

    WatchedTicker(Ticker ticker) {
      this.ticker = ticker;
    }

    @Override
    public long nanoTime() {
      long nowNs = ticker.nanoTime();
      seenNs.set(nowNs);
      return nowNs;
    }

    @Override
    public long pauseNanos(long nanos) {
      awaitedNs = seenNs.get() + nanos;
      return ticker.pauseNanos(nanos);
    }
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

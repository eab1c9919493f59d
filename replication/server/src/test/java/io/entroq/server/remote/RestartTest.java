package io.entroq.server.remote;

import static io.entroq.service.testing.Await.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.api.Claim;
import io.entroq.api.EntroQ;
import io.entroq.api.EntroQException;
import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.ModifyResult;
import io.entroq.api.QueueQuery;
import io.entroq.api.Task;
import io.entroq.api.TaskId;
import io.entroq.api.TaskQuery;
import io.entroq.api.worker.Outcome;
import io.entroq.api.worker.Worker;
import io.entroq.client.EntroQClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Servers that stop and start again under a client. */
@ParameterizedClass
@EnumSource(Over.class)
@Timeout(RestartTest.LIMIT_SECONDS)
class RestartTest {
  /** For each thing that is waited for; it takes a fraction of that but on a busy machine. */
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** Of a test, which waits for up to four such things. */
  static final int LIMIT_SECONDS = 300;

  @Parameter Over over;
  @TempDir Path directory;

  private Served served;
  private EntroQ queue;

  @BeforeEach
  void open() throws Exception {
    served = new Served(directory);
    queue = served.connect(over);
  }

  @AfterEach
  void close() {
    queue.close();
    served.close();
  }

  @Test
  void shouldSendWhatIsAskedMeanwhileWhenTheServerIsBack() throws Exception {
    queue.modify(Modification.insert("inbox", "before")).orThrow();
    served.stop();
    CompletableFuture<ModifyResult> insert =
        queue.modifyAsync(Modification.insert("inbox", "meanwhile"));
    CompletableFuture<Map<String, Long>> sizes = queue.queuesAsync(QueueQuery.all());
    served.start();

    assertThat(insert.get(PATIENCE.toSeconds(), TimeUnit.SECONDS).isCommitted()).isTrue();
    assertThat(sizes.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).containsOnlyKeys("inbox");
    assertThat(served.engine().queues(QueueQuery.all())).isEqualTo(Map.of("inbox", 2L));
  }

  /** One with other data is another queue, and does not know what this client holds or repeats. */
  @Test
  void shouldNotUseAServerWithAnotherLogInItsPlace() throws Exception {
    queue.modify(Modification.insert("inbox", "before")).orThrow();
    CompletableFuture<ModifyResult> late;
    try (EntroQ impatient =
        EntroQClient.connect(over.to(served.port()).callTimeout(Duration.ofSeconds(2)).build())) {
      served.stop();
      try (Served other = new Served(directory.resolve("other"), served.port())) {
        CompletableFuture<ModifyResult> insert =
            impatient.modifyAsync(Modification.insert("inbox", "meanwhile"));
        assertThatThrownBy(() -> impatient.forEachTask(TaskQuery.in("inbox"), task -> {}))
            .isInstanceOf(EntroQException.Unavailable.class);
        assertThatThrownBy(() -> insert.get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
            .hasCauseInstanceOf(EntroQException.Unavailable.class)
            .hasMessageContaining("it has another queue than before: its log is ");
        late = queue.modifyAsync(Modification.insert("inbox", "late"));
        assertThatThrownBy(() -> impatient.queues(QueueQuery.all()))
            .isInstanceOf(EntroQException.Unavailable.class);
        assertThat(other.engine().queues(QueueQuery.all())).isEmpty();
      }
      served.start();
      assertThat(late.get(PATIENCE.toSeconds(), TimeUnit.SECONDS).isCommitted()).isTrue();
      assertThat(served.engine().queues(QueueQuery.all())).isEqualTo(Map.of("inbox", 2L));
    }
  }

  @Test
  void shouldGoOnWaitingForATask() throws Exception {
    CompletableFuture<List<Task>> claim = queue.claimAsync(Claim.from("inbox"));
    CompletableFuture<List<Task>> bounded =
        queue.claimAsync(Claim.from("nothing").withMaxWait(Duration.ofMillis(1_500)));
    assertThat(queue.time()).isNotNull();
    served.drainAndStop();
    served.start();

    queue.modify(Modification.insert("inbox", "x")).orThrow();

    assertThat(claim.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).hasSize(1);
    assertThat(bounded.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isEmpty();
  }

  @Test
  void shouldKeepWorkersAtWork() throws Exception {
    int count = 60;
    for (int i = 0; i < count; i++) {
      queue.modify(Modification.insert(Insert.into("inbox").withId("in " + i))).orThrow();
    }
    CountDownLatch some = new CountDownLatch(20);
    try (Worker worker =
        Worker.on(queue)
            .from("inbox")
            .concurrency(4)
            .lease(Duration.ofMillis(600))
            .start(
                work -> {
                  // Longer than half a lease now and then, so that leases are renewed.
                  Thread.sleep(work.task().id().text().endsWith("7") ? 700 : 5);
                  some.countDown();
                  return Outcome.done(
                      Modification.insert(Insert.into("outbox").withId("out " + work.task().id())));
                })) {
      assertThat(some.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
      served.stop();
      served.start();
      assertThat(queue.waitQueuesEmpty(QueueQuery.named("inbox"), PATIENCE)).isTrue();
      assertThat(worker.metrics().unknown()).isZero();
    }

    assertThat(served.engine().tasks(TaskQuery.in("outbox")))
        .extracting(Task::id)
        .hasSize(count)
        .doesNotHaveDuplicates()
        .contains(TaskId.of("out in 7"));
  }

  @Test
  void shouldGoOnWorkingWhenTheServerWasAwayForLongerThanALease() throws Exception {
    workThroughAnAbsence(Duration.ofMillis(500), Duration.ofSeconds(1));
  }

  @Test
  @Tag("long")
  void shouldGoOnWorkingWhenTheServerWasAwayForLongerThanALongLease() throws Exception {
    workThroughAnAbsence(Duration.ofSeconds(5), Duration.ofSeconds(10));
  }

  private void workThroughAnAbsence(Duration lease, Duration away) throws Exception {
    int count = 40;
    int atOnce = 4;
    for (int i = 0; i < count; i++) {
      queue.modify(Modification.insert(Insert.into("inbox").withId("in " + i))).orThrow();
    }
    AtomicInteger begun = new AtomicInteger();
    CountDownLatch cancelled = new CountDownLatch(1);
    try (Worker worker =
        Worker.on(queue)
            .from("inbox")
            .concurrency(atOnce)
            .lease(lease)
            .start(
                work -> {
                  if (begun.incrementAndGet() <= atOnce) {
                    try {
                      // For ever, if nobody cancels it.
                      new CountDownLatch(1).await();
                    } catch (InterruptedException e) {
                      cancelled.countDown();
                      throw e;
                    }
                  }
                  return Outcome.done(
                      Modification.insert(Insert.into("outbox").withId("out " + work.task().id())));
                })) {
      until("all are at work", () -> begun.get() >= atOnce);
      served.stop();
      LockSupport.parkNanos(away.toNanos());
      served.start();

      // Nobody works on for nothing, and nobody stops working.
      assertThat(cancelled.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
      assertThat(queue.waitQueuesEmpty(QueueQuery.named("inbox"), PATIENCE)).isTrue();
      until("it is known that all are done", () -> worker.metrics().done() == count);
      assertThat(worker.metrics().lost()).isPositive();
      assertThat(worker.metrics().unknown()).isZero();
      assertThat(worker.metrics().quarantined()).isZero();
    }
    assertThat(served.engine().tasks(TaskQuery.in("outbox")))
        .extracting(Task::id)
        .hasSize(count)
        .doesNotHaveDuplicates();
  }

  @Test
  @Tag("long")
  void shouldRenewLeasesUnderLoad() throws Exception {
    int count = 64;
    for (int i = 0; i < count; i++) {
      queue.modify(Modification.insert("inbox", "x")).orThrow();
    }
    AtomicInteger working = new AtomicInteger();
    CountDownLatch enough = new CountDownLatch(1);
    AtomicLong cycles = new AtomicLong();
    List<Thread> load = new ArrayList<>();
    try (Worker worker =
        Worker.on(queue)
            .from("inbox")
            .concurrency(count)
            .lease(Duration.ofSeconds(5))
            .start(
                work -> {
                  working.incrementAndGet();
                  enough.await();
                  return Outcome.done();
                })) {
      until("all are at work", () -> working.get() == count);
      for (int i = 0; i < 4; i++) {
        String name = "load " + i;
        load.add(new Thread(() -> cycle(name, cycles, enough), name));
      }
      load.forEach(Thread::start);
      // Four renewals of each.
      LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(12));
      enough.countDown();
      until("all are done", () -> worker.metrics().done() == count);
      assertThat(worker.metrics().lost()).isZero();
      assertThat(working.get()).isEqualTo(count);
    } finally {
      enough.countDown();
      for (Thread thread : load) {
        thread.join();
      }
    }
    assertThat(cycles.get()).isGreaterThan(100);
  }

  private void cycle(String name, AtomicLong cycles, CountDownLatch enough) {
    while (enough.getCount() > 0) {
      queue.modify(Modification.insert(name, "x")).orThrow();
      Task task = queue.tryClaimAsync(Claim.from(name)).join().get(0);
      queue.modify(Modification.delete(task)).orThrow();
      cycles.incrementAndGet();
    }
  }
}

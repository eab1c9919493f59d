package io.entroq.engine.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.Claim;
import io.entroq.api.EntroQException;
import io.entroq.api.Modification;
import io.entroq.api.QueueQuery;
import io.entroq.api.Task;
import io.entroq.api.TaskQuery;
import io.entroq.api.Value;
import io.entroq.api.worker.Backoff;
import io.entroq.api.worker.Outcome;
import io.entroq.api.worker.Ticker;
import io.entroq.api.worker.Worker;
import io.entroq.api.worker.WorkerBuilder;
import io.entroq.api.worker.WorkerListener;
import io.entroq.engine.time.ManualClock;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A worker whose commits find a full queue holds its task, and commits when there is room. */
class WorkerAtLimitTest {
  private final ManualClock clock = new ManualClock(TestEntroQ.START);
  private final EmbeddedEntroQ queue =
      EmbeddedEntroQ.open(EmbeddedConfig.inMemory().clock(clock).queueTasksMax(1).build());
  private final AtomicInteger handled = new AtomicInteger();
  private final AtomicInteger refused = new AtomicInteger();

  @AfterEach
  void closeQueue() {
    queue.close();
  }

  private WorkerBuilder<Value> configured(int maxAttempts) {
    return Worker.on(queue)
        .from("inbox")
        .maxAttempts(maxAttempts)
        .requestBackoff(Backoff.constant(Duration.ofMillis(1)))
        .ticker(Ticker.following(clock::now))
        .listener(
            new WorkerListener() {
              @Override
              public void onQueueFailed(Throwable failure, Duration pause) {
                assertThat(failure).isInstanceOf(EntroQException.ResourceExhausted.class);
                refused.incrementAndGet();
              }
            });
  }

  private Worker start(int maxAttempts, boolean fails) {
    return configured(maxAttempts)
        .start(
            work -> {
              handled.incrementAndGet();
              if (fails) {
                throw new IllegalStateException("poison");
              }
              return Outcome.done(Modification.insert("outbox", "of " + work.task().text()));
            });
  }

  private void insert(String name, String text) {
    queue.modify(Modification.insert(name, text)).orThrow();
  }

  private void awaitRefusals() {
    int before = refused.get();
    Await.until(
        "the commit is tried again",
        () -> {
          clock.advance(Duration.ofMillis(2));
          return refused.get() > before + 3;
        });
  }

  /** Longer than a lease: it has to be renewed meanwhile. */
  private void holdFor(Duration time) {
    for (Duration gone = Duration.ZERO; gone.compareTo(time) < 0; gone = gone.plusSeconds(10)) {
      clock.advance(Duration.ofSeconds(10));
      awaitRefusals();
      Task held = queue.tasks(TaskQuery.in("inbox")).get(0);
      assertThat(held.claims()).isEqualTo(1);
      assertThat(held.attempt()).isZero();
      assertThat(held.err()).isEmpty();
    }
  }

  private void makeRoomIn(String name) {
    Task inTheWay = queue.tryClaim(Claim.from(name)).orElseThrow();
    queue.modify(Modification.delete(inTheWay)).orThrow();
    Await.until(
        "the worker commits",
        () -> {
          clock.advance(Duration.ofMillis(2));
          return queue.areQueuesEmpty(QueueQuery.named("inbox"));
        });
  }

  @Test
  void shouldHoldATaskWhoseCommitFindsAFullQueueAndCommitWhenThereIsRoom() {
    insert("outbox", "in the way");
    insert("inbox", "work");
    try (Worker worker = start(0, false)) {
      holdFor(Duration.ofMinutes(1));

      makeRoomIn("outbox");

      assertThat(queue.tasks(TaskQuery.in("outbox")))
          .extracting(Task::text)
          .containsOnly("of work");
      assertThat(handled).as("the handler's work was done once").hasValue(1);
      assertThat(worker.isRunning()).isTrue();
      assertThat(worker.metrics().lost()).isZero();
      assertThat(worker.metrics().handlerFailures()).isZero();
      assertThat(worker.metrics().queueFailures()).isPositive();
    }
  }

  @Test
  void shouldHoldATaskForWhichThereIsNoRoomInQuarantine() {
    insert("inbox/err", "in the way");
    insert("inbox", "work");
    try (Worker worker = start(1, true)) {
      holdFor(Duration.ofMinutes(1));

      makeRoomIn("inbox/err");

      assertThat(queue.tasks(TaskQuery.in("inbox/err")))
          .extracting(Task::text)
          .containsOnly("work");
      assertThat(handled).hasValue(1);
      assertThat(worker.isRunning()).isTrue();
      Await.until("it is counted", () -> worker.metrics().quarantined() == 1);
    }
  }

  /** Else the task would be held, and its handler's work tried, for ever. */
  @Test
  void shouldCountWhatCanNeverFitAsAFailureAndQuarantineTheTask() {
    insert("inbox", "work");
    try (Worker worker =
        configured(1)
            .start(
                work -> {
                  handled.incrementAndGet();
                  return Outcome.done(
                      Modification.insert("outbox", "one")
                          .and(Modification.insert("outbox", "two")));
                })) {
      Await.until("the task is in quarantine", () -> worker.metrics().quarantined() == 1);

      Task task = queue.tasks(TaskQuery.in("inbox/err")).get(0);
      assertThat(task.text()).isEqualTo("work");
      assertThat(task.err()).contains("queue outbox would have 2 tasks of this modification alone");
      assertThat(handled).hasValue(1);
      assertThat(refused).as("not tried again").hasValue(0);
      assertThat(worker.metrics().handlerFailures()).isEqualTo(1);
      assertThat(queue.areQueuesEmpty(QueueQuery.named("inbox"))).isTrue();
    }
  }

  @Test
  void shouldLeaveATaskToOthersWhenClosedBeforeThereIsRoom() {
    insert("outbox", "in the way");
    insert("inbox", "work");
    Worker worker = start(0, false);
    try (worker) {
      awaitRefusals();
      worker.close(Duration.ZERO);
    }
    clock.advance(Duration.ofMinutes(1));

    Task left = queue.tryClaim(Claim.from("inbox")).orElseThrow();
    assertThat(left.text()).isEqualTo("work");
    assertThat(left.attempt()).isZero();
  }
}

package io.entroq.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.EntroQ;
import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.QueuePolicy;
import io.entroq.api.Value;
import io.entroq.api.worker.Handler;
import io.entroq.api.worker.Outcome;
import io.entroq.api.worker.OutcomeException;
import io.entroq.api.worker.Worker;
import io.entroq.engine.embedded.TestEntroQ;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

@SuppressWarnings("try") // Workers are only closed.
class WorkerMetersTest {
  private final TestEntroQ queue = TestEntroQ.open();
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

  @AfterEach
  void close() {
    queue.close();
  }

  private void work(Handler<Value> handler) throws InterruptedException {
    queue.modify(Modification.insert("inbox", "a")).orThrow();
    try (Worker worker =
        Worker.on(queue)
            .from("inbox")
            .addListener(WorkerMeters.of(registry, "test"))
            .start(handler)) {
      queue.awaitIdle();
    }
  }

  private double tasks(String outcome) {
    return registry
        .get("entroq.worker.tasks")
        .tags("entroq.worker", "test", "outcome", outcome)
        .counter()
        .count();
  }

  private double counted(String name) {
    return registry.get(name).tag("entroq.worker", "test").counter().count();
  }

  private Timer time(String error) {
    return registry
        .get("messaging.process.duration")
        .tags(
            "messaging.system", "entroq",
            "messaging.operation.name", "process",
            "messaging.destination.name", "inbox",
            "entroq.worker", "test",
            "error.type", error)
        .timer();
  }

  @Test
  void shouldCountAndTimeWhatIsDone() throws InterruptedException {
    work(work -> Outcome.done());
    work(work -> Outcome.modify(Modification.delete(work.task())));
    assertThat(tasks("done")).isEqualTo(1);
    assertThat(tasks("modify")).isEqualTo(1);
    assertThat(time("none").count()).isEqualTo(2);
    assertThat(counted("entroq.worker.failures")).isZero();
  }

  @Test
  void shouldLeaveTheOutcomeAloneIfARegistryRefusesAMeter() throws InterruptedException {
    Logger log = Logger.getLogger(WorkerMeters.class.getName());
    log.setLevel(Level.OFF);
    registry
        .config()
        .meterFilter(
            new MeterFilter() {
              @Override
              public Meter.Id map(Meter.Id id) {
                if (id.getName().equals("messaging.process.duration")) {
                  throw new IllegalArgumentException("other tags than before");
                }
                return id;
              }
            });
    work(work -> Outcome.done());
    assertThat(tasks("done")).isEqualTo(1);
    assertThat(counted("entroq.worker.failures")).isZero();
    log.setLevel(null);
  }

  @Test
  void shouldTellErrorsAsTracesDo() throws InterruptedException {
    work(
        work -> {
          throw new IllegalStateException("no");
        });
    work(
        work -> {
          throw new OutcomeException(Outcome.retry(Duration.ofDays(1), "busy"));
        });
    work(work -> Outcome.quarantine("bad address"));
    work(work -> Outcome.moveTo("manual", "unclear"));
    work(work -> Outcome.moveTo("sorted"));
    work(work -> Outcome.modify(Modification.fail(work.task(), "no", Duration.ofDays(1))));
    work(work -> null);
    assertThat(time("java.lang.IllegalStateException").count()).isEqualTo(2);
    assertThat(time("retry").count()).isEqualTo(1);
    assertThat(time("quarantine").count()).isEqualTo(1);
    assertThat(time("move").count()).isEqualTo(1);
    assertThat(time("fail").count()).isEqualTo(1);
    assertThat(time("none").count()).isEqualTo(1);
    assertThat(tasks("retry")).isEqualTo(3);
    assertThat(tasks("quarantine")).isEqualTo(1);
    assertThat(tasks("move")).isEqualTo(2);
    assertThat(tasks("fail")).isEqualTo(1);
    assertThat(counted("entroq.worker.failures")).isEqualTo(2);
  }

  @Test
  void shouldTellWhatRunsAndNoErrorOfWhatIsCancelled() throws InterruptedException {
    queue.modify(Modification.insert("inbox", "a")).orThrow();
    CountDownLatch begun = new CountDownLatch(1);
    Worker worker =
        Worker.on(queue)
            .from("inbox")
            .drainTimeout(Duration.ofMillis(1))
            .addListener(WorkerMeters.of(registry, "test"))
            .start(
                work -> {
                  begun.countDown();
                  new CountDownLatch(1).await();
                  return Outcome.done();
                });
    begun.await();
    assertThat(registry.get("entroq.worker.active").longTaskTimer().activeTasks()).isEqualTo(1);
    worker.close();
    assertThat(registry.get("entroq.worker.active").longTaskTimer().activeTasks()).isZero();
    assertThat(time("none").count()).isEqualTo(1);
    assertThat(tasks("release")).isEqualTo(1);
  }

  @Test
  void shouldCountMembersOfAPoolByItsName() throws InterruptedException {
    queue.policies().put(QueuePolicy.of("inbox").pool(QueuePolicy.Fairness.ROUND_ROBIN));
    queue.modify(Modification.insert(Insert.into("inbox").withKey("alice"))).orThrow();
    work(work -> Outcome.done());
    assertThat(time("none").count()).isEqualTo(2);
  }

  @Test
  void shouldBeginWithZero() {
    WorkerMeters unused = WorkerMeters.of(registry, "test");
    assertThat(tasks("done") + tasks("retry") + tasks("quarantine")).isZero();
    assertThat(tasks("lost") + tasks("unknown")).isZero();
    assertThat(counted("entroq.worker.request.failures")).isZero();
  }

  @Test
  void shouldCountRequestsThatFail() {
    WorkerMeters meters = WorkerMeters.of(registry, "test");
    meters.onQueueFailed(new IllegalStateException("away"), Duration.ZERO);
    assertThat(counted("entroq.worker.request.failures")).isEqualTo(1);
  }

  @Test
  void shouldCountAnotherWorkerOfTheSameNameTogetherWithTheFirst() throws InterruptedException {
    work(work -> Outcome.done());
    work(work -> Outcome.done());
    assertThat(tasks("done")).isEqualTo(2);
  }

  private Worker shown() {
    return Worker.on(queue)
        .from("inbox")
        .addListener(WorkerMeters.of(registry, "inbox"))
        .start(work -> Outcome.done());
  }

  private void send() {
    EntroQ measured = QueueMeters.of(registry).on(queue);
    measured.modify(Modification.insert("inbox", "hello")).orThrow();
  }

  @Test
  void shouldDoWhatThePageShows() throws Exception {
    try (Worker worker = shown()) {
      send();
      queue.awaitIdle();
    }
    assertThat(registry.get("messaging.client.sent.messages").counter().count()).isEqualTo(1);
    assertThat(registry.get("entroq.worker.tasks").tag("entroq.worker", "inbox").counters())
        .anyMatch(counter -> counter.count() == 1);
  }
}

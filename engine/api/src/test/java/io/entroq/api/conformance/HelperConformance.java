package io.entroq.api.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.api.Claim;
import io.entroq.api.EntroQException;
import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.ModifyResult;
import io.entroq.api.QueueQuery;
import io.entroq.api.Task;
import io.entroq.api.TaskId;
import io.entroq.api.TaskQuery;
import io.entroq.api.TaskRef;
import io.entroq.api.worker.ClaimLoop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What is built from several requests, and the end of a queue. */
abstract class HelperConformance {
  private final EntroQConformance suite;

  HelperConformance(EntroQConformance suite) {
    this.suite = suite;
  }

  @Test
  void shouldInsertOnlyWhatIsNotThereYet() {
    Task there = suite.insert(Insert.into("inbox").withId("a").withValue("old"));
    Modification modification =
        Modification.insert(
            Insert.into("inbox").withId("a").withValue("new"),
            Insert.into("inbox").withId("b").withValue("new"));

    ModifyResult.Committed committed =
        suite.queue().modifySkippingColliding(modification).orThrow();

    assertThat(committed.inserted()).extracting(Task::id).containsExactly(TaskId.of("b"));
    assertThat(suite.read(there.id())).isEqualTo(there);
    assertThat(suite.queue().modifySkippingColliding(modification).orThrow().inserted()).isEmpty();
  }

  @Test
  void shouldNotSkipWhatMustNotBeSkipped() {
    suite.insert(Insert.into("inbox").withId("a"));
    Modification insert =
        Modification.insert(Insert.into("inbox").withId("a"), Insert.into("inbox").withId("b"));
    TaskRef missing = new TaskRef(TaskId.of("missing"), 0, "inbox");

    assertThat(suite.queue().modifySkippingColliding(insert, any -> false).isCommitted()).isFalse();
    assertThat(
            suite
                .queue()
                .modifySkippingColliding(insert.and(Modification.depend(missing)))
                .isCommitted())
        .isFalse();
    assertThat(suite.find(TaskId.of("b"))).isEmpty();
  }

  @Test
  void shouldRenewAllOrNone() {
    suite.insert("inbox", "1");
    suite.insert("inbox", "2");
    List<Task> held = suite.queue().tryClaimMany(Claim.from("inbox").withLimit(2));
    suite.advance(Duration.ofSeconds(20));

    List<Task> renewed = suite.queue().renewAll(held, Duration.ofSeconds(30));

    assertThat(renewed).extracting(Task::version).containsExactly(2, 2);
    assertThat(renewed).extracting(Task::id).isEqualTo(held.stream().map(Task::id).toList());
    List<Task> oneIsOld = List.of(renewed.get(0), held.get(1));
    assertThatThrownBy(() -> suite.queue().renewAll(oneIsOld, Duration.ofSeconds(60)))
        .isInstanceOf(EntroQException.Dependency.class);
    assertThat(suite.read(renewed.get(0).id())).isEqualTo(renewed.get(0));
  }

  @Test
  void shouldPopAllThatIsAvailable() {
    for (int i = 0; i < 5; i++) {
      suite.insert("inbox", "task " + i);
    }
    suite.insert(Insert.into("inbox").withId("later").availableIn(Duration.ofHours(1)));
    Task held = suite.queue().tryClaim(Claim.from("inbox")).orElseThrow();
    Claim claim = Claim.from("inbox").withLimit(3).withClaimant("a cleaner");
    List<TaskId> popped = new ArrayList<>();

    assertThat(suite.queue().popAll(claim, task -> popped.add(task.id()))).isEqualTo(4);

    assertThat(popped).doesNotContain(held.id()).doesNotHaveDuplicates().hasSize(4);
    assertThat(suite.queue().tasks(TaskQuery.in("inbox")))
        .extracting(Task::id)
        .containsExactlyInAnyOrder(held.id(), TaskId.of("later"));
    assertThat(suite.queue().popAll(claim, task -> {})).isZero();
  }

  @Test
  void shouldHandOverOnlyWhatIsDeleted() {
    suite.insert("inbox", "1");
    suite.insert("inbox", "2");
    IllegalStateException full = new IllegalStateException("full");

    assertThatThrownBy(
            () ->
                suite
                    .queue()
                    .popAll(
                        Claim.from("inbox"),
                        task -> {
                          assertThat(suite.find(task.id())).isEmpty();
                          throw full;
                        }))
        .isSameAs(full);

    assertThat(suite.queue().tasks(TaskQuery.in("inbox"))).hasSize(1);
  }

  @Test
  void shouldWaitUntilQueuesAreEmpty() throws Exception {
    Task task = suite.insert("jobs/a", "1");
    QueueQuery jobs = QueueQuery.startingWith("jobs/");
    FutureTask<Boolean> wait =
        new FutureTask<>(() -> suite.queue().waitQueuesEmpty(jobs, Duration.ofSeconds(20)));
    new Thread(wait).start();

    assertThat(suite.queue().areQueuesEmpty(jobs)).isFalse();
    assertThat(suite.queue().waitQueuesEmpty(jobs, Duration.ofMillis(5))).isFalse();
    suite.queue().modify(Modification.delete(task)).orThrow();

    assertThat(wait.get(EntroQConformance.SOON_SECONDS, TimeUnit.SECONDS)).isTrue();
    assertThatThrownBy(() -> suite.queue().waitQueuesEmpty(QueueQuery.all()))
        .isInstanceOf(EntroQException.InvalidArgument.class);
  }

  @Test
  void shouldWorkThroughAQueueWithOneRequestPerTask() throws Exception {
    for (int i = 0; i < 10; i++) {
      suite.insert("inbox", "task " + i);
    }
    Claim claim = Claim.from("inbox").withLimit(3).withMaxWait(Duration.ZERO);

    long committed =
        ClaimLoop.run(
            suite.queue(),
            claim,
            task -> Modification.delete(task).and(Modification.insert("outbox", task.value())));

    assertThat(committed).isEqualTo(10);
    assertThat(suite.queue().queues(QueueQuery.all())).containsOnlyKeys("outbox");
    assertThat(suite.queue().tasks(TaskQuery.in("outbox")))
        .extracting(Task::text)
        .hasSize(10)
        .doesNotHaveDuplicates();
  }

  @Test
  void shouldLeaveATaskThatWasLostToOthers() throws Exception {
    suite.insert("inbox", "lost");
    Claim claim = Claim.from("inbox").withMaxWait(Duration.ZERO);

    long committed =
        ClaimLoop.run(
            suite.queue(),
            claim,
            task -> {
              suite.queue().modify(Modification.delete(task)).orThrow();
              return Modification.delete(task);
            });

    assertThat(committed).isZero();
  }

  @Test
  void shouldRefuseEverythingOnceClosed() throws Exception {
    suite.queue().close();
    suite.queue().close();

    assertThatThrownBy(() -> suite.queue().modify(Modification.insert("inbox", "x")))
        .isInstanceOf(EntroQException.Closed.class);
    assertThatThrownBy(() -> suite.queue().tryClaim(Claim.from("inbox")))
        .isInstanceOf(EntroQException.Closed.class);
    assertThatThrownBy(() -> suite.queue().claim(Claim.from("inbox")))
        .isInstanceOf(EntroQException.Closed.class);
    assertThatThrownBy(() -> suite.queue().time()).isInstanceOf(EntroQException.Closed.class);
    assertThatThrownBy(() -> suite.queue().queuesAsync(QueueQuery.all()).get())
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(EntroQException.Closed.class);
  }
}

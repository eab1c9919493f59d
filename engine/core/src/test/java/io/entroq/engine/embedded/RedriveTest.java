package io.entroq.engine.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.api.Change;
import io.entroq.api.Claim;
import io.entroq.api.EntroQException;
import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.QueuePolicy;
import io.entroq.api.QueueQuery;
import io.entroq.api.Task;
import io.entroq.api.TaskId;
import io.entroq.api.TaskQuery;
import io.entroq.api.Value;
import io.entroq.api.redrive.Redrive;
import io.entroq.api.redrive.RedriveFilter;
import io.entroq.api.redrive.RedriveResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RedriveTest {
  private static final String FROM = "inbox/err";
  private static final String TO = "inbox";
  private static final RedriveFilter ALL = RedriveFilter.all();

  private final TestEntroQ queue = TestEntroQ.open();
  private final AtomicBoolean isStopped = new AtomicBoolean();
  private final List<Task> shown = new ArrayList<>();

  @AfterEach
  void close() {
    queue.close();
  }

  @Test
  void shouldMoveAllTasksWithFailuresCleared() {
    quarantine(250, "broken");
    assertThat(run(plan(ALL))).isEqualTo(result(250, 250, 250, 0, 0, 0));
    assertThat(queue.queues(QueueQuery.all())).containsOnlyKeys(TO);
    assertThat(queue.tasks(TaskQuery.in(TO)))
        .hasSize(250)
        .allMatch(task -> task.attempt() == 0 && task.err().isEmpty())
        .allMatch(task -> task.claimant().isEmpty() && task.isAvailableAt(queue.time()))
        .extracting(Task::text)
        .contains("value 0", "value 249");
    assertThat(run(plan(ALL))).isEqualTo(RedriveResult.NOTHING);
  }

  @Test
  void shouldFilterByError() {
    quarantine(3, "timeout\nconnection refused");
    quarantine(2, "syntax error");
    RedriveFilter refused = ALL.err("refused");
    assertThat(run(plan(refused))).isEqualTo(result(5, 3, 3, 0, 0, 0));
    assertThat(queue.tasks(TaskQuery.in(FROM)))
        .hasSize(2)
        .allMatch(task -> task.err().equals("syntax error"));
  }

  @Test
  void shouldFilterByTheExactShapeOfAnError() {
    quarantine(3, "order 17: timeout\n at line 3");
    quarantine(2, "order 17: timeout of disk");
    quarantine(1, "");
    assertThat(matching(ALL.shape("order #: timeout"))).hasSize(3);
    assertThat(matching(ALL.shape("order #"))).isEmpty();
    assertThat(matching(ALL.shape("order 17: timeout"))).isEmpty();
    assertThat(matching(ALL.shape(""))).containsExactly("");
    assertThat(matching(ALL.shape("order #: timeout").err("line 4"))).isEmpty();
    assertThat(run(plan(ALL.shape("order #: timeout of disk"))).moved()).isEqualTo(2);
    assertThatThrownBy(() -> ALL.shape("x".repeat(121)))
        .isInstanceOf(EntroQException.InvalidArgument.class)
        .hasMessageContaining("shape must have at most 120 characters");
  }

  @Test
  void shouldSelectWhatAClientMoved() {
    quarantine(2, "moved");
    queue.policies().put(QueuePolicy.of(TO).attempts(1));
    queue.modify(Modification.insert(TO, "1")).orThrow();
    queue.modify(Modification.fail(queue.tryClaim(Claim.from(TO)).orElseThrow(), "died"));
    assertThat(matching(ALL)).hasSize(3);
    assertThat(matching(ALL.withoutOrigin())).containsExactly("moved", "moved");
    assertThatThrownBy(() -> ALL.withoutOrigin().origin(TO))
        .isInstanceOf(EntroQException.InvalidArgument.class);
    assertThatThrownBy(() -> ALL.reason(Task.DeadReason.FAILED).withoutOrigin())
        .isInstanceOf(EntroQException.InvalidArgument.class)
        .hasMessageContaining("have no origin and no reason");
  }

  @Test
  void shouldFilterByAge() {
    quarantine(1, "oldest");
    queue.advance(Duration.ofHours(2));
    quarantine(1, "old");
    queue.advance(Duration.ofHours(1));
    quarantine(1, "new");
    Duration hour = Duration.ofHours(1);
    assertThat(matching(ALL.olderThan(hour))).containsExactlyInAnyOrder("oldest", "old");
    assertThat(matching(ALL.newerThan(hour))).containsExactlyInAnyOrder("old", "new");
    assertThat(matching(ALL.olderThan(hour).newerThan(hour))).containsExactly("old");
  }

  private List<String> matching(RedriveFilter filter) {
    shown.clear();
    run(dry(plan(filter)));
    return shown.stream().map(Task::err).toList();
  }

  @Test
  void shouldMoveNamedTasks() {
    List<Task> tasks = quarantine(4, "broken");
    List<TaskId> ids = List.of(tasks.get(2).id(), tasks.get(0).id(), TaskId.of("nobody"));
    assertThat(run(Redrive.from(FROM).ids(ids))).isEqualTo(result(2, 2, 2, 0, 0, 0));
    assertThat(queue.tasks(TaskQuery.in(TO)))
        .extracting(Task::id)
        .containsExactlyInAnyOrder(tasks.get(0).id(), tasks.get(2).id());
  }

  @Test
  void shouldStopAtLimit() {
    quarantine(500, "broken");
    assertThat(run(limited(120)).moved()).isEqualTo(120);
    assertThat(run(limited(1)).moved()).isEqualTo(1);
    assertThat(run(dry(limited(7))).matched()).isEqualTo(7);
    assertThat(run(limited(1_000)).moved()).isEqualTo(379);
  }

  @Test
  void shouldShowAndMoveNothingInADryRun() {
    quarantine(5, "broken");
    List<Task> before = queue.tasks(TaskQuery.in(FROM));
    assertThat(run(dry(plan(ALL)))).isEqualTo(result(5, 5, 0, 0, 0, 0));
    assertThat(shown).containsExactlyElementsOf(before);
    assertThat(queue.tasks(TaskQuery.in(FROM))).isEqualTo(before);
  }

  @Test
  void shouldSkipClaimedTasks() {
    quarantine(150, "broken");
    List<Task> held =
        queue.tryClaimMany(Claim.from(FROM).withLimit(10).withClaimant("somebody else"));
    assertThat(run(plan(ALL))).isEqualTo(result(150, 150, 140, 10, 0, 0));
    assertThat(queue.tasks(TaskQuery.in(FROM))).containsExactlyInAnyOrderElementsOf(held);
    assertThat(run(Redrive.from(FROM).claimant("somebody else")).moved()).isEqualTo(10);
  }

  @Test
  void shouldSkipChangedTasks() {
    List<Task> tasks = quarantine(50, "broken");
    RedriveResult report =
        run(
            plan(ALL),
            examined -> {
              if (examined == 50) {
                queue.modify(Modification.delete(tasks.get(3))).orThrow();
                queue
                    .modify(
                        Modification.change(Change.of(tasks.get(5)).withValue(Value.text("new"))))
                    .orThrow();
              }
            });
    assertThat(report).isEqualTo(result(50, 50, 48, 0, 2, 0));
    assertThat(queue.tasks(TaskQuery.in(FROM))).extracting(Task::text).containsExactly("new");
  }

  @Test
  void shouldCountCorrectlyWithConcurrentWriter() {
    long seed = System.nanoTime();
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    List<Task> tasks = quarantine(1_000, "broken");
    RedriveResult report =
        run(
            plan(ALL),
            examined -> {
              Task task = tasks.get(random.nextInt(tasks.size()));
              // Does not write tasks that have moved or changed.
              queue.modify(Modification.change(Change.of(task).withValue(Value.text("changed"))));
            });
    assertThat(report.moved() + report.changed()).isEqualTo(report.matched());
    assertThat(report.changed()).isPositive();
    assertThat(queue.queues(QueueQuery.named(TO))).containsEntry(TO, report.moved());
    assertThat(ids(FROM))
        .hasSize((int) (1_000 - report.moved()))
        .doesNotContainAnyElementsOf(ids(TO));
  }

  private Set<String> ids(String queueName) {
    return queue.tasks(TaskQuery.in(queueName)).stream()
        .map(task -> task.id().text())
        .collect(Collectors.toSet());
  }

  @Test
  void shouldStopBetweenBatchesAndContinueLater() {
    quarantine(450, "broken");
    RedriveResult report =
        run(
            plan(ALL),
            examined -> {
              if (examined == 250) {
                isStopped.set(true);
              }
            });
    assertThat(report).isEqualTo(result(250, 250, 200, 0, 0, 0));
    assertThat(queue.tasks(TaskQuery.in(FROM)))
        .hasSize(250)
        .allMatch(task -> task.attempt() == 5 && task.version() == 0);
    isStopped.set(false);
    assertThat(run(plan(ALL)).moved()).isEqualTo(250);
  }

  @Test
  void shouldStopWhilePacing() {
    quarantine(5, "broken");
    CompletableFuture<Void> interrupted =
        CompletableFuture.runAsync(
            () -> {
              while (queue.areQueuesEmpty(QueueQuery.named(TO))) {
                Thread.onSpinWait();
              }
              isStopped.set(true);
            });
    assertThat(run(Redrive.from(FROM).rate(0.001)).moved()).isEqualTo(1);
    interrupted.join();
  }

  @Test
  void shouldReportProgressWhenQueueRefuses() {
    quarantine(150, "broken");
    AtomicReference<RedriveResult> last = new AtomicReference<>();
    Redrive.Listener closing =
        new Redrive.Listener() {
          @Override
          public void onProgress(RedriveResult result) {
            last.set(result);
            if (result.examined() == 120) {
              queue.close();
            }
          }
        };
    assertThatThrownBy(() -> plan(ALL).run(queue, closing))
        .isInstanceOf(EntroQException.Closed.class);
    assertThat(last.get().moved()).isEqualTo(100);
  }

  @Test
  void shouldMoveLargeTasksInBatchesThatFit() {
    for (int i = 0; i < 20; i++) {
      queue.modify(Modification.insert(FROM, Value.bytes(new byte[1_000_000]))).orThrow();
    }
    assertThat(run(plan(ALL)).moved()).isEqualTo(20);
  }

  private List<Task> quarantine(int count, String err) {
    Modification.Builder inserts = Modification.builder().claimant("worker");
    for (int i = 0; i < count; i++) {
      inserts.insert(Insert.into(FROM).withValue("value " + i).withAttempt(5, err));
    }
    return queue.modify(inserts.build()).orThrow().inserted();
  }

  @Test
  void shouldReturnTasksToWhereTheyCameFrom() {
    queue.policies().put(QueuePolicy.of("a").attempts(1).deadQueue("dead"));
    queue.policies().put(QueuePolicy.of("b").attempts(1).deadQueue("dead"));
    fail("a", "timeout");
    fail("b", "syntax");
    queue.modify(Modification.insert("dead", "unknown")).orThrow();

    assertThat(run(Redrive.from("dead").where(ALL.origin("c"))).matched()).isZero();
    assertThat(run(Redrive.from("dead").where(ALL.reason(Task.DeadReason.LAPSED))).matched())
        .isZero();
    assertThat(run(Redrive.from("dead").where(ALL.attemptsMin(2))).matched()).isZero();
    assertThat(run(Redrive.from("dead").where(ALL.origin("a").attemptsMin(1))).moved())
        .isEqualTo(1);
    assertThat(
            run(
                Redrive.from("dead")
                    .where(ALL.reason(Task.DeadReason.FAILED).newerThan(Duration.ofHours(1)))))
        .isEqualTo(result(2, 1, 1, 0, 0, 0));
    assertThat(run(Redrive.from("dead"))).isEqualTo(result(1, 1, 0, 0, 0, 1));

    Task back = queue.tasks(TaskQuery.in("a")).get(0);
    assertThat(back.attributes()).isEqualTo(Task.Attributes.none());
    assertThat(back.attempt() + back.claims()).isZero();
    assertThat(back.err()).isEmpty();
    assertThat(queue.tasks(TaskQuery.in("b"))).hasSize(1);
    assertThat(run(Redrive.from("dead").to("c")).moved()).isEqualTo(1);
  }

  private void fail(String queueName, String err) {
    queue.modify(Modification.insert(queueName, err)).orThrow();
    Task task = queue.tryClaim(Claim.from(queueName)).orElseThrow();
    queue.modify(Modification.fail(task, err)).orThrow();
  }

  @Test
  void shouldRefuseInvalidPlans() {
    Redrive plan = Redrive.from("a");
    assertRefused(() -> Redrive.from(""));
    assertRefused(() -> Redrive.from("é".repeat(513)));
    assertRefused(() -> plan.to("a"));
    assertRefused(() -> plan.to(""));
    assertRefused(() -> plan.limit(-1));
    assertRefused(() -> plan.rate(-1));
    assertRefused(() -> plan.rate(Double.NaN));
    assertRefused(() -> plan.rate(Double.POSITIVE_INFINITY));
    assertRefused(() -> ALL.attemptsMin(-1));
    assertRefused(() -> ALL.olderThan(Duration.ofMillis(-1)));
    assertRefused(() -> ALL.olderThan(Duration.ofHours(2)).newerThan(Duration.ofHours(1)));
  }

  private static void assertRefused(ThrowingCallable call) {
    assertThatThrownBy(call).isInstanceOf(EntroQException.InvalidArgument.class);
  }

  private static Redrive plan(RedriveFilter filter) {
    return Redrive.from(FROM).where(filter);
  }

  private static Redrive limited(long limit) {
    return Redrive.from(FROM).limit(limit);
  }

  private static Redrive dry(Redrive plan) {
    return plan.dryRun();
  }

  private RedriveResult run(Redrive plan) {
    return run(plan, examined -> {});
  }

  private RedriveResult run(Redrive plan, LongConsumer onExamined) {
    return plan.run(
        queue,
        new Redrive.Listener() {
          private long examined;

          @Override
          public void onProgress(RedriveResult result) {
            if (result.examined() > examined) {
              examined = result.examined();
              onExamined.accept(examined);
            }
          }

          @Override
          public boolean isStopped() {
            return isStopped.get();
          }

          /** Waits until it is stopped. */
          @Override
          public void pause(Duration time) {
            while (!isStopped.get()) {
              Thread.onSpinWait();
            }
          }

          @Override
          public void onMatch(Task task) {
            shown.add(task);
          }
        });
  }

  private static RedriveResult result(
      long examined, long matched, long moved, long held, long changed, long unplaced) {
    return new RedriveResult(examined, matched, moved, held, changed, unplaced, Map.of());
  }

  /**
   * The other queues get their tasks, and the full one as many as it takes; also if the name of
   * another reads like a refusal.
   */
  @Test
  void shouldMoveWhatFitsAndNameTheQueueThatIsFull() {
    String small = "queue other has none";
    for (String name : List.of(small, "other")) {
      queue.policies().put(QueuePolicy.of(name).attempts(1).deadQueue("dead"));
      for (int i = 0; i < 130; i++) {
        queue.modify(Modification.insert(name, name + i)).orThrow();
        queue
            .modify(Modification.fail(queue.tryClaim(Claim.from(name)).orElseThrow(), "no"))
            .orThrow();
      }
    }
    queue.policies().put(QueuePolicy.of(small).maxTasks(15));
    assertThat(run(Redrive.from("dead")))
        .isEqualTo(new RedriveResult(260, 260, 145, 0, 0, 0, Map.of(small, 115L)));
    assertThat(queue.queues(QueueQuery.all()))
        .isEqualTo(Map.of(small, 15L, "other", 130L, "dead", 115L));
    assertThat(run(Redrive.from("dead").limit(3)))
        .isEqualTo(new RedriveResult(115, 115, 0, 0, 0, 0, Map.of(small, 115L)));
    queue.policies().put(QueuePolicy.of(small).maxBytes(700));
    assertThat(run(Redrive.from("dead")).full().get(small)).isBetween(1L, 114L);
  }
}

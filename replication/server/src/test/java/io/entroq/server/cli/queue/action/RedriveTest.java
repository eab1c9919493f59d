package io.entroq.server.cli.queue.action;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.api.Change;
import io.entroq.api.Claim;
import io.entroq.api.EntroQException;
import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.QueueQuery;
import io.entroq.api.Task;
import io.entroq.api.TaskQuery;
import io.entroq.api.Value;
import io.entroq.engine.embedded.TestEntroQ;
import io.entroq.server.cli.queue.options.TaskName;
import io.entroq.tools.terminal.Interruption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RedriveTest {
  private static final String FROM = "inbox/err";
  private static final String TO = "inbox";
  private static final RedriveFilter ALL =
      new RedriveFilter("", Optional.empty(), Optional.empty());

  private final TestEntroQ queue = TestEntroQ.open();
  private final Interruption interruption = new Interruption("test");
  private final List<Task> shown = new ArrayList<>();

  @AfterEach
  void close() {
    interruption.close();
    queue.close();
  }

  @Test
  void shouldMoveAllTasksWithFailuresCleared() {
    quarantine(250, "broken");
    assertThat(run(plan(ALL))).isEqualTo(new RedriveReport(250, 250, 250, 0, 0));
    assertThat(queue.queues(QueueQuery.all())).containsOnlyKeys(TO);
    assertThat(queue.tasks(TaskQuery.in(TO)))
        .hasSize(250)
        .allMatch(task -> task.attempt() == 0 && task.err().isEmpty())
        .allMatch(task -> task.claimant().isEmpty() && task.isAvailableAt(queue.time()))
        .extracting(Task::text)
        .contains("value 0", "value 249");
    assertThat(run(plan(ALL))).isEqualTo(RedriveReport.NOTHING);
  }

  @Test
  void shouldFilterByError() {
    quarantine(3, "timeout\nconnection refused");
    quarantine(2, "syntax error");
    RedriveFilter refused = new RedriveFilter("refused", Optional.empty(), Optional.empty());
    assertThat(run(plan(refused))).isEqualTo(new RedriveReport(5, 3, 3, 0, 0));
    assertThat(queue.tasks(TaskQuery.in(FROM)))
        .hasSize(2)
        .allMatch(task -> task.err().equals("syntax error"));
  }

  @Test
  void shouldFilterByAge() {
    quarantine(1, "oldest");
    queue.advance(Duration.ofHours(2));
    quarantine(1, "old");
    queue.advance(Duration.ofHours(1));
    quarantine(1, "new");
    Optional<Duration> hour = Optional.of(Duration.ofHours(1));
    assertThat(matching(new RedriveFilter("", hour, Optional.empty())))
        .containsExactlyInAnyOrder("oldest", "old");
    assertThat(matching(new RedriveFilter("", Optional.empty(), hour)))
        .containsExactlyInAnyOrder("old", "new");
    assertThat(matching(new RedriveFilter("", hour, hour))).containsExactly("old");
  }

  private List<String> matching(RedriveFilter filter) {
    shown.clear();
    run(dry(plan(filter)));
    return shown.stream().map(Task::err).toList();
  }

  @Test
  void shouldMoveNamedTasks() {
    List<Task> tasks = quarantine(4, "broken");
    List<TaskName> names =
        List.of(
            TaskName.of(tasks.get(2).id() + ":0"),
            TaskName.of(tasks.get(1).id() + ":7"),
            TaskName.of(tasks.get(0).id().text()),
            TaskName.of("nobody"));
    RedrivePlan plan = new RedrivePlan(FROM, TO, names, ALL, 0, 0, false, "");
    assertThat(run(plan)).isEqualTo(new RedriveReport(2, 2, 2, 0, 0));
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
    assertThat(run(dry(plan(ALL)))).isEqualTo(new RedriveReport(5, 5, 0, 0, 0));
    assertThat(shown).containsExactlyElementsOf(before);
    assertThat(queue.tasks(TaskQuery.in(FROM))).isEqualTo(before);
  }

  @Test
  void shouldSkipClaimedTasks() {
    quarantine(150, "broken");
    List<Task> held =
        queue.tryClaimMany(Claim.from(FROM).withLimit(10).withClaimant("somebody else"));
    assertThat(run(plan(ALL))).isEqualTo(new RedriveReport(150, 150, 140, 10, 0));
    assertThat(queue.tasks(TaskQuery.in(FROM))).containsExactlyInAnyOrderElementsOf(held);
    RedrivePlan inTheirName =
        new RedrivePlan(FROM, TO, List.of(), ALL, 0, 0, false, "somebody else");
    assertThat(run(inTheirName).moved()).isEqualTo(10);
  }

  @Test
  void shouldSkipChangedTasks() {
    List<Task> tasks = quarantine(50, "broken");
    RedriveReport report =
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
    assertThat(report).isEqualTo(new RedriveReport(50, 50, 48, 0, 2));
    assertThat(queue.tasks(TaskQuery.in(FROM))).extracting(Task::text).containsExactly("new");
  }

  @Test
  void shouldCountCorrectlyWithConcurrentWriter() {
    long seed = System.nanoTime();
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    List<Task> tasks = quarantine(1_000, "broken");
    RedriveReport report =
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
    RedriveReport report =
        run(
            plan(ALL),
            examined -> {
              if (examined == 250) {
                interruption.request();
              }
            });
    assertThat(report).isEqualTo(new RedriveReport(250, 250, 200, 0, 0));
    assertThat(queue.tasks(TaskQuery.in(FROM)))
        .hasSize(250)
        .allMatch(task -> task.attempt() == 5 && task.version() == 0);
    try (Interruption later = new Interruption("test")) {
      Redrive again = redrive(plan(ALL), later, examined -> {});
      again.run();
      assertThat(again.report().moved()).isEqualTo(250);
    }
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
              interruption.request();
            });
    RedrivePlan slow = new RedrivePlan(FROM, TO, List.of(), ALL, 0, 0.001, false, "");
    assertThat(run(slow).moved()).isEqualTo(1);
    interrupted.join();
  }

  @Test
  void shouldReportProgressWhenQueueRefuses() {
    quarantine(150, "broken");
    Redrive redrive =
        redrive(
            plan(ALL),
            interruption,
            examined -> {
              if (examined == 120) {
                queue.close();
              }
            });
    assertThatThrownBy(redrive::run).isInstanceOf(EntroQException.Closed.class);
    assertThat(redrive.report().moved()).isEqualTo(100);
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

  private static RedrivePlan plan(RedriveFilter filter) {
    return new RedrivePlan(FROM, TO, List.of(), filter, 0, 0, false, "");
  }

  private static RedrivePlan limited(long limit) {
    return new RedrivePlan(FROM, TO, List.of(), ALL, limit, 0, false, "");
  }

  private static RedrivePlan dry(RedrivePlan plan) {
    return new RedrivePlan(
        plan.from(), plan.to(), plan.names(), plan.filter(), plan.limit(), 0, true, "");
  }

  private RedriveReport run(RedrivePlan plan) {
    return run(plan, examined -> {});
  }

  private RedriveReport run(RedrivePlan plan, LongConsumer onExamined) {
    Redrive redrive = redrive(plan, interruption, onExamined);
    redrive.run();
    return redrive.report();
  }

  private Redrive redrive(RedrivePlan plan, Interruption until, LongConsumer onExamined) {
    return new Redrive(
        queue,
        plan,
        until,
        new Redrive.Listener() {
          @Override
          public void onExamined(long examined) {
            onExamined.accept(examined);
          }

          @Override
          public void onMatch(Task task) {
            shown.add(task);
          }
        });
  }
}

package io.entroq.api.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.api.Change;
import io.entroq.api.Claim;
import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.QueueQuery;
import io.entroq.api.QueueStats;
import io.entroq.api.Task;
import io.entroq.api.TaskId;
import io.entroq.api.TaskQuery;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What can be asked without writing. */
abstract class ReadConformance {
  private final EntroQConformance suite;

  ReadConformance(EntroQConformance suite) {
    this.suite = suite;
  }

  @Test
  void shouldListTheTasksOfAQueue() {
    Task a = suite.insert("inbox", "a");
    Task b = suite.insert(Insert.into("inbox").availableIn(Duration.ofHours(1)));
    suite.insert("elsewhere", "c");

    assertThat(suite.queue().tasks(TaskQuery.in("inbox"))).containsExactlyInAnyOrder(a, b);
    assertThat(suite.queue().tasks(TaskQuery.in("inbox").withLimit(1))).hasSize(1);
    assertThat(suite.queue().tasks(TaskQuery.in("nowhere"))).isEmpty();
  }

  @Test
  void shouldListTasksByIdInTheOrderAsked() {
    Task a = suite.insert("inbox", "a");
    Task b = suite.insert("elsewhere", "b");
    Task c = suite.insert("inbox", "c");
    TaskQuery query = TaskQuery.withIds(c.id(), TaskId.of("missing"), b.id(), a.id());

    assertThat(suite.queue().tasks(query)).containsExactly(c, b, a);
    assertThat(suite.queue().tasks(query.inQueue("inbox"))).containsExactly(c, a);
    assertThat(suite.queue().tasks(query.withLimit(2))).containsExactly(c, b);
    assertThat(suite.queue().tasks(TaskQuery.withIds())).isEmpty();
  }

  @Test
  void shouldHandEachTaskToAConsumer() {
    Task a = suite.insert("inbox", "a");
    Task b = suite.insert(Insert.into("inbox").availableIn(Duration.ofHours(1)));
    suite.insert("elsewhere", "c");

    assertThat(each(TaskQuery.in("inbox"))).containsExactlyInAnyOrder(a, b);
    assertThat(each(TaskQuery.in("inbox").withLimit(1))).hasSize(1);
    assertThat(each(TaskQuery.withIds(b.id(), TaskId.of("missing"), a.id()))).containsExactly(b, a);
    assertThat(each(TaskQuery.in("nowhere"))).isEmpty();
    assertThat(each(TaskQuery.withIds())).isEmpty();
  }

  private List<Task> each(TaskQuery query) {
    List<Task> tasks = new ArrayList<>();
    suite.queue().forEachTask(query, tasks::add);
    return tasks;
  }

  @Test
  void shouldLetAConsumerWorkOnWhatIsListed() {
    Set<TaskId> inserted = new HashSet<>();
    for (int i = 0; i < 100; i++) {
      inserted.add(suite.insert("inbox", "task " + i).id());
    }
    Set<TaskId> seen = new HashSet<>();

    suite
        .queue()
        .forEachTask(
            TaskQuery.in("inbox"),
            task -> {
              assertThat(seen.add(task.id())).isTrue();
              if (inserted.contains(task.id())) {
                suite.queue().modify(Modification.delete(task)).orThrow();
                suite.insert("inbox", "in its place");
              }
            });

    assertThat(seen).containsAll(inserted);
    if (suite.isStill()) {
      // Where servers go, a listing may begin anew and show what has come meanwhile.
      assertThat(seen).hasSameSizeAs(inserted);
    }
    assertThat(suite.queue().queues(QueueQuery.all())).isEqualTo(Map.of("inbox", 100L));
  }

  @Test
  void shouldEndAListingWithWhatItsConsumerThrows() {
    suite.insert("inbox", "a");
    suite.insert("inbox", "b");
    List<Task> seen = new ArrayList<>();

    assertThatThrownBy(
            () ->
                suite
                    .queue()
                    .forEachTask(
                        TaskQuery.in("inbox"),
                        task -> {
                          seen.add(task);
                          throw new IllegalStateException("enough");
                        }))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("enough");
    assertThat(seen).hasSize(1);
  }

  @Test
  void shouldLeaveOutValuesWhenAsked() {
    Task task = suite.insert("inbox", "hello");

    List<Task> tasks = suite.queue().tasks(TaskQuery.in("inbox").withoutValues());

    assertThat(tasks).extracting(Task::id).containsExactly(task.id());
    assertThat(tasks.get(0).value().isAbsent()).isTrue();
  }

  @Test
  void shouldLeaveOutWhatOthersLeaseWhenAsked() {
    suite.insert("inbox", "1");
    suite.insert("inbox", "2");
    suite.insert("inbox", "3");
    Claim other = Claim.from("inbox").withClaimant(EntroQConformance.OTHER);
    Task theirs = suite.queue().tryClaim(other).orElseThrow();
    Task mine = suite.claimNow("inbox");
    TaskQuery query = TaskQuery.in("inbox").notLeasedByOthersThan(suite.queue().claimant());

    assertThat(suite.queue().tasks(query)).hasSize(2).contains(mine).doesNotContain(theirs);
    suite.advance(EntroQConformance.LEASE);
    assertThat(suite.queue().tasks(query)).hasSize(3);
  }

  @Test
  void shouldListQueuesThatHaveTasksAndNoOthers() {
    suite.insert("a/1", "x");
    suite.insert("a/1", "y");
    suite.insert("a/2", "x");
    Task last = suite.insert("b", "x");
    suite.queue().modify(Modification.delete(last)).orThrow();

    assertThat(suite.queue().queues(QueueQuery.all())).isEqualTo(Map.of("a/1", 2L, "a/2", 1L));
    assertThat(suite.queue().queues(QueueQuery.all().withLimit(1))).hasSize(1);
  }

  @Test
  void shouldMatchQueuesByNameOrLiteralPrefix() {
    for (String name : List.of("a%b", "a%", "axb", "b", "ba")) {
      suite.insert(name, "x");
    }

    assertThat(suite.queue().queues(QueueQuery.startingWith("a%"))).containsOnlyKeys("a%", "a%b");
    assertThat(suite.queue().queues(QueueQuery.named("b", "c"))).containsOnlyKeys("b");
    assertThat(suite.queue().queues(new QueueQuery(List.of("b"), List.of("axb"), 0)))
        .containsOnlyKeys("b", "ba", "axb");
  }

  @Test
  void shouldCountHowAQueueStands() {
    suite.insert("inbox", "available");
    suite.insert(Insert.into("inbox").availableIn(Duration.ofMinutes(1)));
    suite.insert("inbox", "to be claimed");
    suite.claimNow("inbox");
    suite.insert("retried", "x");
    Task retried = suite.claimNow("retried");
    suite
        .queue()
        .modify(Modification.change(Change.of(retried).availableIn(Duration.ofMinutes(1))))
        .orThrow();

    Map<String, QueueStats> stats = suite.queue().queueStats(QueueQuery.all());

    assertStats(stats.get("inbox"), stats("inbox", 3, 1, 1, 1, 1, Duration.ZERO));
    assertStats(stats.get("retried"), stats("retried", 1, 0, 1, 0, 1, null));
  }

  @Test
  void shouldCountATaskAsAvailableFromTheMillisecondItIsDue() {
    suite.insert(Insert.into("inbox").availableIn(EntroQConformance.LEASE));

    suite.advanceAlmost(EntroQConformance.LEASE);
    assertStats(
        suite.queue().queueStats(QueueQuery.all()).get("inbox"),
        stats("inbox", 1, 0, 0, 1, 0, null));
    suite.advanceTheRest();
    assertStats(
        suite.queue().queueStats(QueueQuery.all()).get("inbox"),
        stats("inbox", 1, 1, 0, 0, 0, Duration.ZERO));
  }

  private void assertStats(QueueStats actual, QueueStats expected) {
    assertThat(actual)
        .usingRecursiveComparison()
        .ignoringFields("oldestAvailableAge", "inFlight", "claimable", "lapsed", "bytes")
        .isEqualTo(expected);
    assertAge(actual.oldestAvailableAge(), expected.oldestAvailableAge());
  }

  private void assertAge(Optional<Duration> actual, Optional<Duration> expected) {
    assertThat(actual.isPresent()).isEqualTo(expected.isPresent());
    expected.ifPresent(age -> suite.assertDuration(actual.orElseThrow(), age));
  }

  private void assertOldestAge(String queue, Duration expected) {
    assertAge(oldestAge(queue), Optional.of(expected));
  }

  @Test
  void shouldTellForHowLongTheOldestAvailableTaskHasBeenDue() {
    Instant start = suite.queue().time();
    suite.insert("inbox", "now");
    suite.insert(Insert.into("inbox").availableIn(Duration.ofSeconds(30)));
    suite.insert(Insert.into("late").availableIn(Duration.ofMinutes(1)));
    assertOldestAge("inbox", Duration.ZERO);
    assertThat(oldestAge("late")).isEmpty();

    suite.advance(Duration.ofMinutes(1));
    suite.advanceTheRest();
    assertOldestAge("inbox", Duration.ofMillis(60_001));
    assertOldestAge("late", Duration.ofMillis(1));

    Task first =
        suite.queue().tasks(TaskQuery.in("inbox")).stream()
            .filter(task -> task.text().equals("now"))
            .findFirst()
            .orElseThrow();
    suite.queue().modify(Modification.delete(first)).orThrow();
    assertOldestAge("inbox", Duration.ofMillis(30_001));

    suite.insert(Insert.into("inbox").availableAt(start.minusSeconds(3_600)));
    assertOldestAge("inbox", Duration.ofMillis(3_660_001));
  }

  @Test
  void shouldTellTheAgeOfATaskFromTheEndOfItsLease() {
    suite.insert("inbox", "x");
    suite.advance(Duration.ofMinutes(5));
    suite.claimNow("inbox");
    assertThat(oldestAge("inbox")).isEmpty();

    suite.advance(EntroQConformance.LEASE.plusSeconds(2));
    assertOldestAge("inbox", Duration.ofSeconds(2));
  }

  private Optional<Duration> oldestAge(String queue) {
    return suite.queue().queueStats(QueueQuery.named(queue)).get(queue).oldestAvailableAge();
  }

  private static QueueStats stats(
      String name,
      long tasks,
      long available,
      long claimed,
      long future,
      int maxClaims,
      Duration age) {
    return new QueueStats(
        name, tasks, available, claimed, future, maxClaims, Optional.ofNullable(age));
  }

  @Test
  void shouldTellTheTime() {
    Instant before = suite.queue().time();

    suite.advance(Duration.ofSeconds(90));

    suite.assertTime(suite.queue().time(), before.plusSeconds(90));
    suite.assertTime(suite.insert("inbox", "x").created(), before.plusSeconds(90));
  }
}

package io.entroq.server.cli.queue.action;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.Claim;
import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.QueueQuery;
import io.entroq.api.Task;
import io.entroq.api.TaskQuery;
import io.entroq.engine.embedded.TestEntroQ;
import io.entroq.tools.terminal.Interruption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ClearingTest {
  private static final int TASKS = 2_500;

  private final TestEntroQ queue = TestEntroQ.open();
  private final Interruption interruption = new Interruption("test");
  private final List<Long> progress = new ArrayList<>();

  @BeforeEach
  void fill() {
    Modification.Builder inserts = Modification.builder();
    for (int i = 0; i < TASKS; i++) {
      inserts.insert("inbox", "value " + i);
    }
    queue.modify(inserts.insert("other", "kept").build()).orThrow();
  }

  @AfterEach
  void close() {
    interruption.close();
    queue.close();
  }

  @Test
  void shouldDeleteAvailableTasks() {
    clearing(() -> {}).run();
    assertThat(progress).containsExactly(1_000L, 2_000L, 2_500L);
    assertThat(queue.queues(QueueQuery.all())).containsOnlyKeys("other");
  }

  @Test
  void shouldWaitForTasksThatAreNotDue() {
    queue.modify(Modification.insert(Insert.into("inbox").availableIn(Duration.ofHours(1))));
    queue.tryClaimMany(Claim.from("inbox").withClaimant("worker").withLimit(10));
    clearing(() -> queue.advance(Duration.ofHours(2))).run();
    assertThat(queue.queues(QueueQuery.all())).containsOnlyKeys("other");
  }

  @Test
  void shouldStopWhileWaiting() {
    List<Task> held = queue.tryClaimMany(Claim.from("inbox").withClaimant("worker").withLimit(10));
    Clearing clearing = clearing(interruption::request);
    clearing.run();
    assertThat(clearing.deleted()).isEqualTo(TASKS - 10);
    assertThat(queue.tasks(TaskQuery.in("inbox"))).containsExactlyInAnyOrderElementsOf(held);
  }

  @Test
  void shouldStopBetweenBatches() {
    Clearing clearing =
        new Clearing(queue, "inbox", "", interruption, deleted -> interruption.request(), () -> {});
    clearing.run();
    assertThat(clearing.deleted()).isEqualTo(1_000);
    assertThat(queue.tasks(TaskQuery.in("inbox")))
        .hasSize(TASKS - 1_000)
        .allMatch(task -> task.version() == 0);
    clearing.force();
    assertThat(clearing.deleted()).isEqualTo(1_000);
  }

  @Test
  void shouldForceDeletionOfClaimedTasks() {
    queue.modify(Modification.insert(Insert.into("inbox").availableIn(Duration.ofHours(1))));
    queue.tryClaimMany(Claim.from("inbox").withClaimant("one").withLimit(700));
    queue.tryClaimMany(Claim.from("inbox").withClaimant("two").withLimit(700));
    Clearing clearing = clearing(() -> {});
    clearing.force();
    assertThat(clearing.deleted()).isEqualTo(TASKS + 1);
    assertThat(queue.queues(QueueQuery.all())).containsOnlyKeys("other");
  }

  private Clearing clearing(Runnable onWait) {
    return new Clearing(queue, "inbox", "", interruption, progress::add, onWait);
  }
}

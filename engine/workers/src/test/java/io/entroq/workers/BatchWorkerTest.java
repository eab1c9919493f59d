package io.entroq.workers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.api.Change;
import io.entroq.api.Claim;
import io.entroq.api.EntroQException;
import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.Task;
import io.entroq.api.Value;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

class BatchWorkerTest extends WorkersTestBase {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration LEASE = Duration.ofHours(1);

  /** With a lease so long that none ends in a test. */
  private BatchWorker.Builder batches() {
    return BatchWorker.on(queue).from("in").lease(LEASE);
  }

  private List<String> out() {
    List<String> values = new ArrayList<>();
    tasks("out").forEach(task -> values.add(Json.read(task.value()).toString()));
    return values;
  }

  private static void await(BooleanSupplier condition) throws InterruptedException {
    while (!condition.getAsBoolean()) {
      TimeUnit.MILLISECONDS.sleep(1);
    }
  }

  /** Waits until the worker holds so many tasks. Its next claim may begin later. */
  private void awaitHeld(int count) throws InterruptedException {
    await(() -> tasks("in").stream().filter(task -> task.version() > 0).count() == count);
  }

  /** Lets time go on until so many tasks are in batches. Returns how much. */
  private Duration advanceUntilBatched(BatchWorker worker, int count) throws InterruptedException {
    Instant start = queue.time();
    while (worker.batchedTasks() < count) {
      queue.advance(Duration.ofMillis(50));
      TimeUnit.MILLISECONDS.sleep(1);
    }
    Duration passed = Duration.between(start, queue.time());
    assertThat(passed).as("within the leases").isLessThan(LEASE.dividedBy(2));
    return passed;
  }

  @Test
  void shouldReplaceTasksByOneOfTheirValues() throws Exception {
    for (int i = 0; i < 7; i++) {
      insert(Integer.toString(i));
    }
    try (BatchWorker worker = batches().maxSize(3).start("out")) {
      advanceUntilBatched(worker, 7);
      assertThat(worker.isRunning()).isTrue();
    }
    assertThat(out()).extracting(String::length).containsExactlyInAnyOrder(7, 7, 3);
    assertThat(String.join("", out()).chars().filter(Character::isDigit).sorted())
        .containsExactly('0' + 0, '0' + 1, '0' + 2, '0' + 3, '0' + 4, '0' + 5, '0' + 6);
    assertThat(tasks("in")).isEmpty();
  }

  @Test
  void shouldEndABatchIfNoTaskComesForTheGrace() throws Exception {
    try (BatchWorker worker = batches().start("out")) {
      insert("1");
      awaitHeld(1);
      queue.advance(SECOND.minusMillis(1));
      insert("2");
      awaitHeld(2);
      assertThat(advanceUntilBatched(worker, 2)).isGreaterThanOrEqualTo(SECOND);
    }
    assertThat(out()).containsExactly("[1,2]");
  }

  @Test
  void shouldEndABatchAfterTheLongestWait() throws Exception {
    Instant start = queue.time();
    int inserted = 0;
    try (BatchWorker worker =
        batches().maxSize(1_000).maxWait(SECOND.multipliedBy(3)).start("out")) {
      while (worker.batchedTasks() == 0) {
        inserted++;
        insert("1");
        queue.advance(Duration.ofMillis(100));
        TimeUnit.MILLISECONDS.sleep(1);
      }
      assertThat(worker.batchedTasks()).as("tasks of %d", inserted).isGreaterThanOrEqualTo(2);
    }
    assertThat(Duration.between(start, queue.time()))
        .isGreaterThanOrEqualTo(SECOND.multipliedBy(3));
  }

  @Test
  void shouldEndABatchThatWouldBeTooLarge() throws Exception {
    for (int i = 0; i < 3; i++) {
      insert("\"%s\"".formatted("x".repeat(40)));
    }
    try (BatchWorker worker = batches().maxBytes(100).start("out")) {
      advanceUntilBatched(worker, 3);
    }
    assertThat(out()).extracting(String::length).containsExactlyInAnyOrder(87, 44);
  }

  @Test
  void shouldMakeABatchOfAValueThatIsTooLargeAlone() throws Exception {
    insert("\"%s\"".formatted("x".repeat(1_000)));
    try (BatchWorker worker = batches().maxBytes(100).start("out")) {
      advanceUntilBatched(worker, 1);
    }
    assertThat(out().get(0)).hasSize(1_004);
  }

  @Test
  void shouldQuarantineWhatIsNotJson() throws Exception {
    insert(Value.bytes(new byte[] {1}));
    insert("1");
    try (BatchWorker worker = batches().start("out")) {
      awaitHeld(1);
      await(() -> tasks("in/err").size() == 1);
      advanceUntilBatched(worker, 1);
    }
    assertThat(out()).containsExactly("[1]");
    Task bad = tasks("in/err").get(0);
    assertThat(bad.attempt()).isOne();
    assertThat(bad.err()).contains("cannot decode");
    assertThat(queue.tryClaim(Claim.from("in/err"))).isPresent();
  }

  @Test
  void shouldBatchTheOthersIfOneCannotBeQuarantined() throws Exception {
    String name = "q".repeat(1_024);
    insert(Insert.into(name).withValue(Value.bytes(new byte[] {1})));
    insert(Insert.into(name).withValue(Value.json("1")));
    try (BatchWorker worker =
        BatchWorker.on(queue).from(name).lease(LEASE).maxSize(2).start("out")) {
      advanceUntilBatched(worker, 1);
    }
    assertThat(out()).containsExactly("[1]");
    assertThat(tasks(name)).hasSize(1);
    assertThat(tasks(name).get(0).arrivalTime()).as("left to its lease").isAfter(queue.time());
  }

  private Task taskOf(String value) {
    return tasks("in").stream().filter(task -> task.text().equals(value)).findFirst().orElseThrow();
  }

  @Test
  void shouldCommitTheOthersIfALeaseIsLost() throws Exception {
    insert("1");
    queue.advance(Duration.ofMillis(1));
    insert("2");
    try (BatchWorker worker = batches().start("out")) {
      awaitHeld(2);
      Task lost = taskOf("1");
      // As the claimant that holds it.
      queue.modify(Modification.change(Change.of(lost).moveTo("taken"))).orThrow();
      advanceUntilBatched(worker, 1);
    }
    assertThat(out()).containsExactly("[2]");
    assertThat(tasks("taken")).hasSize(1);
  }

  @Test
  void shouldHaveATaskOnceThatWasTakenBackAndCameAgain() throws Exception {
    insert("1");
    insert("2");
    try (BatchWorker worker = batches().start("out")) {
      awaitHeld(2);
      queue.modify(Modification.takeBack(taskOf("1"))).orThrow();
      await(() -> taskOf("1").version() == 3);
      advanceUntilBatched(worker, 2);
    }
    assertThat(out()).hasSize(1);
    assertThat(out().get(0)).hasSize(5);
  }

  @Test
  void shouldCommitTheBatchThatHasBegunWhenClosed() throws Exception {
    BatchWorker worker = batches().start("out");
    insert("1");
    awaitHeld(1);
    // Its claim shows that the first one is in the batch by now.
    insert("2");
    awaitHeld(2);
    worker.close();
    assertThat(worker.isRunning()).isFalse();
    // An answer on its way is given back.
    assertThat(out()).containsAnyOf("[1]", "[1,2]").hasSize(1);
    worker.close();
  }

  @Test
  void shouldEndWithTheQueue() throws Exception {
    BatchWorker worker = batches().start("out");
    queue.close();
    await(() -> !worker.isRunning());
  }

  @Test
  void shouldRefuseImpossibleOptions() {
    assertThatThrownBy(() -> BatchWorker.on(queue).start("out"))
        .isInstanceOf(EntroQException.InvalidArgument.class);
    assertThatThrownBy(() -> batches().start("")).hasMessageContaining("queue");
    assertThatThrownBy(() -> batches().maxSize(0)).hasMessageContaining("maxSize");
    assertThatThrownBy(() -> batches().maxSize(1_001)).hasMessageContaining("1,001");
    assertThatThrownBy(() -> batches().maxBytes(0)).hasMessageContaining("maxBytes");
    assertThatThrownBy(() -> batches().lease(Duration.ofSeconds(9)).start("out"))
        .hasMessage("maxWait must be at most half of the lease of PT9S, is PT5S");
  }
}

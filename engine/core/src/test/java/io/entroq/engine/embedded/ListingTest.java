package io.entroq.engine.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.entroq.api.Claim;
import io.entroq.api.Durability;
import io.entroq.api.EntroQ;
import io.entroq.api.EntroQException;
import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.QueueQuery;
import io.entroq.api.Task;
import io.entroq.api.TaskId;
import io.entroq.api.TaskQuery;
import io.entroq.api.Value;
import io.entroq.engine.fault.FaultPoint;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Long listings, beside everything else. */
class ListingTest {
  private static final int TASKS = 50_000;
  private static final int PER_MODIFY = 1_000;

  @TempDir Path directory;

  private volatile FaultPoint armed;

  @ParameterizedTest
  @EnumSource(Durability.class)
  void shouldShowEachTaskOnceWhileOthersClaimAndDelete(Durability level) throws Exception {
    try (EntroQ queue = open(EmbeddedConfig.in(directory).durability(level))) {
      insert(queue, "q", TASKS);
      AtomicBoolean isOver = new AtomicBoolean();
      Set<TaskId> deleted = new HashSet<>();
      CompletableFuture<Void> claimer =
          CompletableFuture.runAsync(() -> claimAndDelete(queue, isOver, deleted));
      CompletableFuture<Void> inserter =
          CompletableFuture.runAsync(() -> insertUntil(queue, isOver));

      List<TaskId> shown = new ArrayList<>();
      queue.forEachTask(TaskQuery.in("q").withoutValues(), task -> shown.add(task.id()));
      isOver.set(true);
      claimer.get(30, TimeUnit.SECONDS);
      inserter.get(30, TimeUnit.SECONDS);

      assertThat(shown).doesNotHaveDuplicates();
      Set<TaskId> missing = new HashSet<>();
      for (int i = 0; i < TASKS; i++) {
        missing.add(TaskId.of("task " + i));
      }
      missing.removeAll(deleted);
      shown.forEach(missing::remove);
      assertThat(missing).isEmpty();
    }
  }

  private static void claimAndDelete(EntroQ queue, AtomicBoolean isOver, Set<TaskId> deleted) {
    for (int i = 0; !isOver.get(); i++) {
      Task task = queue.tryClaim(Claim.from("q").withLease(Duration.ofMillis(20))).orElseThrow();
      if (i % 3 == 0 && queue.modify(Modification.delete(task)).isCommitted()) {
        deleted.add(task.id());
      }
    }
  }

  private static void insertUntil(EntroQ queue, AtomicBoolean isOver) {
    while (!isOver.get()) {
      queue.modify(Modification.insert("q", "more")).orThrow();
    }
  }

  @Test
  void shouldSayThatTheEngineIsClosedWhenThatEndsAListing() throws Exception {
    for (int round = 0; round < 10; round++) {
      EntroQ queue = EmbeddedEntroQ.inMemory();
      insert(queue, "q", TASKS);
      CompletableFuture<Void> begun = new CompletableFuture<>();
      CompletableFuture<Void> listing =
          CompletableFuture.runAsync(
              () -> queue.forEachTask(TaskQuery.in("q"), task -> begun.complete(null)));
      while (!begun.isDone()) {
        queue.modify(Modification.insert("other", "v")).orThrow();
      }
      queue.close();
      assertThat(listing)
          .failsWithin(Duration.ofSeconds(30))
          .withThrowableOfType(ExecutionException.class)
          .withCauseInstanceOf(EntroQException.Closed.class);
    }
  }

  @Test
  void shouldAnswerInOnePieceWhatFillsManyPages() throws Exception {
    try (EntroQ queue = EmbeddedEntroQ.inMemory()) {
      insert(queue, "q", 20_000);

      assertThat(queue.tasks(TaskQuery.in("q"))).hasSize(20_000);
      assertThat(queue.tasks(TaskQuery.in("q").withLimit(12_345))).hasSize(12_345);
      assertThat(queue.tasksAsync(TaskQuery.in("q")).get(30, TimeUnit.SECONDS)).hasSize(20_000);
      List<TaskId> ids = new ArrayList<>();
      for (int i = 10_000; i > 0; i--) {
        ids.add(TaskId.of("task " + i));
      }
      assertThat(queue.tasks(TaskQuery.withIds(ids))).extracting(Task::id).isEqualTo(ids);
    }
  }

  @Test
  void shouldShowAValueThatIsLongerThanAPage() {
    try (EntroQ queue = EmbeddedEntroQ.inMemory()) {
      for (int bytes : new int[] {10, 1 << 20, 20, 100_000, 200_000, 30}) {
        queue.modify(Modification.insert("q", Value.bytes(new byte[bytes]))).orThrow();
      }

      assertThat(queue.tasks(TaskQuery.in("q")))
          .extracting(task -> task.value().size())
          .containsExactlyInAnyOrder(10, 20, 30, 100_000, 200_000, 1 << 20);
    }
  }

  @Test
  void shouldEndWhenTheConsumerThrows() {
    try (EntroQ queue = EmbeddedEntroQ.inMemory()) {
      insert(queue, "q", 5_000);
      AtomicInteger shown = new AtomicInteger();

      assertThatThrownBy(
              () ->
                  queue.forEachTask(
                      TaskQuery.in("q"),
                      task -> {
                        if (shown.incrementAndGet() == 3_000) {
                          throw new IllegalStateException("enough");
                        }
                      }))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("enough");

      assertThat(shown).hasValue(3_000);
    }
  }

  @Test
  void shouldEndWhenTheQueueIsClosedBetweenTwoPages() {
    EntroQ queue = EmbeddedEntroQ.inMemory();
    insert(queue, "q", 5_000);

    assertThatThrownBy(() -> queue.forEachTask(TaskQuery.in("q"), task -> queue.close()))
        .isInstanceOf(EntroQException.Closed.class);
  }

  @Test
  void shouldAnswerListingsUnderWayWhenTheEngineBreaks() throws Exception {
    EmbeddedConfig config = EmbeddedConfig.inMemory().build();
    EmbeddedEntroQ queue =
        new EmbeddedEntroQ(
            config,
            EngineStore.open(config, EngineEnvironment.ofThisMachine().withFaults(this::reached)));
    insert(queue, "q", 20_000);
    List<CompletableFuture<List<Task>>> listings = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      listings.add(queue.tasksAsync(TaskQuery.in("q")));
    }

    armed = FaultPoint.AFTER_APPEND_BEFORE_COMMIT;
    assertThat(queue.modify(Modification.insert("q", "at the fault")).isCommitted()).isFalse();

    int failed = 0;
    for (CompletableFuture<List<Task>> listing : listings) {
      failed += listing.handle((tasks, e) -> e == null ? 0 : 1).get(30, TimeUnit.SECONDS);
    }
    assertThat(failed).isPositive();
    assertThatThrownBy(() -> queue.tasks(TaskQuery.in("q")))
        .isInstanceOf(EntroQException.Closed.class);
    queue.close();
  }

  private void reached(FaultPoint point) {
    if (point == armed) {
      throw new IllegalStateException("armed at " + point);
    }
  }

  @Test
  void shouldMakeNoObjectsOnTheEnginesThread() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    try (EmbeddedEntroQ queue = EmbeddedEntroQ.inMemory()) {
      insert(queue, "q", TASKS);
      TaskQuery all = TaskQuery.in("q");
      queue.forEachTask(all, task -> {});
      long thread = queue.engine().thread().getId();
      long before = threads.getThreadAllocatedBytes(thread);

      AtomicInteger shown = new AtomicInteger();
      queue.forEachTask(all, task -> shown.incrementAndGet());

      double bytes = threads.getThreadAllocatedBytes(thread) - before;
      System.out.printf("engine thread: %.4f B per listed task%n", bytes / TASKS);
      assertThat(shown).hasValue(TASKS);
      assertThat(bytes / TASKS).isLessThan(1);
    }
  }

  @Test
  void shouldListTenThousandQueues() {
    listQueues(10_000);
  }

  @Test
  @Tag("long")
  void shouldListAMillionQueues() {
    listQueues(1_000_000);
  }

  private static void listQueues(int count) {
    try (EntroQ queue = open(EmbeddedConfig.inMemory().listingBytesMax(256 << 20))) {
      for (int done = 0; done < count; done += PER_MODIFY) {
        Modification.Builder some = Modification.builder();
        for (int i = done; i < done + PER_MODIFY; i++) {
          some.insert("queue/" + i, "v");
        }
        queue.modify(some.build()).orThrow();
      }

      assertThat(queue.queues(QueueQuery.all())).hasSize(count);
      assertThat(queue.queueStats(QueueQuery.startingWith("queue/77"))).hasSizeGreaterThan(100);
      assertThat(queue.queueStats(QueueQuery.named("queue/5", "none"))).containsOnlyKeys("queue/5");
    }
  }

  private static EmbeddedEntroQ open(EmbeddedConfig.Builder config) {
    return EmbeddedEntroQ.open(config.build());
  }

  private static void insert(EntroQ queue, String name, int tasks) {
    for (int done = 0; done < tasks; done += PER_MODIFY) {
      Modification.Builder some = Modification.builder();
      for (int i = done; i < done + PER_MODIFY; i++) {
        some.insert(Insert.into(name).withId("task " + i).withValue("value " + i));
      }
      queue.modify(some.build()).orThrow();
    }
  }
}

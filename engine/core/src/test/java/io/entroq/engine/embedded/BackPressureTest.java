package io.entroq.engine.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.api.Claim;
import io.entroq.api.Durability;
import io.entroq.api.EntroQ;
import io.entroq.api.EntroQException;
import io.entroq.api.Modification;
import io.entroq.api.ModifyResult;
import io.entroq.api.QueueQuery;
import io.entroq.api.Task;
import io.entroq.api.TaskId;
import io.entroq.api.TaskQuery;
import io.entroq.api.TaskRef;
import io.entroq.api.Value;
import io.entroq.engine.log.LogConfig;
import io.entroq.engine.log.MemoryLog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Past a bound, callers wait for room and are then refused; nothing grows. */
class BackPressureTest {
  private final ForceSwitch disk = new ForceSwitch();
  private EmbeddedEntroQ queue;

  private void open(EmbeddedConfig.Builder builder) {
    open(builder, Duration.ofMillis(200));
  }

  /** An engine whose replies wait for a disk that stands still. */
  private void open(EmbeddedConfig.Builder builder, Duration roomTimeout) {
    EmbeddedConfig config = builder.durability(Durability.DISK).roomTimeout(roomTimeout).build();
    MemoryLog log = new MemoryLog(LogConfig.defaults().withForcer(disk), 1);
    queue =
        new EmbeddedEntroQ(
            config, EngineStore.inMemory(config, log, EngineEnvironment.ofThisMachine()));
  }

  @AfterEach
  void close() {
    disk.all();
    queue.close();
  }

  @Test
  void shouldNotWaitLongerThanTheTimeOfACall() throws Exception {
    open(EmbeddedConfig.inMemory().requestsInFlightMax(2), Duration.ofHours(1));
    EntroQ impatient = queue.withTimeout(Duration.ofMillis(50));
    // The disk stands still, so neither is answered.
    assertThat(impatient.modify(Modification.insert("q", "v")))
        .isInstanceOf(ModifyResult.OutcomeUnknown.class);
    assertThatThrownBy(() -> impatient.queues(QueueQuery.all()))
        .isInstanceOf(EntroQException.Unavailable.class);
    // Both are under way still, so there is no room.
    assertThatThrownBy(() -> impatient.modify(Modification.insert("q", "v")))
        .isInstanceOf(EntroQException.ResourceExhausted.class);
    assertThatThrownBy(() -> impatient.tryClaim(Claim.from("q")))
        .isInstanceOf(EntroQException.ResourceExhausted.class);

    disk.all();
    assertThat(queue.queues(QueueQuery.all())).containsOnly(Map.entry("q", 1L));
    assertThat(impatient.withTimeout(Duration.ofHours(1)).claim(Claim.from("q")).claims())
        .isEqualTo(1);
  }

  @Test
  void shouldRefuseRequestsWhenTooManyAreUnderWay() throws Exception {
    open(EmbeddedConfig.inMemory().requestsInFlightMax(4));
    List<CompletableFuture<ModifyResult>> writes = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      writes.add(queue.modifyAsync(Modification.insert("q", "v")));
    }

    assertThatThrownBy(() -> queue.modify(Modification.insert("q", "v")))
        .isInstanceOf(EntroQException.ResourceExhausted.class)
        .hasMessageContaining("requestsInFlightMax")
        .hasMessageContaining("4");
    assertFails(queue.tryClaimAsync(Claim.from("q")), EntroQException.ResourceExhausted.class);

    disk.all();
    for (CompletableFuture<ModifyResult> write : writes) {
      write.get(30, TimeUnit.SECONDS).orThrow();
    }
    queue.modify(Modification.insert("q", "v")).orThrow();
  }

  @Test
  void shouldLetACallerInWhenRoomComesInTime() throws Exception {
    open(EmbeddedConfig.inMemory().requestsInFlightMax(1), Duration.ofSeconds(30));
    CompletableFuture<ModifyResult> first = queue.modifyAsync(Modification.insert("q", "v"));
    CompletableFuture<ModifyResult> second =
        CompletableFuture.supplyAsync(() -> queue.modify(Modification.insert("q", "v")));

    disk.all();

    first.get(30, TimeUnit.SECONDS).orThrow();
    second.get(30, TimeUnit.SECONDS).orThrow();
  }

  @Test
  void shouldRefuseBytesWhenTooManyAreUnderWay() throws Exception {
    open(EmbeddedConfig.inMemory().commandBytesMax(1 << 20).bytesInFlightMax(1 << 20));
    CompletableFuture<ModifyResult> large =
        queue.modifyAsync(Modification.insert("q", Value.bytes(new byte[900_000])));

    assertThatThrownBy(() -> queue.modify(Modification.insert("q", Value.bytes(new byte[900_000]))))
        .isInstanceOf(EntroQException.ResourceExhausted.class)
        .hasMessageContaining("bytesInFlightMax");
    CompletableFuture<ModifyResult> small = queue.modifyAsync(Modification.insert("q", "small"));

    disk.all();
    large.get(30, TimeUnit.SECONDS).orThrow();
    small.get(30, TimeUnit.SECONDS).orThrow();
    queue.modify(Modification.insert("q", Value.bytes(new byte[900_000]))).orThrow();
  }

  @Test
  void shouldCountTheBytesOfDeletes() throws Exception {
    open(EmbeddedConfig.inMemory().commandBytesMax(1 << 20).bytesInFlightMax(1 << 20));
    Modification.Builder deletes = Modification.builder();
    for (int i = 0; i < 20_000; i++) {
      deletes.delete(new TaskRef(TaskId.of("%016x".formatted(i + 1)), 0, "a queue of some length"));
    }
    CompletableFuture<ModifyResult> first = queue.modifyAsync(deletes.build());

    assertThatThrownBy(() -> queue.modify(deletes.build()))
        .isInstanceOf(EntroQException.ResourceExhausted.class)
        .hasMessageContaining("bytesInFlightMax");

    disk.all();
    assertThat(first.get(30, TimeUnit.SECONDS).isCommitted()).isFalse();
  }

  @Test
  void shouldRefuseWaitingClaimsWhenTooManyWaitAndNothingElse() throws Exception {
    disk.all();
    open(EmbeddedConfig.inMemory().waitingClaimsMax(3).requestsInFlightMax(2));
    List<CompletableFuture<List<Task>>> claims = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      claims.add(queue.claimAsync(Claim.from("q")));
    }

    assertThatThrownBy(() -> queue.claim(Claim.from("q")))
        .isInstanceOf(EntroQException.ResourceExhausted.class)
        .hasMessageContaining("waitingClaimsMax");
    for (int i = 0; i < 3; i++) {
      queue.modify(Modification.insert("q", "v")).orThrow();
    }

    for (CompletableFuture<List<Task>> claim : claims) {
      assertThat(claim.get(30, TimeUnit.SECONDS)).hasSize(1);
    }
    CompletableFuture<List<Task>> another = queue.claimAsync(Claim.from("q"));
    assertThat(another.cancel(false)).isTrue();
  }

  @Test
  void shouldGiveRoomBackWhenClaimsAreCancelled() {
    disk.all();
    open(EmbeddedConfig.inMemory().waitingClaimsMax(2));

    for (int i = 0; i < 1_000; i++) {
      assertThat(queue.claimAsync(Claim.from("q")).cancel(false)).isTrue();
    }

    queue.modify(Modification.insert("q", "v")).orThrow();
    assertThat(queue.tryClaim(Claim.from("q"))).isPresent();
  }

  @Test
  void shouldRefuseClaimsWhenRepliesThatNobodyTakesPileUp() {
    disk.all();
    open(
        EmbeddedConfig.inMemory().waitingClaimsMax(3).requestsInFlightMax(1), Duration.ofMillis(1));
    CountDownLatch held = new CountDownLatch(1);
    CompletableFuture<Void> holding =
        queue.claimAsync(Claim.from("first")).thenRun(() -> await(held));
    queue.modify(Modification.insert("first", "v")).orThrow();
    queue.modify(Modification.insert("q", "v")).orThrow();

    // Behind what is chained to the first claim, nothing leaves the queue of replies.
    for (int i = 0; i < 100; i++) {
      CompletableFuture<List<Task>> claim = queue.claimAsync(Claim.from("q"));
      queue.time();
      claim.cancel(false);
    }
    assertFails(queue.claimAsync(Claim.from("q")), EntroQException.ResourceExhausted.class);
    assertThat(queue.tryClaim(Claim.from("q"))).isPresent();

    held.countDown();
    holding.join();
    Await.until("there is room", () -> hasRoomForAClaim());
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private boolean hasRoomForAClaim() {
    CompletableFuture<List<Task>> claim = queue.claimAsync(Claim.from("empty"));
    return !claim.isCompletedExceptionally() && claim.cancel(false);
  }

  @Test
  void shouldNameLimitAndSizeWhenARequestIsTooLarge() {
    disk.all();
    open(EmbeddedConfig.inMemory().valueBytesMax(1_000).commandBytesMax(2_000));

    assertThatThrownBy(() -> queue.modify(Modification.insert("q", Value.bytes(new byte[1_001]))))
        .isInstanceOf(EntroQException.InvalidArgument.class)
        .hasMessageContaining("inserts[0].value")
        .hasMessageContaining("1001")
        .hasMessageContaining("1000");
    Modification.Builder many = Modification.builder();
    for (int i = 0; i < 100; i++) {
      many.insert("q", "v");
    }
    assertThatThrownBy(() -> queue.modify(many.build()))
        .isInstanceOf(EntroQException.InvalidArgument.class)
        .hasMessageContaining("commandBytesMax");
    assertThat(queue.engine().store().core().machine().taskCount()).isZero();
  }

  @Test
  void shouldRefuseAReadWhoseAnswerIsTooLong() {
    disk.all();
    open(EmbeddedConfig.inMemory().listingBytesMax(10_000));
    for (int i = 0; i < 20; i++) {
      queue.modify(Modification.insert("queue " + i % 2, Value.bytes(new byte[1_200]))).orThrow();
    }

    assertThat(queue.tasks(TaskQuery.in("queue 0").withLimit(7))).hasSize(7);
    assertThat(queue.tasks(TaskQuery.in("queue 0").withoutValues())).hasSize(10);
    assertThatThrownBy(() -> queue.tasks(TaskQuery.in("queue 1")))
        .isInstanceOf(EntroQException.ResourceExhausted.class)
        .hasMessageContaining("10000 bytes that listingBytesMax allows")
        .hasMessageContaining("forEachTask");
    assertThat(queue.queues(QueueQuery.all())).hasSize(2);
    List<Task> all = new ArrayList<>();
    queue.forEachTask(TaskQuery.in("queue 1"), all::add);
    assertThat(all).hasSize(10);
  }

  @Test
  void shouldRefuseAReadOfQueuesWhoseAnswerIsTooLong() {
    disk.all();
    open(EmbeddedConfig.inMemory().listingBytesMax(10_000));
    String suffix = "x".repeat(500);
    for (int i = 0; i < 30; i++) {
      queue.modify(Modification.insert("queue " + i + suffix, "v")).orThrow();
    }

    assertThat(queue.queues(QueueQuery.startingWith("queue 1"))).hasSize(11);
    assertThatThrownBy(() -> queue.queueStats(QueueQuery.all()))
        .isInstanceOf(EntroQException.ResourceExhausted.class)
        .hasMessageContaining("10000 bytes that listingBytesMax allows")
        .hasMessageContaining("prefixes");
  }

  @Test
  void shouldLeaveAllRoomToOthersWhileAConsumerIsSlow() {
    disk.all();
    open(EmbeddedConfig.inMemory().requestsInFlightMax(1));
    insert(3_000);
    List<Task> seen = new ArrayList<>();

    // With the only request there may be.
    queue.forEachTask(
        TaskQuery.in("q"),
        task -> {
          seen.add(task);
          if (seen.size() % 500 == 0) {
            assertThat(queue.tryClaim(Claim.from("q"))).isPresent();
          }
        });

    assertThat(seen).extracting(Task::id).hasSize(3_000).doesNotHaveDuplicates();
  }

  @Test
  void shouldListManyAtATimeAndEachWhole() throws Exception {
    disk.all();
    open(EmbeddedConfig.inMemory());
    insert(5_000);
    List<CompletableFuture<List<Task>>> listings = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      listings.add(queue.tasksAsync(TaskQuery.in("q")));
    }
    CompletableFuture<List<Task>> other = queue.tasksAsync(TaskQuery.in("empty"));

    assertThat(other.get(30, TimeUnit.SECONDS)).isEmpty();
    for (CompletableFuture<List<Task>> listing : listings) {
      assertThat(listing.get(30, TimeUnit.SECONDS))
          .extracting(Task::id)
          .hasSize(5_000)
          .doesNotHaveDuplicates();
    }
  }

  private void insert(int tasks) {
    for (int done = 0; done < tasks; done += 500) {
      Modification.Builder some = Modification.builder();
      for (int i = 0; i < 500; i++) {
        some.insert("q", "a value of some length, as most have");
      }
      queue.modify(some.build()).orThrow();
    }
  }

  @Test
  void shouldRefuseAtOnceOnTheThreadThatMakesRoom() throws Exception {
    open(EmbeddedConfig.inMemory().waitingClaimsMax(1), Duration.ofHours(1));
    CompletableFuture<List<Task>> only = queue.claimAsync(Claim.from("q"));

    CompletableFuture<List<Task>> chained =
        queue.timeAsync().thenCompose(time -> queue.claimAsync(Claim.from("q")));

    disk.all();

    assertFails(chained, EntroQException.ResourceExhausted.class);
    assertThat(only.cancel(false)).isTrue();
  }

  private static void assertFails(
      CompletableFuture<?> future, Class<? extends EntroQException> cause) {
    assertThatThrownBy(() -> future.get(30, TimeUnit.SECONDS))
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(cause);
  }
}

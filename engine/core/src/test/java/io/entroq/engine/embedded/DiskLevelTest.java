package io.entroq.engine.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.api.Claim;
import io.entroq.api.Durability;
import io.entroq.api.EntroQException;
import io.entroq.api.Modification;
import io.entroq.api.ModifyResult;
import io.entroq.api.QueueQuery;
import io.entroq.api.Task;
import io.entroq.api.TaskId;
import io.entroq.api.TaskQuery;
import io.entroq.api.TaskRef;
import io.entroq.api.Value;
import io.entroq.engine.log.CommandLog;
import io.entroq.engine.log.LogConfig;
import io.entroq.engine.log.MemoryLog;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** At level {@code DISK} nothing is shown to anybody that could still vanish. */
class DiskLevelTest {
  private final ForceSwitch disk = new ForceSwitch();
  private EmbeddedEntroQ queue = open(EmbeddedConfig.inMemory());

  private EmbeddedEntroQ open(EmbeddedConfig.Builder builder) {
    EmbeddedConfig config = builder.durability(Durability.DISK).build();
    MemoryLog log = new MemoryLog(LogConfig.defaults().withForcer(disk), 1);
    return new EmbeddedEntroQ(
        config, EngineStore.inMemory(config, log, EngineEnvironment.ofThisMachine()));
  }

  /** The first record of the log is on the disk, so each force from here on is the test's. */
  @BeforeEach
  void forceGenesis() {
    disk.one();
    Await.until("the log has begun", () -> log().forcedSequence() == 1);
  }

  @AfterEach
  void close() {
    disk.all();
    queue.close();
  }

  @Test
  void shouldHoldBackRepliesOfWritesUntilTheyAreForced() throws Exception {
    CompletableFuture<ModifyResult> write = queue.modifyAsync(Modification.insert("q", "v"));
    Await.until("a force has begun", () -> disk.asked() == 2);
    awaitExecuted();
    assertThat(write).isNotDone();

    disk.all();

    assertThat(write.get(30, TimeUnit.SECONDS).isCommitted()).isTrue();
  }

  @Test
  void shouldHoldBackRepliesOfReadsUntilWhatTheySawIsForced() throws Exception {
    CompletableFuture<ModifyResult> write = queue.modifyAsync(Modification.insert("q", "v"));
    List<CompletableFuture<?>> reads =
        List.of(
            queue.tasksAsync(TaskQuery.in("q")),
            queue.queuesAsync(QueueQuery.all()),
            queue.queueStatsAsync(QueueQuery.all()),
            queue.tryClaimAsync(Claim.from("empty")),
            queue.modifyAsync(Modification.delete(ghost())));
    awaitExecuted();
    assertThat(write).isNotDone();
    assertThat(reads).noneMatch(CompletableFuture::isDone);

    disk.all();

    assertThat(write.get(30, TimeUnit.SECONDS).isCommitted()).isTrue();
    for (CompletableFuture<?> read : reads) {
      assertThat(read.get(30, TimeUnit.SECONDS)).isNotNull();
    }
  }

  @Test
  void shouldAnswerReadsAtOnceWhenEverythingIsForced() throws Exception {
    disk.all();
    queue.modify(Modification.insert("q", "v")).orThrow();
    int before = disk.asked();

    assertThat(queue.tasks(TaskQuery.in("q"))).hasSize(1);

    assertThat(disk.asked()).isEqualTo(before);
  }

  @Test
  void shouldReleaseOnlyWhatAForceCovers() throws Exception {
    CompletableFuture<ModifyResult> first = queue.modifyAsync(Modification.insert("q", "1"));
    Await.until("a force has begun", () -> disk.asked() == 2);
    CompletableFuture<ModifyResult> second = queue.modifyAsync(Modification.insert("q", "2"));
    awaitExecuted();

    disk.one();

    assertThat(first.get(30, TimeUnit.SECONDS).isCommitted()).isTrue();
    Await.until("the next force has begun", () -> disk.asked() == 3);
    assertThat(second).isNotDone();
    disk.one();
    assertThat(second.get(30, TimeUnit.SECONDS).isCommitted()).isTrue();
  }

  @Test
  void shouldForceForManyAtOnceAndNeverTwiceAtATime() throws Exception {
    List<CompletableFuture<ModifyResult>> writes = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      writes.add(queue.modifyAsync(Modification.insert("q", "task " + i)));
    }
    awaitExecuted();

    disk.all();

    for (CompletableFuture<ModifyResult> write : writes) {
      assertThat(write.get(30, TimeUnit.SECONDS).isCommitted()).isTrue();
    }
    assertThat(disk.insideMost()).isEqualTo(1);
    assertThat(disk.asked()).isLessThan(20);
  }

  @Test
  void shouldStopTakingRequestsWhenTooMuchIsUnforced() throws Exception {
    disk.all();
    queue.close();
    ForceSwitch slow = new ForceSwitch();
    EmbeddedConfig config =
        EmbeddedConfig.inMemory().durability(Durability.DISK).unforcedBytesMax(100_000).build();
    MemoryLog log = new MemoryLog(LogConfig.defaults().withForcer(slow), 1);
    queue =
        new EmbeddedEntroQ(
            config, EngineStore.inMemory(config, log, EngineEnvironment.ofThisMachine()));
    List<CompletableFuture<ModifyResult>> writes = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      writes.add(queue.modifyAsync(Modification.insert("q", Value.bytes(new byte[10_000]))));
    }
    Await.until("unforced bytes are at their bound", () -> log.appendedBytes() > 100_000);

    // One batch may go past the bound; without the bound all 2 MB would be there.
    assertThat(log.appendedBytes()).isLessThan(100_000 + 128 * 10_200);
    assertThat(writes).noneMatch(CompletableFuture::isDone);
    slow.all();

    for (CompletableFuture<ModifyResult> write : writes) {
      assertThat(write.get(30, TimeUnit.SECONDS).isCommitted()).isTrue();
    }
  }

  @Test
  void shouldLeaveOutcomesUnknownAndStopWhenAForceFails() throws Exception {
    CompletableFuture<ModifyResult> write = queue.modifyAsync(Modification.insert("q", "v"));
    CompletableFuture<List<Task>> read = queue.tasksAsync(TaskQuery.in("q"));
    CompletableFuture<List<Task>> claim = queue.tryClaimAsync(Claim.from("q"));
    CompletableFuture<List<Task>> waiting = queue.claimAsync(Claim.from("other"));
    awaitExecuted();

    disk.fail();

    assertThat(write.get(30, TimeUnit.SECONDS)).isInstanceOf(ModifyResult.OutcomeUnknown.class);
    assertFails(read, EntroQException.Unavailable.class);
    assertFails(claim, EntroQException.OutcomeUnknown.class);
    assertFails(waiting, EntroQException.OutcomeUnknown.class);
    assertThatThrownBy(() -> queue.modify(Modification.insert("q", "v")))
        .isInstanceOf(EntroQException.Closed.class)
        .hasMessageContaining("the disk has gone");
    assertThatThrownBy(() -> queue.claim(Claim.from("q")))
        .isInstanceOf(EntroQException.Closed.class);
    queue.close();
  }

  @Test
  void shouldAnswerBlockedCallersWhenAForceFails() throws Exception {
    CompletableFuture<ModifyResult> outcome =
        CompletableFuture.supplyAsync(() -> queue.modify(Modification.insert("q", "v")));
    Await.until("a force has begun", () -> disk.asked() == 2);

    disk.fail();

    assertThat(outcome.get(30, TimeUnit.SECONDS)).isInstanceOf(ModifyResult.OutcomeUnknown.class);
  }

  private CommandLog log() {
    return queue.engine().store().core().log();
  }

  /** Everything sent before has been executed when the engine has nothing left to take. */
  private void awaitExecuted() {
    Await.until("the engine has taken all", () -> queue.engine().isAsleep());
  }

  private static TaskRef ghost() {
    return new TaskRef(TaskId.of("ghost"), 0, "q");
  }

  private static void assertFails(
      CompletableFuture<?> future, Class<? extends EntroQException> cause) {
    assertThatThrownBy(() -> future.get(30, TimeUnit.SECONDS))
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(cause);
  }
}

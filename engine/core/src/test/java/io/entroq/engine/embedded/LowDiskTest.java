package io.entroq.engine.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.api.Change;
import io.entroq.api.Claim;
import io.entroq.api.EntroQException.Closed;
import io.entroq.api.EntroQException.OutcomeUnknown;
import io.entroq.api.EntroQException.ResourceExhausted;
import io.entroq.api.EntroQException.Unavailable;
import io.entroq.api.Modification;
import io.entroq.api.ModifyResult;
import io.entroq.api.Task;
import io.entroq.api.TaskId;
import io.entroq.api.TaskQuery;
import io.entroq.api.TaskRef;
import io.entroq.api.Value;
import io.entroq.codec.command.TaskDataFields;
import io.entroq.codec.message.IdFields;
import io.entroq.codec.message.Slice;
import io.entroq.codec.result.ResultCodes;
import io.entroq.engine.gateway.EngineStats;
import io.entroq.engine.state.TestLevel;
import io.entroq.engine.time.ManualClock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What goes on and what does not when a disk fills up that says whatever the test says. */
class LowDiskTest {
  private static final long MIB = 1 << 20;

  @TempDir Path directory;

  private final AtomicLong usableBytes = new AtomicLong(1_000 * MIB);
  private final ManualClock clock = new ManualClock(TestEntroQ.START);
  private final ConcurrentLinkedQueue<String> warnings = new ConcurrentLinkedQueue<>();
  private final Logger logger = Logger.getLogger("io.entroq.engine.space.SpaceWarning");
  private final Handler handler =
      new Handler() {
        @Override
        public void publish(LogRecord record) {
          warnings.add(record.getLevel() + " " + record.getMessage());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  @BeforeEach
  void listen() {
    logger.addHandler(handler);
    logger.setUseParentHandlers(false);
  }

  @AfterEach
  void listenNoMore() {
    logger.removeHandler(handler);
    logger.setUseParentHandlers(true);
  }

  private EmbeddedConfig.Builder config() {
    return EmbeddedConfig.in(directory).clock(clock).diskSpace(asked -> usableBytes.get());
  }

  /** So many bytes are free from here on, and it is time to look. */
  private void set(long bytes) {
    usableBytes.set(bytes);
    clock.advance(Duration.ofMillis(100));
  }

  private static ModifyResult insert(EmbeddedEntroQ queue) {
    return queue.modify(Modification.insert("q", "v"));
  }

  private static boolean isRefused(Runnable request) {
    try {
      request.run();
      return false;
    } catch (ResourceExhausted e) {
      return true;
    }
  }

  @Test
  void shouldRefuseToRaiseTheLevelLikeAnyCommandWhenTheDiskIsFull() {
    TestLevel supported = TestLevel.support();
    try (supported;
        EmbeddedEntroQ queue = EmbeddedEntroQ.open(config().build())) {
      set(MIB);
      assertThatThrownBy(() -> queue.raiseLevel(TestLevel.LEVEL))
          .isInstanceOf(ResourceExhausted.class)
          .hasMessageContaining("diskFullBytes keeps 67,108,864 free");
      set(1_000 * MIB);
      Await.until("it heals", () -> !isRefused(() -> queue.raiseLevel(TestLevel.LEVEL)));
      assertThat(queue.level()).isEqualTo(TestLevel.LEVEL);
    }
  }

  @Test
  void shouldRefuseInsertsAndGoOnWithTheRestWhenTheDiskIsLow() throws Exception {
    try (EmbeddedEntroQ queue = EmbeddedEntroQ.open(config().build())) {
      for (int i = 0; i < 4; i++) {
        insert(queue).orThrow();
      }
      set(200 * MIB);

      assertThatThrownBy(() -> insert(queue))
          .isInstanceOf(ResourceExhausted.class)
          .hasMessageContaining("209,715,200 bytes are free on the file system of " + directory)
          .hasMessageContaining("diskLowBytes keeps 268,435,456 free")
          .hasMessageContaining("Free some space");
      Task claimed = queue.tryClaim(Claim.from("q")).orElseThrow();
      assertThat(isRefused(() -> queue.modify(Modification.delete(claimed).and(more())))).isTrue();
      Change renewal = Change.of(claimed).availableIn(Duration.ofHours(1));
      Task renewed = queue.modify(Modification.change(renewal)).orThrow().changed().get(0);
      queue.modify(Modification.delete(renewed)).orThrow();
      assertThat(queue.claim(Claim.from("q"))).isNotNull();
      assertThat(queue.tasks(TaskQuery.in("q"))).hasSize(3);
      assertThat(queue.tryClaim(Claim.from("empty"))).isEmpty();
      EngineStats low = queue.stats();
      assertThat(low.isDiskLow()).isTrue();
      assertThat(low.isDiskFull()).isFalse();
      assertThat(low.diskUsableBytes()).isEqualTo(200 * MIB);
      assertThat(low.writesRefusedForDisk()).isEqualTo(2);

      usableBytes.set(1_000 * MIB);
      long freedNs = System.nanoTime();
      Await.until("inserts go on", () -> !isRefused(() -> insert(queue)));
      System.out.printf("healed after %.1f ms%n", (System.nanoTime() - freedNs) / 1e6);
      assertThat(queue.stats().isDiskLow()).isFalse();
    }
    assertThat(warnings).hasSize(2);
    assertThat(warnings.poll())
        .startsWith("WARNING 209,715,200 bytes are free on the file system of " + directory)
        .contains("diskLowBytes is 268,435,456: inserts are refused");
    assertThat(warnings.poll()).contains("1,048,576,000").contains("nothing is refused any more");
  }

  private static Modification more() {
    return Modification.insert("q", "more");
  }

  @Test
  void shouldRefuseEverythingButReadsWhenTheDiskIsFull() throws Exception {
    try (EmbeddedEntroQ queue = EmbeddedEntroQ.open(config().build())) {
      insert(queue).orThrow();
      Task task = queue.tryClaim(Claim.from("q")).orElseThrow();
      insert(queue).orThrow();
      CompletableFuture<List<Task>> waiting = queue.claimAsync(Claim.from("other"));
      Await.until("it waits", () -> queue.stats().appendedSequence() == 5);
      set(50 * MIB);

      assertThatThrownBy(() -> queue.modify(Modification.delete(task)))
          .isInstanceOf(ResourceExhausted.class)
          .hasMessageContaining("52,428,800 bytes are free on the file system of " + directory)
          .hasMessageContaining("diskFullBytes keeps 67,108,864 free");
      assertThat(isRefused(() -> insert(queue))).isTrue();
      assertThat(isRefused(() -> queue.tryClaim(Claim.from("q")))).isTrue();
      assertThatThrownBy(() -> queue.claim(Claim.from("empty")))
          .isInstanceOf(ResourceExhausted.class);
      assertThat(queue.claimAsync(Claim.from("empty"))).failsWithin(Duration.ofSeconds(30));
      assertThat(queue.tryClaim(Claim.from("empty"))).isEmpty();
      assertThat(queue.modify(Modification.delete(ghost())).isCommitted()).isFalse();
      assertThat(queue.tasks(TaskQuery.in("q"))).hasSize(2);
      assertThat(queue.stats())
          .matches(EngineStats::isDiskLow)
          .matches(EngineStats::isDiskFull)
          .matches(figures -> figures.writesRefusedForDisk() == 5)
          .matches(figures -> figures.appendedSequence() == 5);
      assertThat(waiting).isNotDone();

      usableBytes.set(1_000 * MIB);
      Await.until("deletes go on", () -> !isRefused(() -> queue.modify(Modification.delete(task))));
      queue.modify(Modification.insert("other", "v")).orThrow();
      assertThat(waiting.get(30, TimeUnit.SECONDS)).hasSize(1);
      assertThat(queue.tasks(TaskQuery.in("q"))).hasSize(1);
      // The identities of refused claims are still good for others.
      assertThat(queue.claim(Claim.from("q"))).isNotNull();
    }
    assertThat(warnings).hasSize(2);
    assertThat(warnings.poll()).contains("diskFullBytes is 67,108,864: everything but reads");
    try (EmbeddedEntroQ queue = EmbeddedEntroQ.open(config().build())) {
      assertThat(queue.stats().tasks()).isEqualTo(2);
    }
  }

  private static TaskRef ghost() {
    return new TaskRef(TaskId.of("ghost"), 0, "q");
  }

  @Test
  void shouldEndWhenThereIsNoRoomForTheEndOfAWait() {
    EmbeddedEntroQ queue = EmbeddedEntroQ.open(config().build());
    CompletableFuture<List<Task>> waiting =
        queue.claimAsync(Claim.from("q").withMaxWait(Duration.ofMillis(500)));
    Await.until("it waits", () -> queue.stats().appendedSequence() == 2);
    usableBytes.set(10 * MIB);
    clock.advance(Duration.ofMillis(400));
    assertThat(isRefused(() -> insert(queue))).isTrue();
    assertThat(queue.tasks(TaskQuery.in("q"))).isEmpty();

    clock.advance(Duration.ofMillis(200));

    Await.until("the engine has ended", () -> isClosed(queue));
    assertThat(waiting)
        .failsWithin(Duration.ofSeconds(30))
        .withThrowableOfType(ExecutionException.class)
        .withCauseInstanceOf(OutcomeUnknown.class);
    assertThatThrownBy(queue::time)
        .isInstanceOf(Closed.class)
        .hasMessageContaining("10,485,760 bytes are free on the file system of " + directory)
        .hasMessageContaining("16,777,216 are kept in reserve")
        .hasMessageContaining("Free some space, then open the directory again");
    queue.close();
    assertThat(queue.stats().appendedSequence()).isEqualTo(2);
    assertThatThrownBy(() -> EmbeddedEntroQ.open(config().build()))
        .hasMessageContaining("Free some space, then open the directory again");
    usableBytes.set(1_000 * MIB);
    EmbeddedEntroQ.open(config().build()).close();
  }

  private static boolean isClosed(EmbeddedEntroQ queue) {
    try {
      queue.time();
      return false;
    } catch (Closed e) {
      return true;
    } catch (OutcomeUnknown | Unavailable e) {
      return false;
    }
  }

  @Test
  void shouldJudgeALargeInsertByItsSize() {
    try (EmbeddedEntroQ queue = EmbeddedEntroQ.open(config().build())) {
      set(259 * MIB);
      Modification.Builder large = Modification.builder();
      for (int i = 0; i < 5; i++) {
        large.insert("q", Value.bytes(new byte[1 << 20]));
      }
      assertThatThrownBy(() -> queue.modify(large.build()))
          .isInstanceOf(ResourceExhausted.class)
          .hasMessageContaining("this insert takes 5,24");
      assertThat(queue.stats().isDiskLow()).isFalse();
      insert(queue).orThrow();
    }
    assertThat(warnings).isEmpty();
  }

  @Test
  void shouldTellWhatThereIs() {
    try (EmbeddedEntroQ queue = EmbeddedEntroQ.open(config().build())) {
      EngineStats before = queue.stats();
      assertThat(before.tasks()).isZero();
      for (int i = 0; i < 600; i++) {
        insert(queue).orThrow();
      }
      EngineStats after = queue.stats();
      assertThat(after.tasks()).isEqualTo(600);
      assertThat(after.memoryBytes()).isGreaterThan(600 * 100);
      assertThat(after.appendedSequence()).isEqualTo(601);
      assertThat(after.appendedBytes()).isGreaterThan(before.appendedBytes());
      assertThat(after.forcedSequence()).isLessThanOrEqualTo(601);
      assertThat(after.writesRefusedForDisk()).isZero();
      assertThat(after.writesRefusedForMemory()).isZero();
    }
    try (TestEntroQ queue = TestEntroQ.open()) {
      assertThat(queue.stats().diskUsableBytes()).isEqualTo(Long.MAX_VALUE);
      assertThat(queue.stats().isDiskLow()).isFalse();
    }
  }

  @Test
  void shouldRefuseFloorsThatContradictEachOther() {
    assertThatThrownBy(() -> EmbeddedConfig.in(directory).diskLowBytes(20 * MIB).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("diskLowBytes must be 0 or at least diskFullBytes");
    assertThatThrownBy(() -> EmbeddedConfig.in(directory).diskFullBytes(MIB).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("the reserve of the log, which is 16,777,216");
    EmbeddedConfig off = EmbeddedConfig.in(directory).diskLowBytes(0).diskFullBytes(0).build();
    assertThat(off.diskLowBytes() + off.diskFullBytes()).isZero();
  }

  @Test
  void shouldDoTheSameWhenDriven() {
    IdFields id = new IdFields();
    TaskDataFields data = new TaskDataFields();
    Slice name = new Slice("q".getBytes(StandardCharsets.UTF_8));
    data.queue().wrap("q".getBytes(StandardCharsets.UTF_8));
    try (DrivenEngine engine = DrivenEngine.open(config().build(), (sequence, result) -> {})) {
      engine.modify().insert(id.set(1, 1), data);
      assertThat(engine.execute()).isEqualTo(ResultCodes.OK);
      set(200 * MIB);
      engine.modify().insert(id.set(1, 2), data);
      assertThatThrownBy(engine::execute)
          .isInstanceOf(ResourceExhausted.class)
          .hasMessageContaining("diskLowBytes keeps 268,435,456 free");
      engine.claim().queue(name).leaseMs(1_000);
      assertThat(engine.execute()).isEqualTo(ResultCodes.OK);
      assertThat(engine.stats().writesRefusedForDisk()).isEqualTo(1);

      usableBytes.set(50 * MIB);
      Await.until(
          "all is refused",
          () -> {
            engine.modify().depend(id.set(1, 1), 1, name);
            return isRefused(engine::execute);
          });
      assertThat(engine.stats().isDiskFull()).isTrue();
      usableBytes.set(1_000 * MIB);
      engine.modify().insert(id.set(1, 2), data);
      Await.until("inserts go on", () -> !isRefused(engine::execute));
      assertThat(engine.stats().tasks()).isEqualTo(2);
      assertThat(engine.stats().isDiskLow()).isFalse();
    }
  }
}

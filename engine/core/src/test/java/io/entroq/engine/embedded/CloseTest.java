package io.entroq.engine.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.api.Claim;
import io.entroq.api.Durability;
import io.entroq.api.EntroQException;
import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.ModifyResult;
import io.entroq.api.QueueQuery;
import io.entroq.api.Task;
import io.entroq.api.TaskQuery;
import io.entroq.engine.fault.FaultHook;
import io.entroq.engine.runtime.EngineCore;
import io.entroq.engine.time.LogClock;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CloseTest {
  @TempDir Path directory;

  @ParameterizedTest
  @EnumSource(Durability.class)
  void shouldFinishOrRefuseEveryRequestWhenClosedUnderLoad(Durability level) throws Exception {
    EmbeddedConfig config = EmbeddedConfig.in(directory).durability(level).build();
    EmbeddedEntroQ queue = EmbeddedEntroQ.open(config);
    AtomicInteger inserted = new AtomicInteger();
    List<CompletableFuture<Void>> callers = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      callers.add(runAsync(() -> insertUntilClosed(queue, inserted)));
    }
    List<CompletableFuture<List<Task>>> claims = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      claims.add(queue.claimAsync(Claim.from("empty")));
    }
    Await.until("there is load", () -> inserted.get() > 50);

    List<CompletableFuture<Void>> closers = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      closers.add(runAsync(queue::close));
    }

    for (CompletableFuture<Void> closer : closers) {
      closer.get(30, TimeUnit.SECONDS);
    }
    for (CompletableFuture<Void> caller : callers) {
      caller.get(30, TimeUnit.SECONDS);
    }
    for (CompletableFuture<List<Task>> claim : claims) {
      assertThat(claim).isDone();
      assertThatThrownBy(claim::get)
          .isInstanceOf(ExecutionException.class)
          .hasCauseInstanceOf(EntroQException.Closed.class);
    }
    try (EmbeddedEntroQ again = EmbeddedEntroQ.open(config)) {
      assertThat(again.queues(QueueQuery.all())).containsEntry("q", (long) inserted.get());
    }
  }

  @Test
  void shouldLetStandWhatComesDueWhileClaimsAreEnded() throws Exception {
    LeapingClock clock = new LeapingClock();
    EmbeddedConfig config =
        EmbeddedConfig.in(directory).clock(clock).idleYield(Duration.ZERO).build();
    EmbeddedEntroQ queue = EmbeddedEntroQ.open(config);
    queue.modify(Modification.insert(Insert.into("q").availableIn(Duration.ofHours(1)))).orThrow();
    List<CompletableFuture<List<Task>>> claims = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      claims.add(queue.claimAsync(Claim.from("q").withLease(Duration.ofHours(9))));
    }
    queue.time();
    Await.until("the engine sleeps", () -> queue.engine().isAsleep());
    // The first look is for due work, the second for the end of a claim.
    clock.leapAtLook(2);

    queue.close();

    List<Task> tasks = new ArrayList<>();
    for (CompletableFuture<List<Task>> claim : claims) {
      assertThat(claim).isDone();
      if (!claim.isCompletedExceptionally()) {
        tasks.addAll(claim.join());
      }
    }
    try (EmbeddedEntroQ again = EmbeddedEntroQ.open(config)) {
      assertThat(again.tasks(TaskQuery.in("q"))).hasSize(1).isEqualTo(tasks);
    }
  }

  /** Stands still but for one leap of two hours. */
  private static final class LeapingClock implements LogClock {
    private final AtomicInteger looksLeft = new AtomicInteger();
    private final AtomicLong timeMs = new AtomicLong(1_750_000_000_000L);

    void leapAtLook(int look) {
      looksLeft.set(look);
    }

    @Override
    public long wallMs() {
      return timeMs.get();
    }

    @Override
    public void start(long floorMs) {}

    @Override
    public long nowMs() {
      if (looksLeft.get() > 0 && looksLeft.decrementAndGet() == 0) {
        timeMs.addAndGet(Duration.ofHours(2).toMillis());
      }
      return timeMs.get();
    }

    @Override
    public long estimateMs() {
      return timeMs.get();
    }

    @Override
    public long nanosUntil(long deadlineMs) {
      return deadlineMs <= timeMs.get() ? 0 : Long.MAX_VALUE;
    }
  }

  @Test
  void shouldDoNothingWhenClosedTwice() {
    EmbeddedEntroQ queue = EmbeddedEntroQ.inMemory();

    queue.close();

    assertThatCode(queue::close).doesNotThrowAnyException();
    assertThatThrownBy(queue::time).isInstanceOf(EntroQException.Closed.class);
    assertThat(queue.timeAsync()).isCompletedExceptionally();
    assertThat(queue.claimAsync(Claim.from("q"))).isCompletedExceptionally();
  }

  @Test
  void shouldCloseFromAFutureOfItsOwn() throws Exception {
    EmbeddedEntroQ queue = EmbeddedEntroQ.inMemory();

    CompletableFuture<Void> closed = queue.timeAsync().thenAccept(time -> queue.close());

    closed.get(30, TimeUnit.SECONDS);
    assertThatThrownBy(queue::time).isInstanceOf(EntroQException.Closed.class);
  }

  @Test
  void shouldEndTheThreadsWhenClosed() {
    Set<Thread> others = threads();
    EmbeddedEntroQ queue =
        EmbeddedEntroQ.open(EmbeddedConfig.in(directory).durability(Durability.DISK).build());
    Set<Thread> threads = threads();
    threads.removeAll(others);
    assertThat(threads).hasSize(4);

    queue.close();

    Await.until("all threads have ended", () -> threads.stream().noneMatch(Thread::isAlive));
  }

  @Test
  void shouldTellWhatCouldNotBeClosed() {
    EngineEnvironment seams = EngineEnvironment.ofThisMachine();
    EmbeddedConfig config = EmbeddedConfig.inMemory().build();
    EngineStore opened = EngineStore.open(config, seams);
    EngineStore broken = new EngineStore(brokenAtEnd(opened.core()), seams, null);
    EmbeddedEntroQ queue = new EmbeddedEntroQ(config, broken);

    assertThatThrownBy(queue::close)
        .isInstanceOf(EntroQException.Storage.class)
        .hasMessageContaining("did not close")
        .hasMessageContaining("stuck drawer");
  }

  private static EngineCore brokenAtEnd(EngineCore core) {
    return new EngineCore(
        core.machine(), new StuckLog(core.log()), core.clock(), core.space(), FaultHook.NONE);
  }

  /** On a thread of its own: the common pool may have but one. */
  private static CompletableFuture<Void> runAsync(Runnable action) {
    return CompletableFuture.runAsync(action, command -> new Thread(command).start());
  }

  private static Set<Thread> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("entroq-"))
        .collect(Collectors.toSet());
  }

  private static void insertUntilClosed(EmbeddedEntroQ queue, AtomicInteger inserted) {
    try {
      while (true) {
        ModifyResult result = queue.modify(Modification.insert("q", "v"));
        assertThat(result.isCommitted()).isTrue();
        inserted.incrementAndGet();
      }
    } catch (EntroQException.Closed e) {
      // As it should be.
    }
  }
}

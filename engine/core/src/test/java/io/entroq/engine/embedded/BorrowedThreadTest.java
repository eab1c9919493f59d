package io.entroq.engine.embedded;

import static io.entroq.engine.embedded.GatewayCalls.claim;
import static io.entroq.engine.embedded.GatewayCalls.slice;
import static io.entroq.engine.embedded.GatewayCalls.waitingClaim;
import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.Durability;
import io.entroq.api.EntroQException;
import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.QueueQuery;
import io.entroq.codec.command.ModifyEncoder;
import io.entroq.codec.command.TaskDataFields;
import io.entroq.codec.message.IdFields;
import io.entroq.codec.result.ListTasksEncoder;
import io.entroq.codec.result.ResultCodes;
import io.entroq.codec.result.ResultDecoder;
import io.entroq.engine.embedded.GatewayCalls.Heard;
import io.entroq.engine.gateway.Completion;
import io.entroq.engine.gateway.Gateway;
import io.entroq.engine.gateway.Listing;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Threads of a server's that do the engine's work while its own thread sleeps. */
class BorrowedThreadTest {
  private static final int CALLS = 5_000;
  private static final AtomicLong LAST_ID = new AtomicLong();

  private final ExecutorService loop = Executors.newSingleThreadExecutor();
  private final ExecutorService otherLoop = Executors.newSingleThreadExecutor();

  @TempDir private Path directory;

  @AfterEach
  void end() {
    loop.shutdownNow();
    otherLoop.shutdownNow();
  }

  @Test
  void shouldDoARequestAndTellOfItOnTheThread() throws Exception {
    try (EmbeddedEntroQ queue = inMemory()) {
      Thread thread = lend(queue.gateway(), loop);
      Await.until("the engine sleeps", () -> queue.engine().isAsleep());
      for (int i = 0; i < 100; i++) {
        RecordedCompletion completion = new RecordedCompletion();
        loop.execute(() -> queue.gateway().claim(0, claim("q"), completion));
        assertThat(completion.await().code).isEqualTo(ResultCodes.EMPTY);
        assertThat(completion.thread).isSameAs(thread);
      }
    }
  }

  @Test
  void shouldNotCallACompletionBeforeTheThreadIsThroughWithWhatItDoes() throws Exception {
    try (EmbeddedEntroQ queue = inMemory()) {
      lend(queue.gateway(), loop);
      Await.until("the engine sleeps", () -> queue.engine().isAsleep());
      RecordedCompletion completion = new RecordedCompletion();
      loop.submit(
              () -> {
                queue.gateway().claim(0, claim("q"), completion);
                assertThat(completion.isHeard()).isFalse();
              })
          .get();
      completion.await();
    }
  }

  @Test
  void shouldWakeTheEngineForWhatIsDue() throws Exception {
    try (EmbeddedEntroQ queue = inMemory()) {
      lend(queue.gateway(), loop);
      for (int i = 0; i < 20; i++) {
        Heard claimed = new Heard();
        Heard inserted = new Heard();
        loop.execute(() -> queue.gateway().waitingClaim(0, waitingClaim("q"), claimed));
        long arrivalMs = System.currentTimeMillis() + 5;
        loop.execute(() -> insert(queue.gateway(), "q", arrivalMs, inserted));
        assertThat(inserted.await().code).isEqualTo(ResultCodes.OK);
        assertThat(claimed.await().claimed).isEqualTo(1);
      }
    }
  }

  @Test
  void shouldLeaveItToTheEngineWhenTheThreadIsAboutToEnd() throws Exception {
    try (EmbeddedEntroQ queue = inMemory()) {
      for (int i = 0; i < 10; i++) {
        Await.until("the engine sleeps", () -> queue.engine().isAsleep());
        RecordedCompletion completion = new RecordedCompletion();
        CountDownLatch isEnding = new CountDownLatch(1);
        ExecutorService ending = Executors.newSingleThreadExecutor();
        lend(queue.gateway(), ending);
        ending.execute(() -> submitOnceEnding(queue.gateway(), isEnding, completion));
        ending.shutdown();
        isEnding.countDown();
        assertThat(completion.await().code).isEqualTo(ResultCodes.EMPTY);
      }
    }
  }

  private static void submitOnceEnding(
      Gateway gateway, CountDownLatch isEnding, RecordedCompletion completion) {
    try {
      isEnding.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    gateway.claim(0, claim("q"), completion);
  }

  @Test
  void shouldTellOnTheThreadOfWhatHadToBeForced() throws Exception {
    try (EmbeddedEntroQ queue = atDisk()) {
      Thread thread = lend(queue.gateway(), loop);
      for (int i = 0; i < 20; i++) {
        RecordedCompletion completion = new RecordedCompletion();
        loop.execute(() -> insert(queue.gateway(), "q", 0, completion));
        assertThat(completion.await().code).isEqualTo(ResultCodes.OK);
        assertThat(completion.thread).isSameAs(thread);
      }
    }
  }

  @Test
  void shouldTellOnTheThreadOfWhatAnotherHasBroughtAbout() throws Exception {
    try (EmbeddedEntroQ queue = inMemory()) {
      Thread thread = lend(queue.gateway(), loop);
      RecordedCompletion claimed = new RecordedCompletion();
      loop.submit(() -> queue.gateway().waitingClaim(0, waitingClaim("q"), claimed)).get();
      queue.modify(Modification.insert("q", "v")).orThrow();
      assertThat(claimed.await().claimed).isEqualTo(1);
      assertThat(claimed.thread).isSameAs(thread);
    }
  }

  @Test
  void shouldTellOnAnotherThreadWhenTheLentOneHasEnded() throws Exception {
    try (EmbeddedEntroQ queue = inMemory()) {
      ExecutorService ending = Executors.newSingleThreadExecutor();
      Thread thread = lend(queue.gateway(), ending);
      List<RecordedCompletion> all = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        RecordedCompletion claimed = new RecordedCompletion();
        all.add(claimed);
        ending.submit(() -> queue.gateway().waitingClaim(0, waitingClaim("q"), claimed)).get();
      }
      ending.shutdown();
      assertThat(ending.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
      for (int i = 0; i < 5; i++) {
        queue.modify(Modification.insert("q", "v")).orThrow();
      }
      for (RecordedCompletion claimed : all) {
        assertThat(claimed.await().claimed).isEqualTo(1);
        assertThat(claimed.thread).isNotSameAs(thread);
      }
    }
  }

  @Test
  void shouldLetAThreadBlockThatIsLent() throws Exception {
    try (EmbeddedEntroQ queue = inMemory()) {
      lend(queue.gateway(), loop);
      loop.submit(
              () -> {
                for (int i = 0; i < 10; i++) {
                  queue.modify(Modification.insert("q", "v")).orThrow();
                }
              })
          .get(30, TimeUnit.SECONDS);
      assertThat(tasks(queue)).isEqualTo(10);
    }
  }

  @Test
  void shouldListOnTheThread() throws Exception {
    try (EmbeddedEntroQ queue = inMemory()) {
      lend(queue.gateway(), loop);
      Modification.Builder many = Modification.builder();
      for (int i = 0; i < 1_000; i++) {
        many.insert(Insert.into("q"));
      }
      queue.modify(many.build()).orThrow();
      CountDownLatch complete = new CountDownLatch(1);
      Listing listing =
          queue
              .gateway()
              .tasks(buffer -> new ListTasksEncoder().wrap(buffer, 0).queue(slice("q")).length());
      loop.execute(() -> new Pages(listing, complete).next());
      assertThat(complete.await(30, TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  void shouldDoEverythingOnceBesideOthers() throws Exception {
    try (EmbeddedEntroQ queue = atDisk()) {
      lend(queue.gateway(), loop);
      lend(queue.gateway(), otherLoop);
      CountDownLatch done = new CountDownLatch(32);
      AtomicInteger wrong = new AtomicInteger();
      for (ExecutorService each : List.of(loop, otherLoop)) {
        for (int i = 0; i < 16; i++) {
          each.execute(new Inserts(queue.gateway(), each, CALLS / 500, wrong, done));
        }
      }
      for (int i = 0; i < 20; i++) {
        queue.modify(Modification.insert("q", "v")).orThrow();
      }
      assertThat(done.await(50, TimeUnit.SECONDS)).isTrue();
      long expected = 20 + 32L * (CALLS / 500);
      assertThat(tasks(queue)).isEqualTo(expected);
      assertThat(wrong.get()).isZero();
    }
  }

  @Test
  void shouldLoseNothingAmongTwoThreadsInMemory() throws Exception {
    try (EmbeddedEntroQ queue = inMemory()) {
      lend(queue.gateway(), loop);
      lend(queue.gateway(), otherLoop);
      CountDownLatch done = new CountDownLatch(8);
      AtomicInteger wrong = new AtomicInteger();
      for (ExecutorService each : List.of(loop, otherLoop)) {
        for (int i = 0; i < 4; i++) {
          each.execute(new Inserts(queue.gateway(), each, CALLS, wrong, done));
        }
      }
      assertThat(done.await(50, TimeUnit.SECONDS)).isTrue();
      assertThat(wrong.get()).isZero();
      assertThat(tasks(queue)).isEqualTo(8L * CALLS);
    }
  }

  @Test
  void shouldTellEverybodyWhenTheEngineCloses() throws Exception {
    List<RecordedCompletion> all = new ArrayList<>();
    EmbeddedEntroQ queue = inMemory();
    lend(queue.gateway(), loop);
    CountDownLatch refused = new CountDownLatch(1);
    loop.execute(() -> submitUntilClosed(queue.gateway(), all, refused));
    Await.until("some have their results", () -> tasksToldOf(all) > 100);
    queue.close();
    assertThat(refused.await(30, TimeUnit.SECONDS)).isTrue();
    loop.submit(() -> {}).get();
    for (RecordedCompletion completion : all) {
      completion.await();
    }
  }

  private static int tasksToldOf(List<RecordedCompletion> all) {
    synchronized (all) {
      return (int) all.stream().filter(Heard::isHeard).count();
    }
  }

  private void submitUntilClosed(
      Gateway gateway, List<RecordedCompletion> all, CountDownLatch refused) {
    try {
      for (int i = 0; i < 4; i++) {
        RecordedCompletion completion = new RecordedCompletion();
        gateway.claim(0, claim("q"), completion);
        synchronized (all) {
          all.add(completion);
        }
      }
    } catch (EntroQException.Closed e) {
      refused.countDown();
      return;
    } catch (EntroQException.ResourceExhausted e) {
      // There will be room again.
    }
    loop.execute(() -> submitUntilClosed(gateway, all, refused));
  }

  private EmbeddedEntroQ atDisk() {
    return EmbeddedEntroQ.open(
        EmbeddedConfig.in(directory.resolve("data")).durability(Durability.DISK).build());
  }

  private static EmbeddedEntroQ inMemory() {
    return EmbeddedEntroQ.open(EmbeddedConfig.inMemory().idleYield(Duration.ZERO).build());
  }

  private static Thread lend(Gateway gateway, ExecutorService thread) throws Exception {
    return thread
        .submit(
            () -> {
              gateway.lendThread(thread);
              return Thread.currentThread();
            })
        .get();
  }

  private static void insert(Gateway gateway, String queue, long arrivalMs, Completion heard) {
    gateway.modify(
        0,
        1 << 20,
        buffer -> {
          TaskDataFields data = new TaskDataFields();
          data.queue().wrap(queue.getBytes(StandardCharsets.UTF_8));
          data.arrivalMs(arrivalMs);
          return new ModifyEncoder()
              .wrap(buffer, 0)
              .insert(new IdFields().set(1, LAST_ID.incrementAndGet()), data)
              .length();
        },
        heard);
  }

  private static long tasks(EmbeddedEntroQ queue) {
    return queue.queueStats(QueueQuery.named("q")).get("q").tasks();
  }

  /** Also hears on which thread. */
  private static final class RecordedCompletion extends Heard {
    private volatile Thread thread;

    @Override
    public void onResult(ResultDecoder result) {
      thread = Thread.currentThread();
      super.onResult(result);
    }
  }

  /** Takes page after page. */
  private static final class Pages implements Completion {
    private final Listing listing;
    private final CountDownLatch complete;

    Pages(Listing listing, CountDownLatch complete) {
      this.listing = listing;
      this.complete = complete;
    }

    void next() {
      listing.next(this);
    }

    @Override
    public void onResult(ResultDecoder result) {
      if (listing.isComplete()) {
        complete.countDown();
      } else {
        next();
      }
    }

    @Override
    public void onFailure(EntroQException failure) {
      throw new AssertionError(failure);
    }
  }

  /**
   * Inserts one after the other, alternating between the completing thread and the borrowed one.
   */
  private static final class Inserts implements Runnable, Completion {
    private final Gateway gateway;
    private final ExecutorService thread;
    private final AtomicInteger wrong;
    private final CountDownLatch done;
    private volatile int left;

    Inserts(
        Gateway gateway,
        ExecutorService thread,
        int inserts,
        AtomicInteger wrong,
        CountDownLatch done) {
      this.gateway = gateway;
      this.thread = thread;
      this.left = inserts;
      this.wrong = wrong;
      this.done = done;
    }

    @Override
    public void run() {
      insert(gateway, "q", 0, this);
    }

    @Override
    @SuppressWarnings("NonAtomicVolatileUpdate") // one insert at a time
    public void onResult(ResultDecoder result) {
      if (result.code() != ResultCodes.OK) {
        wrong.incrementAndGet();
      }
      left--;
      if (left == 0) {
        done.countDown();
      } else if (left % 3 == 0) {
        run();
      } else {
        thread.execute(this);
      }
    }

    @Override
    public void onFailure(EntroQException failure) {
      wrong.incrementAndGet();
      done.countDown();
    }
  }
}

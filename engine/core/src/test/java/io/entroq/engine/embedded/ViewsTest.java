package io.entroq.engine.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.api.EntroQ;
import io.entroq.api.EntroQException;
import io.entroq.api.Modification;
import io.entroq.codec.effect.EffectReader;
import io.entroq.codec.result.ListQueuesEncoder;
import io.entroq.codec.result.ResultDecoder;
import io.entroq.engine.feed.DirectoryHistory;
import io.entroq.engine.feed.FeedSource;
import io.entroq.engine.gateway.Completion;
import io.entroq.engine.gateway.EffectConsumer;
import io.entroq.engine.gateway.FeedEnd.Reason;
import io.entroq.engine.gateway.FeedRange;
import io.entroq.engine.gateway.FeedReader;
import io.entroq.engine.gateway.FeedRequest;
import io.entroq.engine.gateway.FeedRequest.Start;
import io.entroq.engine.gateway.HistoryPoint;
import io.entroq.engine.gateway.Listing;
import io.entroq.engine.gateway.View;
import io.entroq.engine.gateway.ViewException;
import io.entroq.engine.history.ReplayBudget;
import io.entroq.engine.log.LogDirectory;
import io.entroq.engine.log.LogSegment;
import io.entroq.engine.log.SegmentLayout;
import io.entroq.engine.log.scan.HolePolicy;
import io.entroq.engine.time.ManualClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Views of a directory in which nothing happens: each step after the first few inserts one task,
 * one second after the one before.
 */
class ViewsTest {
  private static final int TASKS = 3_000;
  private static final Duration LONG = Duration.ofHours(1);

  @TempDir private Path data;
  private final AtomicLong visible = new AtomicLong();
  private final AtomicLong generation = new AtomicLong(1);
  private final AtomicLong wallMs = new AtomicLong();
  private final List<AutoCloseable> opened = new ArrayList<>();
  private ReplayBudget budget;
  private DirectoryHistory history;
  private DirectoryViews views;

  /** The step before the first insert. */
  private long first;

  @BeforeEach
  void fill() {
    ManualClock clock = new ManualClock(TestEntroQ.START);
    EmbeddedConfig config = EmbeddedConfig.in(data).segmentBytes(64 << 10).clock(clock).build();
    try (EmbeddedEntroQ queue = EmbeddedEntroQ.open(config)) {
      first = queue.engine().store().core().machine().sequence();
      for (int i = 0; i < TASKS; i++) {
        clock.advance(Duration.ofSeconds(1));
        queue.modify(Modification.insert("inbox", "task " + i)).orThrow();
      }
    }
    visible.set(first + TASKS);
    wallMs.set(timeOf(TASKS));
    open(LONG, 1L << 30);
  }

  private static long timeOf(int tasks) {
    return TestEntroQ.START.plusSeconds(tasks).toEpochMilli();
  }

  private void open(Duration kept, long memoryBytes) {
    FeedSource source =
        new FeedSource(
            visible::get,
            timeMs -> timeMs < wallMs.get() ? visible.get() : Long.MAX_VALUE,
            () -> new UUID(1, 2),
            System::nanoTime,
            wallMs::get,
            () -> {});
    budget = new ReplayBudget(memoryBytes);
    history = new DirectoryHistory(data, HolePolicy.REFUSE, budget, source, generation::get);
    views = new DirectoryViews(history, EmbeddedConfig.in(data).build(), kept);
    opened.add(history::close);
    opened.add(views);
  }

  @AfterEach
  void close() throws Exception {
    for (int i = opened.size() - 1; i >= 0; i--) {
      opened.get(i).close();
    }
    assertThat(budget.states()).isZero();
  }

  private HistoryPoint after(int tasks) {
    return HistoryPoint.at(first + tasks);
  }

  private View view(HistoryPoint point) {
    return views.open(point).orTimeout(60, TimeUnit.SECONDS).join();
  }

  private Reason refusal(HistoryPoint point) {
    return refusal(views.open(point)).why().reason();
  }

  private static ViewException refusal(CompletableFuture<View> asked) {
    try {
      asked.get(60, TimeUnit.SECONDS).close();
      throw new AssertionError("it was shown");
    } catch (ExecutionException e) {
      return (ViewException) e.getCause();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  /** How many tasks it shows; ages and sizes follow from the same listing. */
  private static long tasks(View view) {
    CompletableFuture<Long> answer = new CompletableFuture<>();
    Listing listing =
        view.gateway().queues(buffer -> new ListQueuesEncoder().wrap(buffer, 0).length());
    listing.next(
        new Completion() {
          @Override
          public void onResult(ResultDecoder result) {
            answer.complete(result.queueCount() == 0 ? 0L : result.queue(0).tasks());
          }

          @Override
          public void onFailure(EntroQException failure) {
            answer.completeExceptionally(failure);
          }
        });
    return answer.orTimeout(60, TimeUnit.SECONDS).join();
  }

  @Test
  void shouldShowStepsAndTimes() {
    FeedRange kept = views.kept();
    assertThat(kept).isEqualTo(new FeedRange(1, first + TASKS, kept.firstTimeMs()));
    assertThat(kept.firstTimeMs()).isBetween(1L, timeOf(1));
    for (int tasks : new int[] {1, 2, 1_500, TASKS}) {
      try (View view = view(after(tasks))) {
        assertThat(view.sequence()).isEqualTo(first + tasks);
        assertThat(view.timeMs()).isEqualTo(timeOf(tasks));
        assertThat(tasks(view)).isEqualTo(tasks);
      }
    }
    try (View view = view(HistoryPoint.atTime(timeOf(7) + 999))) {
      assertThat(view.sequence()).isEqualTo(first + 7);
      assertThat(view.timeMs()).as("what was asked for").isEqualTo(timeOf(7) + 999);
      assertThat(tasks(view)).isEqualTo(7);
    }
  }

  @Test
  void shouldRefuseToChange() {
    try (View view = view(after(1))) {
      GatewayCalls.Heard heard = new GatewayCalls.Heard();
      view.gateway().claim(100, GatewayCalls.claim("inbox"), heard);
      Await.until("it is refused", () -> heard.failure != null);
      assertThat(heard.failure)
          .isInstanceOf(EntroQException.PermissionDenied.class)
          .hasMessage("the queue is shown as it was at record %d: nothing was changed", first + 1);
    }
  }

  @Test
  void shouldShowNothingThatMayNotBeShownYet() {
    visible.set(first + 10);
    ViewException future = refusal(views.open(after(11)));
    assertThat(future.why().reason()).isEqualTo(Reason.FUTURE);
    assertThat(future).hasMessageContaining("its last step is " + (first + 10));
    try (View view = view(HistoryPoint.atTime(timeOf(11)))) {
      assertThat(view.sequence()).isEqualTo(first + 10);
    }
    CompletableFuture<View> soon = views.open(after(12));
    visible.set(first + 12);
    soon.orTimeout(60, TimeUnit.SECONDS).join().close();
  }

  @Test
  void shouldRefuseTheFuture() {
    assertThat(refusal(after(TASKS + 1))).isEqualTo(Reason.FUTURE);
    assertThat(refusal(HistoryPoint.atTime(wallMs.get() + 3_600_000))).isEqualTo(Reason.FUTURE);
    assertThat(refusal(HistoryPoint.atTime(wallMs.get())))
        .as("more steps of this time may come")
        .isEqualTo(Reason.FUTURE);
    try (View view = view(HistoryPoint.atTime(wallMs.get() - 1))) {
      assertThat(view.sequence()).isEqualTo(first + TASKS - 1);
    }
  }

  @Test
  void shouldRefuseWhatIsNotThere() {
    assertThat(refusal(HistoryPoint.at(0))).isEqualTo(Reason.OUT_OF_RANGE);
    assertThat(refusal(HistoryPoint.atTime(TestEntroQ.START.toEpochMilli() - 1)))
        .isEqualTo(Reason.OUT_OF_RANGE);
    assertThat(views.stats().open()).isZero();
  }

  @Test
  void shouldNameTheFirstPointThatIsKept() throws IOException {
    List<LogSegment> segments = LogDirectory.read(data).runs().get(0).segments();
    Files.delete(segments.get(0).file());
    ViewException gone = refusal(views.open(after(5)));
    assertThat(gone.why().reason()).isEqualTo(Reason.OUT_OF_RANGE);
    assertThat(gone).hasMessageContaining("record " + (first + 5) + " is no longer kept");
    assertThat(views.kept().firstSequence()).as("nothing").isEqualTo(first + TASKS + 1);
  }

  @Test
  void shouldSayWhereItIsDamaged() throws IOException {
    List<LogSegment> segments = LogDirectory.read(data).runs().get(0).segments();
    assertThat(segments).hasSizeGreaterThan(2);
    Path damaged = segments.get(segments.size() / 2).file();
    byte[] bytes = Files.readAllBytes(damaged);
    for (int i = 0; i < 1_000; i++) {
      bytes[SegmentLayout.FIRST_RECORD_OFFSET + i]++;
    }
    Files.write(damaged, bytes);
    ViewException failure = refusal(views.open(after(TASKS)));
    assertThat(failure.why().reason()).isEqualTo(Reason.FAULT);
    assertThat(failure).hasMessageContaining(damaged.getFileName().toString());
    try (View view = view(after(10))) {
      assertThat(tasks(view)).as("before the damage").isEqualTo(10);
    }
  }

  @Test
  void shouldReadNothingWhileTheFilesAreNotComplete() {
    generation.set(0);
    assertThat(refusal(after(1))).isEqualTo(Reason.AWAY);
    generation.set(1);
    View view = view(after(1));
    generation.set(0);
    assertThat(tasks(view)).as("it is in memory").isEqualTo(1);
    view.close();
  }

  @Test
  void shouldShareViewsOfAPointAndGiveThePlaceOfTheOldestToAnother() {
    View one = view(after(1));
    View two = view(after(2));
    View again = view(after(1));
    assertThat(again.gateway()).isSameAs(one.gateway());
    ViewException full = refusal(views.open(after(3)));
    assertThat(full.why().reason()).isEqualTo(Reason.EXHAUSTED);
    assertThat(full).hasMessageStartingWith("limit views: ");
    one.close();
    one.close();
    assertThat(refusal(after(3))).as("it has another user").isEqualTo(Reason.EXHAUSTED);
    two.close();
    again.close();
    // The second is unused for longer.
    View three = view(after(3));
    View still = view(after(1));
    assertThat(still.gateway()).isSameAs(one.gateway());
    assertThat(views.stats().opened()).isEqualTo(3);
    assertThat(views.stats().refused()).isEqualTo(2);
    assertThat(views.stats().open()).isEqualTo(2);
    assertThatThrownBy(() -> tasks(two)).isInstanceOf(EntroQException.Closed.class);
    three.close();
    still.close();
  }

  @Test
  void shouldCloseWhatNobodyHasUsedForAWhile() {
    open(Duration.ofMillis(50), 1L << 30);
    View view = view(after(1));
    assertThat(tasks(view)).isEqualTo(1);
    view.close();
    Await.until("it is closed", () -> budget.states() == 0);
    assertThat(views.stats().open()).isZero();
  }

  @Test
  void shouldGiveUpWhatNobodyWaitsFor() {
    visible.set(first);
    CompletableFuture<View> one = views.open(after(1));
    CompletableFuture<View> other = views.open(after(1));
    one.cancel(false);
    other.completeExceptionally(new IllegalStateException("too late"));
    Await.until("it is given up", () -> views.stats().open() == 0);
    assertThat(views.stats().opened()).isEqualTo(1);
  }

  @Test
  void shouldGiveThePlaceOfWhatNobodyWaitsForToOthersAtOnce() {
    visible.set(first);
    List<CompletableFuture<View>> asked = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      CompletableFuture<View> next = views.open(after(1 + i));
      asked.add(next);
      assertThat(next).isNotCompletedExceptionally();
      if (i >= 1) {
        asked.get(i - 1).cancel(false);
      }
    }
    visible.set(first + TASKS);
    asked.get(9).orTimeout(60, TimeUnit.SECONDS).join().close();
  }

  @Test
  void shouldNotKeepAStateThatMayTakeTooMuchMemory() {
    open(LONG, 1_000);
    assertThat(refusal(after(TASKS))).isEqualTo(Reason.EXHAUSTED);
  }

  @Test
  void shouldGiveTheMemoryOfUnusedViewsToReadersOfTheFeed() {
    long stateBytes;
    try (EntroQ queue =
        EmbeddedEntroQ.open(EmbeddedConfig.in(data).asOf(HistoryPoint.at(first + TASKS)).build())) {
      stateBytes = ((EmbeddedEntroQ) queue).engine().store().core().machine().memoryBytes();
    }
    open(LONG, 2 * stateBytes + stateBytes / 2);
    View used = view(after(TASKS));
    view(after(TASKS - 1)).close();
    Start start = new Start.After(first + TASKS - 10, Integer.MAX_VALUE, null);
    try (FeedReader reader = history.open(FeedRequest.all(start))) {
      AtomicInteger effects = new AtomicInteger();
      Await.until(
          "it has read",
          () -> {
            assertThat(reader.ended()).isEmpty();
            return effects.addAndGet(reader.poll(new Counted(), Integer.MAX_VALUE)) >= 10;
          });
      assertThat(views.stats().open()).as("the unused one is gone").isEqualTo(1);
      assertThat(refusal(after(TASKS - 2))).as("all is used").isEqualTo(Reason.EXHAUSTED);
    }
    used.close();
  }

  private static final class Counted implements EffectConsumer {
    @Override
    public void onEffect(EffectReader effect) {}

    @Override
    public void onMark(long sequence, long logTimeMs) {}
  }

  @Test
  void shouldNeverHaveMoreStatesThanPlacesWhoeverAsks() throws InterruptedException {
    long seed = Long.getLong("test.seed", 7);
    AtomicInteger shown = new AtomicInteger();
    AtomicInteger refused = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    List<Thread> threads = new ArrayList<>();
    List<Throwable> failures = new ArrayList<>();
    for (int t = 0; t < 8; t++) {
      Random random = new Random(seed + t);
      Thread thread =
          new Thread(
              () -> {
                for (int i = 0; i < 125; i++) {
                  int tasks = 1 + random.nextInt(50) * 10;
                  try (View view = view(after(tasks))) {
                    assertThat(tasks(view)).isEqualTo(tasks);
                    shown.incrementAndGet();
                  } catch (CompletionException e) {
                    assertThat(((ViewException) e.getCause()).why().reason())
                        .isEqualTo(Reason.EXHAUSTED);
                    refused.incrementAndGet();
                  }
                  most.accumulateAndGet(budget.states(), Math::max);
                }
              });
      thread.setUncaughtExceptionHandler(
          (failed, e) -> {
            synchronized (failures) {
              failures.add(e);
            }
          });
      threads.add(thread);
      thread.start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(failures).as("seed %d", seed).isEmpty();
    assertThat(shown.get() + refused.get()).isEqualTo(1_000);
    assertThat(shown.get()).isPositive();
    assertThat(most.get()).isLessThanOrEqualTo(DirectoryViews.VIEWS_MAX);
  }

  @Test
  void shouldTellThoseWhoWaitThatTheEngineIsClosed() {
    visible.set(first);
    CompletableFuture<View> asked = views.open(after(1));
    views.close();
    assertThat(refusal(asked).why().reason()).isEqualTo(Reason.CLOSED);
    assertThat(refusal(after(1))).isEqualTo(Reason.CLOSED);
  }

  @Test
  void shouldShowTheStepsOfAnEngineThatRuns() {
    Path running = data.resolve("running");
    EmbeddedEntroQ queue = EmbeddedEntroQ.open(EmbeddedConfig.in(running).build());
    List<Long> then = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      queue.modify(Modification.insert("inbox", "x")).orThrow();
      then.add(queue.engine().store().core().log().appendedSequence());
    }
    View last = null;
    for (int i = 0; i < then.size(); i++) {
      last =
          queue
              .views()
              .orElseThrow()
              .open(HistoryPoint.at(then.get(i)))
              .orTimeout(60, TimeUnit.SECONDS)
              .join();
      assertThat(tasks(last)).isEqualTo(i + 1);
      if (i < then.size() - 1) {
        last.close();
      }
    }
    queue.close();
    View after = last;
    assertThatThrownBy(() -> tasks(after)).isInstanceOf(EntroQException.Closed.class);
    after.close();
    try (EmbeddedEntroQ memory = EmbeddedEntroQ.inMemory()) {
      assertThat(memory.views()).isEmpty();
    }
  }
}

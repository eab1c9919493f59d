package io.entroq.engine.feed;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.EntroQ;
import io.entroq.api.Modification;
import io.entroq.engine.embedded.Await;
import io.entroq.engine.embedded.EmbeddedConfig;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import io.entroq.engine.gateway.FeedEnd.Reason;
import io.entroq.engine.gateway.FeedReader;
import io.entroq.engine.gateway.FeedRequest;
import io.entroq.engine.gateway.FeedRequest.Start;
import io.entroq.engine.gateway.HistoryPoint;
import io.entroq.engine.history.HistoryDirectory;
import io.entroq.engine.history.ReplayBudget;
import io.entroq.engine.history.ReplayWatch;
import io.entroq.engine.history.StateAt;
import io.entroq.engine.log.LogDirectory;
import io.entroq.engine.log.LogSegment;
import io.entroq.engine.log.SegmentLayout;
import io.entroq.engine.log.retention.LogReaders;
import io.entroq.engine.log.scan.HolePolicy;
import io.entroq.engine.state.StateMachine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The history of a directory in which nothing happens, whose clock the test moves. */
class DirectoryHistoryTest {
  private static final int ALL = Integer.MAX_VALUE;
  private static final UUID LOG = new UUID(1, 2);
  private static final long FOREVER = Long.MAX_VALUE;

  @TempDir private Path data;
  private final AtomicLong visible = new AtomicLong();
  private final AtomicLong nowNs = new AtomicLong();
  private final AtomicLong wallMs = new AtomicLong(FOREVER);
  private final AtomicLong generation = new AtomicLong(1);
  private final FeedSource source =
      new FeedSource(
          visible::get, time -> Long.MAX_VALUE, () -> LOG, nowNs::get, wallMs::get, () -> {});
  private DirectoryHistory history;
  private long lastTimeMs;

  @BeforeEach
  void fill() {
    try (EntroQ queue =
        EmbeddedEntroQ.open(EmbeddedConfig.in(data).segmentBytes(64 << 10).build())) {
      new RandomCalls(queue, 1).run(3_000);
    }
    history = history(1L << 30);
    try (HistoryDirectory directory = HistoryDirectory.open(data, HolePolicy.REFUSE, "test");
        StateMachine end =
            new StateAt(directory, 1L << 30, ReplayWatch.NONE).open(HistoryPoint.END)) {
      visible.set(end.sequence());
      lastTimeMs = end.logTimeMs();
    }
  }

  @AfterEach
  void close() {
    history.close();
  }

  private DirectoryHistory history(long memoryBytesMax) {
    return new DirectoryHistory(
        data, HolePolicy.REFUSE, new ReplayBudget(memoryBytesMax), source, generation::get);
  }

  private FeedReader open(Start start) {
    return open(start, FOREVER);
  }

  private FeedReader open(Start start, long until) {
    return history.open(
        new FeedRequest(
            start, until, Long.MAX_VALUE, Set.of(), List.of(), Set.of(), Set.of(), Set.of(), true));
  }

  private static Start.After first() {
    return new Start.After(0, ALL, null);
  }

  private static Reason reason(FeedReader reader) {
    return reader.ended().orElseThrow().reason();
  }

  /** Polls until the reader has ended. */
  private static SeenSteps readAll(FeedReader reader) {
    SeenSteps seen = new SeenSteps();
    Await.until(
        "it has ended",
        () -> {
          reader.poll(seen, ALL);
          return reader.ended().isPresent();
        });
    return seen;
  }

  private static void readTo(FeedReader reader, SeenSteps seen, long step) {
    Await.until(
        "step " + step + " was marked",
        () -> {
          reader.poll(seen, ALL);
          return seen.marked() >= step;
        });
  }

  private static void readUntilNothingIsLeft(
      FeedReader reader, SeenSteps seen, Runnable onAvailable) {
    Await.until(
        "nothing is left",
        () -> {
          reader.poll(seen, ALL);
          return reader.await(onAvailable);
        });
  }

  @Test
  void shouldShowNothingThatMayNotBeShownYet() {
    long last = visible.get();
    visible.set(100);
    FeedReader reader = open(first());
    SeenSteps seen = new SeenSteps();
    readTo(reader, seen, 100);
    assertThat(seen.marked()).isEqualTo(100);
    assertThat(seen.effects).isNotEmpty();
    readUntilNothingIsLeft(reader, seen, () -> {});
    assertThat(seen.marked()).isEqualTo(100);
    visible.set(last);
    nowNs.addAndGet(HubReader.MARK_NS);
    readTo(reader, seen, last);
    assertThat(seen.marked()).isEqualTo(last);

    reader.close();
    visible.set(100);
    SeenSteps snapshot = new SeenSteps();
    readTo(open(new Start.Snapshot()), snapshot, 100);
    assertThat(snapshot.snapshot()).isEqualTo(100);
  }

  @Test
  void shouldNotGoBackBeforeAStartThatMayNotBeShownYet() {
    long last = visible.get();
    FeedReader other = open(new Start.After(100, ALL, null));
    SeenSteps expected = new SeenSteps();
    readTo(other, expected, last);
    other.close();
    visible.set(50);
    FeedReader reader = open(new Start.After(100, ALL, null));
    SeenSteps seen = new SeenSteps();
    // It refuses a mark before this.
    seen.onMark(100, lastTimeMs);
    LogReaders readers = new LogReaders(LogDirectory.read(data));
    Await.until("it has come that far", () -> readers.lowestHeld(last, FOREVER) == 51);
    visible.set(last);
    nowNs.addAndGet(HubReader.MARK_NS);
    readTo(reader, seen, last);
    assertThat(seen.effects).isEqualTo(expected.effects);
  }

  @Test
  void shouldTellWhoWaitsAndMarkOnceASecond() {
    FeedReader reader = open(first());
    SeenSteps seen = new SeenSteps();
    readTo(reader, seen, visible.get());
    AtomicInteger told = new AtomicInteger();
    readUntilNothingIsLeft(reader, seen, told::incrementAndGet);
    nowNs.addAndGet(HubReader.MARK_NS);
    Await.until("it is told", () -> told.get() > 0);
    assertThat(reader.await(told::incrementAndGet)).isFalse();
    assertThat(reader.poll(seen, ALL)).isEqualTo(1);
  }

  @Test
  void shouldBeCompleteAfterTheLastStepThatWasAskedFor() {
    FeedReader reader = open(first(), 100);
    assertThat(readAll(reader).marked()).isEqualTo(100);
    assertThat(reason(reader)).isEqualTo(Reason.COMPLETE);
    assertThat(readAll(open(new Start.After(200, ALL, null), 100)).effects).isEmpty();
  }

  @Test
  void shouldRefuseAThirdReaderUntilAPlaceIsFree() {
    FeedReader one = open(first());
    FeedReader two = open(first());
    FeedReader three = open(first());
    assertThat(three.await(() -> {})).isFalse();
    assertThat(three.poll(new SeenSteps(), ALL)).isZero();
    assertThat(reason(three)).isEqualTo(Reason.EXHAUSTED);
    assertThat(three.ended().orElseThrow().text()).contains("limit replays: 2");
    one.close();
    Await.until("a place is free", () -> open(first()).ended().isEmpty());
    readTo(two, new SeenSteps(), visible.get());
  }

  @Test
  void shouldEndAReaderThatTakesNothing() {
    FeedReader slow = open(first());
    Await.until("there is something", () -> !slow.await(() -> {}));
    FeedReader other = open(first());
    readTo(other, new SeenSteps(), visible.get());
    nowNs.addAndGet(ReplayBuffer.STALL_NS - 1);
    readTo(other, new SeenSteps(), visible.get());
    assertThat(open(first()).ended()).as("nobody has lost a place yet").isPresent();
    nowNs.incrementAndGet();
    Await.until("a place is free", () -> open(first()).ended().isEmpty());
    readAll(slow);
    assertThat(reason(slow)).isEqualTo(Reason.SLOW);
  }

  @Test
  void shouldEndReadersWhenItIsClosed() {
    FeedReader reader = open(first());
    history.close();
    assertThat(reader.poll(new SeenSteps(), ALL)).isZero();
    assertThat(reader.await(() -> {})).isFalse();
    FeedReader late = open(first());
    assertThat(reason(late)).isEqualTo(Reason.CLOSED);
    late.close();
  }

  @Test
  void shouldKeepTheLogUntilItIsRead() {
    long last = visible.get();
    LogReaders readers = new LogReaders(LogDirectory.read(data));
    visible.set(100);
    FeedReader reader = open(first());
    readTo(reader, new SeenSteps(), 100);
    Await.until("the log is let go", () -> readers.lowestHeld(last, FOREVER) > 1);
    assertThat(readers.lowestHeld(last, FOREVER)).isEqualTo(101);
    history.close();
    assertThat(readers.lowestHeld(last, FOREVER)).isEqualTo(last);
  }

  @Test
  void shouldBeginAtATime() {
    SeenSteps all = new SeenSteps();
    readTo(open(new Start.Time(0)), all, visible.get());
    SeenSteps none = new SeenSteps();
    readTo(open(new Start.Time(lastTimeMs + 1)), none, visible.get());
    assertThat(all.effects).hasSizeGreaterThan(1_000);
    assertThat(none.effects).isEmpty();
  }

  @Test
  void shouldWaitForATimeOfTheFutureButNotForLong() {
    wallMs.set(lastTimeMs);
    FeedReader reader = open(new Start.Time(lastTimeMs + 1));
    assertThat(reader.poll(new SeenSteps(), ALL)).isZero();
    nowNs.addAndGet(HubReader.FUTURE_NS);
    assertThat(readAll(reader).marked()).as("no mark").isEqualTo(-1);
    assertThat(reason(reader)).isEqualTo(Reason.FUTURE);
  }

  @Test
  void shouldEndAtDamageAndShowWhatIsBefore() throws IOException {
    List<LogSegment> segments = LogDirectory.read(data).runs().get(0).segments();
    assertThat(segments).hasSizeGreaterThan(2);
    Path damaged = segments.get(segments.size() / 2).file();
    byte[] bytes = Files.readAllBytes(damaged);
    // More than one record.
    for (int i = 0; i < 1_000; i++) {
      bytes[SegmentLayout.FIRST_RECORD_OFFSET + i]++;
    }
    Files.write(damaged, bytes);
    FeedReader reader = open(first());
    assertThat(readAll(reader).effects).isNotEmpty();
    assertThat(reason(reader)).isEqualTo(Reason.FAULT);
  }

  @Test
  void shouldRefuseAStateThatTakesTooMuchMemory() {
    history = history(1_000);
    FeedReader reader = open(first());
    readAll(reader);
    assertThat(reason(reader)).isEqualTo(Reason.EXHAUSTED);
  }

  @Test
  void shouldReadNothingWhileTheFilesAreNotComplete() {
    generation.set(0);
    assertThat(history.first()).isEqualTo(HistoryPoint.END);
    FeedReader reader = open(first());
    assertThat(reader.await(() -> {})).isFalse();
    assertThat(reason(reader)).isEqualTo(Reason.AWAY);
    generation.set(1);
    assertThat(history.first().sequence()).isZero();
    readTo(open(first()), new SeenSteps(), visible.get());
  }

  @Test
  void shouldEndReadersWhenTheFilesAreReplaced() {
    FeedReader reader = open(first());
    readTo(reader, new SeenSteps(), visible.get());
    generation.set(2);
    readAll(reader);
    assertThat(reason(reader)).isEqualTo(Reason.AWAY);
    assertThat(reader.ended().orElseThrow().text()).contains("were replaced");
    readTo(open(first()), new SeenSteps(), visible.get());
  }

  @Test
  void shouldTellSinceWhenTheStateCanBeShown() {
    assertThat(history.first()).isEqualTo(new HistoryPoint(0, timeMs(1)));
    try (EmbeddedEntroQ queue =
        EmbeddedEntroQ.open(
            EmbeddedConfig.in(data).segmentBytes(64 << 10).snapshotLogBytes(256 << 10).build())) {
      Await.until(
          "the log begins later",
          () -> {
            queue.modify(Modification.insert("q", "x".repeat(10_000))).orThrow();
            nowNs.addAndGet(TimeUnit.SECONDS.toNanos(1));
            return history.first().sequence() > 0;
          });
    }
    // It may have been removed meanwhile.
    nowNs.addAndGet(TimeUnit.SECONDS.toNanos(1));
    HistoryPoint snapshot = history.first();
    assertThat(snapshot.timeMs()).isEqualTo(timeMs(snapshot.sequence()));
  }

  /** The log time of a step. */
  private long timeMs(long sequence) {
    try (HistoryDirectory directory = HistoryDirectory.open(data, HolePolicy.REFUSE, "test");
        StateMachine then =
            new StateAt(directory, 1L << 30, ReplayWatch.NONE).open(HistoryPoint.at(sequence))) {
      return then.logTimeMs();
    }
  }
}

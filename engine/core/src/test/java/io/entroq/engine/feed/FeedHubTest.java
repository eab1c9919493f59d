package io.entroq.engine.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.api.EntroQException;
import io.entroq.engine.gateway.FeedEnd;
import io.entroq.engine.gateway.FeedRange;
import io.entroq.engine.gateway.FeedReader;
import io.entroq.engine.gateway.FeedRequest;
import io.entroq.engine.gateway.FeedRequest.Start;
import io.entroq.engine.gateway.FeedStats;
import io.entroq.engine.gateway.HistoryPoint;
import io.entroq.engine.state.StateMachine;
import io.entroq.engine.state.StateMachineConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A feed without a thread, whose steps and clock the test moves. */
class FeedHubTest {
  private static final UUID LOG = new UUID(1, 2);
  private static final int WHOLE = Integer.MAX_VALUE;
  private static final int RING_BYTES = RingMemory.BYTES_MIN;
  private static final String LARGE = "x".repeat(RING_BYTES / 8);

  private long visible = Long.MAX_VALUE;
  private long lastUntil = Long.MAX_VALUE;
  private long nowNs = 1;
  private long wallMs;
  private final StateMachine machine = new StateMachine(StateMachineConfig.DEFAULT);
  private final FeedSwitch feedSwitch = new FeedSwitch();
  private final AtomicInteger wakes = new AtomicInteger();
  private final FeedSource source =
      new FeedSource(
          () -> visible,
          time -> lastUntil,
          () -> LOG,
          () -> nowNs,
          () -> wallMs,
          wakes::incrementAndGet);
  private FeedHub hub = new FeedHub(feedSwitch, source, RING_BYTES, false);

  @AfterEach
  void close() {
    hub.close();
    machine.close();
  }

  private FeedReader open(Start start) {
    FeedReader reader = hub.open(FeedRequest.all(start));
    feedSwitch.look(machine);
    return reader;
  }

  private FeedReader openNow() {
    return open(new Start.Now());
  }

  private FeedReader openAfter(long sequence, int index) {
    return open(new Start.After(sequence, index, LOG));
  }

  private void tell(long sequence, String... queues) {
    Steps.tell(hub.ring(), sequence, queues);
  }

  /** Steps with an effect each, from one to another. */
  private void tellMany(long from, long to) {
    for (long sequence = from; sequence <= to; sequence++) {
      tell(sequence, "q".repeat(100));
    }
  }

  private static FeedEnd.Reason reason(FeedReader reader) {
    return reader.ended().orElseThrow().reason();
  }

  @Test
  void shouldShowEffectsInOrderAndThenAMark() {
    FeedReader reader = openNow();
    tell(1, "a", "b");
    tell(2);
    tell(3, "c");
    tell(4);
    Seen seen = new Seen();
    assertThat(seen.poll(reader)).isEqualTo(4);
    assertThat(seen.effects).containsExactly("1.0 a", "1.1 b", "3.0 c");
    assertThat(seen.marks).containsExactly(4L);
    assertThat(seen.markTimeMs()).isEqualTo(Steps.TIME_MS + 4);
    assertThat(seen.poll(reader)).isZero();
    assertThat(reader.ended()).isEmpty();
  }

  private FeedReader openUntilTime(long timeMs) {
    FeedReader reader =
        hub.open(
            new FeedRequest(
                new Start.Now(),
                Long.MAX_VALUE,
                timeMs,
                Set.of(),
                List.of(),
                Set.of(),
                Set.of(),
                Set.of(),
                false));
    feedSwitch.look(machine);
    return reader;
  }

  @Test
  void shouldEndWithTheLastStepOfATime() {
    FeedReader reader = openUntilTime(Steps.TIME_MS + 2);
    tell(1, "a");
    assertThat(Seen.all(reader).effects).containsExactly("1.0 a");
    tell(2, "b");
    tell(3, "c");
    Seen seen = Seen.all(reader);
    assertThat(seen.effects).containsExactly("2.0 b");
    assertThat(seen.marks).as("that would be after the time").isEmpty();
    assertThat(reason(reader)).isEqualTo(FeedEnd.Reason.COMPLETE);
    assertThat(reader.await(() -> {})).isFalse();
    assertThat(Seen.all(reader).effects).isEmpty();
  }

  @Test
  void shouldEndWhenATimeHasPassedThoughNoStepFollows() {
    long untilMs = Steps.TIME_MS + 10;
    FeedReader reader = openUntilTime(untilMs);
    tell(1, "a");
    visible = 1;
    int before = wakes.get();
    assertThat(Seen.all(reader).effects).containsExactly("1.0 a");
    assertThat(wakes.get()).as("the time may be to come").isEqualTo(before);
    wallMs = untilMs + 1;
    Seen.all(reader);
    assertThat(wakes.get()).as("an idle engine must note the time").isGreaterThan(before);
    lastUntil = 1;
    assertThat(Seen.all(reader).marks).isEmpty();
    nowNs += HubReader.MARK_NS;
    assertThat(reader.await(() -> {})).isFalse();
    assertThat(Seen.all(reader).marks).containsExactly(1L);
    assertThat(reason(reader)).isEqualTo(FeedEnd.Reason.COMPLETE);
  }

  @Test
  void shouldNotEndBeforeAStepOfTheTimeWhateverTheWallClockSays() {
    FeedReader reader = openUntilTime(Steps.TIME_MS + 2);
    wallMs = Steps.TIME_MS + 3_600_000;
    visible = 1;
    tell(1, "a");
    assertThat(Seen.all(reader).effects).containsExactly("1.0 a");
    tell(2, "b");
    // It is appended, and not visible yet.
    lastUntil = 2;
    nowNs += HubReader.MARK_NS;
    assertThat(Seen.all(reader).marks).containsExactly(1L);
    assertThat(reader.ended()).isEmpty();
    visible = 2;
    assertThat(Seen.all(reader).effects).containsExactly("2.0 b");
    assertThat(reason(reader)).isEqualTo(FeedEnd.Reason.COMPLETE);
  }

  @Test
  void shouldBeginNowWhereTheReaderWasOpened() {
    openNow();
    tell(1, "before");
    FeedReader reader = openNow();
    tell(2, "after");
    assertThat(Seen.all(reader).effects).containsExactly("2.0 after");
  }

  @Test
  void shouldBeginNowWithTheFirstStepThatIsWrittenIfNobodyListenedBefore() {
    FeedReader reader = hub.open(FeedRequest.all(new Start.Now()));
    assertThat(Seen.all(reader).effects).isEmpty();
    assertThat(wakes.get()).as("the engine may sleep").isPositive();
    feedSwitch.look(machine);
    tell(1, "a");
    assertThat(Seen.all(reader).effects).containsExactly("1.0 a");
  }

  @Test
  void shouldShowAndMarkNothingThatIsNotVisibleYet() {
    visible = 1;
    FeedReader reader = openNow();
    tell(1, "a");
    tell(2, "b");
    Seen seen = new Seen();
    seen.poll(reader);
    assertThat(seen.effects).containsExactly("1.0 a");
    assertThat(seen.marks).containsExactly(1L);
    assertThat(reader.await(() -> {})).as("there is nothing yet").isTrue();
    visible = 2;
    seen.poll(reader);
    assertThat(seen.effects).containsExactly("1.0 a", "2.0 b");
    assertThat(seen.marks).containsExactly(1L, 2L);
  }

  @Test
  void shouldNotMarkTheStepAfterWhichItBeganUntilThatIsVisible() {
    visible = 1;
    openNow();
    tell(1, "a");
    tell(2, "b");
    FeedReader reader = openNow();
    nowNs += HubReader.MARK_NS;
    assertThat(Seen.all(reader).marks).isEmpty();
    visible = 2;
    assertThat(Seen.all(reader).marks).containsExactly(2L);
  }

  @Test
  void shouldMarkOnceASecondWithoutEffects() {
    FeedReader reader =
        hub.open(
            new FeedRequest(
                new Start.Now(),
                Long.MAX_VALUE,
                Long.MAX_VALUE,
                Set.of("other"),
                List.of(),
                Set.of(),
                Set.of(),
                Set.of(),
                false));
    feedSwitch.look(machine);
    tell(1, "a");
    Seen seen = new Seen();
    assertThat(seen.poll(reader)).isZero();
    nowNs += HubReader.MARK_NS - 1;
    assertThat(seen.poll(reader)).isZero();
    nowNs++;
    assertThat(reader.await(() -> {})).isFalse();
    assertThat(seen.poll(reader)).isEqualTo(1);
    assertThat(seen.poll(reader)).isZero();
    assertThat(seen.marks).containsExactly(1L);
    assertThat(seen.effects).isEmpty();
  }

  @Test
  void shouldHandOverNoMoreBytesThanAskedForUnlessTheFirstStepHasMore() {
    FeedReader reader = openNow();
    tell(1, "q".repeat(1_000));
    tell(2, "q".repeat(1_000));
    tell(3, "q".repeat(1_000));
    Seen seen = new Seen();
    assertThat(reader.poll(seen, 2_500)).isEqualTo(3);
    assertThat(reader.poll(seen, 1)).isEqualTo(2);
    assertThat(seen.marks).containsExactly(2L, 3L);
  }

  @Test
  void shouldGoOnAfterAPosition() {
    openNow();
    tell(1, "a", "b");
    tell(2);
    tell(3, "c", "d", "e");
    tell(4, "f");
    assertThat(Seen.all(openAfter(0, WHOLE)).effects).hasSize(6);
    assertThat(Seen.all(openAfter(0, 0)).effects).hasSize(6);
    assertThat(Seen.all(openAfter(1, WHOLE)).effects).startsWith("3.0 c").hasSize(4);
    assertThat(Seen.all(openAfter(1, 0)).effects).startsWith("1.1 b").hasSize(5);
    assertThat(Seen.all(openAfter(2, WHOLE)).effects).startsWith("3.0 c").hasSize(4);
    assertThat(Seen.all(openAfter(3, 1)).effects).containsExactly("3.2 e", "4.0 f");
    assertThat(Seen.all(openAfter(4, WHOLE)).effects).isEmpty();
  }

  @Test
  void shouldSkipEffectsOfTheStepOfThePositionOnly() {
    openNow();
    tell(1, "a");
    tell(2);
    tell(3, "c");
    assertThat(Seen.all(openAfter(2, 5)).effects).containsExactly("3.0 c");
  }

  @Test
  void shouldEndAReaderThatIsTooSlowAndSayWhereItCouldGoOn() {
    FeedReader slow = openNow();
    tell(1, "a");
    assertThat(Seen.all(slow).effects).hasSize(1);
    tellMany(2, 1_000);
    assertThat(slow.await(() -> {})).isFalse();
    assertThat(Seen.all(slow).effects).isEmpty();
    assertThat(reason(slow)).isEqualTo(FeedEnd.Reason.OUT_OF_RANGE);
    assertThat(hub.stats().overruns()).isEqualTo(1);
    FeedRange kept = hub.kept();
    assertThat(kept.lastSequence()).isEqualTo(1_000);
    assertThat(slow.ended().orElseThrow().text()).contains("" + kept.firstSequence());
    FeedReader next = openAfter(kept.firstSequence() - 1, WHOLE);
    assertThat(Seen.all(next).effects)
        .hasSize((int) (kept.lastSequence() - kept.firstSequence() + 1));
  }

  @Test
  void shouldEndReadersAtAStepThatIsTooLarge() {
    FeedReader reader = openNow();
    tell(1, "a");
    tell(2);
    tell(3, LARGE);
    tell(4, "c");
    Seen seen = Seen.all(reader);
    assertThat(seen.effects).containsExactly("1.0 a");
    assertThat(seen.marks).containsExactly(2L);
    assertThat(reason(reader)).isEqualTo(FeedEnd.Reason.OUT_OF_RANGE);
    assertThat(reader.ended().orElseThrow().text()).endsWith(" 4");
    assertThat(Seen.all(openAfter(3, WHOLE)).effects).containsExactly("4.0 c");
  }

  @Test
  void shouldEndReadersOfAnotherLogAndOfStepsThatWereNotKept() {
    FeedReader other = open(new Start.After(0, WHOLE, new UUID(3, 4)));
    assertThat(Seen.all(other).effects).isEmpty();
    assertThat(reason(other)).isEqualTo(FeedEnd.Reason.OTHER_LOG);
    for (Start start : List.of(new Start.Snapshot(), new Start.Time(1))) {
      FeedReader reader = open(start);
      assertThat(Seen.all(reader).effects).isEmpty();
      assertThat(reason(reader)).isEqualTo(FeedEnd.Reason.OUT_OF_RANGE);
    }
  }

  private FeedReader openAfter(long sequence, int index, long timeMs) {
    return open(new Start.After(sequence, index, LOG, timeMs));
  }

  /** A step that was not lost has the time that it had. */
  private void assertLost(long sequence, int index, long timeMs, boolean isLost) {
    FeedReader reader = openAfter(sequence, index, timeMs);
    Seen.all(reader);
    if (isLost) {
      assertThat(reason(reader)).isEqualTo(FeedEnd.Reason.OTHER_LOG);
      assertThat(reader.ended().orElseThrow().text())
          .contains("a past that was lost: the step " + sequence + " of ");
    } else {
      assertThat(reader.ended()).isEmpty();
    }
    reader.close();
  }

  @Test
  void shouldRefuseAPositionOfALostPast() {
    openNow();
    tell(1, "a");
    tell(2);
    tell(3, "c");
    for (int index : List.of(0, WHOLE)) {
      assertLost(1, index, Steps.TIME_MS + 1, false);
      assertLost(1, index, Steps.TIME_MS, true);
      assertLost(3, index, Steps.TIME_MS + 3, false);
      assertLost(3, index, Steps.TIME_MS + 4, true);
    }
    assertLost(2, WHOLE, Steps.TIME_MS + 2, false);
    assertLost(2, WHOLE, Steps.TIME_MS + 3, true);
    assertLost(0, WHOLE, 0, false);
    assertLost(3, WHOLE, 0, false);
  }

  @Test
  void shouldRefuseAPositionOfALostPastByItsFrameAlone() {
    openNow();
    tell(1, "a");
    tell(2);
    tell(3, "c");
    for (long sequence = 4; sequence < 4 + RingMemory.TIMES; sequence++) {
      tell(sequence);
    }
    assertLost(1, WHOLE, Steps.TIME_MS + 1, false);
    assertLost(1, 0, Steps.TIME_MS + 1, false);
    assertLost(1, WHOLE, Steps.TIME_MS, true);
    // An effect of a step that has none.
    assertLost(2, 0, Steps.TIME_MS + 2, true);
    // Between its neighbors.
    assertLost(2, WHOLE, Steps.TIME_MS + 2, false);
    assertLost(2, WHOLE, Steps.TIME_MS + 4, true);
  }

  @Test
  void shouldNotMarkTheStepBeforeAPositionWithinOne() {
    openNow();
    tell(1, "a");
    FeedReader reader = openAfter(2, 0);
    nowNs += HubReader.MARK_NS;
    assertThat(Seen.all(reader).marks).isEmpty();
    tell(2, "b", "c");
    Seen seen = Seen.all(reader);
    assertThat(seen.effects).containsExactly("2.1 c");
    assertThat(seen.marks).containsExactly(2L);
  }

  @Test
  void shouldWaitForAStepOfThePositionBeforeItLooksAtItsTime() {
    openNow();
    tell(1, "a");
    visible = 1;
    FeedReader reader = openAfter(2, WHOLE, Steps.TIME_MS);
    assertThat(Seen.all(reader).effects).isEmpty();
    assertThat(reader.ended()).isEmpty();
    tell(2, "b");
    visible = 2;
    assertThat(Seen.all(reader).effects).isEmpty();
    assertThat(reason(reader)).isEqualTo(FeedEnd.Reason.OTHER_LOG);
  }

  @Test
  void shouldWaitForAPositionOfTheFutureButNotForLong() {
    visible = 0;
    FeedReader early = openAfter(2, WHOLE);
    FeedReader never = openAfter(9, WHOLE);
    tell(1, "a");
    tell(2, "b");
    tell(3, "c");
    assertThat(Seen.all(early).effects).isEmpty();
    assertThat(early.ended()).isEmpty();
    visible = 3;
    assertThat(Seen.all(early).effects).containsExactly("3.0 c");
    nowNs += HubReader.FUTURE_NS;
    assertThat(never.await(() -> {})).isFalse();
    assertThat(reason(never)).isEqualTo(FeedEnd.Reason.FUTURE);
  }

  @Test
  void shouldBeCompleteAfterTheLastStepThatWasAskedFor() {
    openNow();
    tell(1, "a");
    tell(2, "b");
    tell(3, "c");
    FeedReader reader =
        hub.open(
            new FeedRequest(
                new Start.After(0, WHOLE, null),
                2,
                Long.MAX_VALUE,
                Set.of(),
                List.of(),
                Set.of(),
                Set.of(),
                Set.of(),
                false));
    assertThat(Seen.all(reader).effects).containsExactly("1.0 a", "2.0 b");
    assertThat(reason(reader)).isEqualTo(FeedEnd.Reason.COMPLETE);
    nowNs += HubReader.MARK_NS;
    assertThat(Seen.all(reader).marks).isEmpty();
  }

  @Test
  void shouldShowValuesFromTheStepOnAtWhichTheyAreWritten() {
    openNow();
    tell(1, "without");
    FeedReader reader =
        hub.open(
            new FeedRequest(
                new Start.Now(),
                Long.MAX_VALUE,
                Long.MAX_VALUE,
                Set.of(),
                List.of(),
                Set.of(),
                Set.of(),
                Set.of(),
                true));
    tell(2, "with");
    assertThat(Seen.all(reader).effects).containsExactly("2.0 with");
    assertThat(hub.ring().memory().firstStep(true)).isEqualTo(2);
    reader.close();
    tell(3, "without");
    assertThat(hub.ring().memory().firstStep(true)).isEqualTo(RingMemory.NEVER);
  }

  @Test
  void shouldTellWaitingReadersOnce() {
    FeedReader reader = openNow();
    AtomicInteger told = new AtomicInteger();
    assertThat(reader.await(told::incrementAndGet)).isTrue();
    hub.step();
    assertThat(told.get()).isZero();
    tell(1, "a");
    hub.step();
    tell(2, "b");
    hub.step();
    assertThat(told.get()).isEqualTo(1);
    assertThat(reader.await(told::incrementAndGet)).as("there is something").isFalse();
  }

  @Test
  void shouldEndAReaderWhoseListenerFailsAndTellTheOthers() {
    FeedReader broken = openNow();
    FeedReader sound = openNow();
    AtomicInteger told = new AtomicInteger();
    broken.await(
        () -> {
          throw new IllegalStateException("listener");
        });
    sound.await(told::incrementAndGet);
    tell(1, "a");
    hub.step();
    assertThat(told.get()).isEqualTo(1);
    assertThat(reason(broken)).isEqualTo(FeedEnd.Reason.FAULT);
    assertThat(sound.ended()).isEmpty();
  }

  @Test
  void shouldEndOpenReadersWhenItIsClosed() {
    FeedReader waiting = openNow();
    AtomicInteger told = new AtomicInteger();
    waiting.await(told::incrementAndGet);
    tell(1, "a");
    hub.close();
    assertThat(told.get()).isEqualTo(1);
    assertThat(Seen.all(waiting).effects).isEmpty();
    assertThat(reason(waiting)).isEqualTo(FeedEnd.Reason.CLOSED);
    assertThat(waiting.await(() -> {})).isFalse();
    assertThat(hub.hasRing()).isFalse();
    FeedReader late = hub.open(FeedRequest.all(new Start.Now()));
    assertThat(reason(late)).isEqualTo(FeedEnd.Reason.CLOSED);
    assertThat(Seen.all(late).effects).isEmpty();
    late.close();
    waiting.close();
    hub.close();
  }

  @Test
  void shouldShowNothingAfterAReaderWasClosed() {
    FeedReader reader = openNow();
    tell(1, "a");
    reader.close();
    reader.close();
    assertThat(Seen.all(reader).effects).isEmpty();
    assertThat(reason(reader)).isEqualTo(FeedEnd.Reason.CLOSED);
  }

  @Test
  void shouldLimitTheReaders() {
    List<FeedReader> readers = new ArrayList<>();
    for (int i = 0; i < FeedHub.READERS_MAX; i++) {
      readers.add(openNow());
    }
    assertThatThrownBy(this::openNow)
        .isInstanceOf(EntroQException.ResourceExhausted.class)
        .hasMessageContaining("256");
    readers.get(0).close();
    openNow();
  }

  @Test
  void shouldHoldNobodyUpWhileReadersReadNothing() {
    List<FeedReader> readers = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      readers.add(openNow());
    }
    FeedReader reading = openNow();
    long read = 0;
    for (long sequence = 1; sequence <= 5_000; sequence++) {
      tell(sequence, "q".repeat(100));
      read += Seen.all(reading).effects.size();
    }
    assertThat(read).isEqualTo(5_000);
    readers.forEach(reader -> assertThat(Seen.all(reader).effects).isEmpty());
    assertThat(readers)
        .allSatisfy(reader -> assertThat(reason(reader)).isEqualTo(FeedEnd.Reason.OUT_OF_RANGE));
  }

  @Test
  void shouldFreeTheRingAMinuteAfterTheLastReaderOnceNobodyWritesToIt() {
    assertThat(hub.hasRing()).as("before the first reader").isFalse();
    FeedReader first = openNow();
    nowNs += FeedHub.FREED_AFTER_NS;
    hub.step();
    assertThat(hub.hasRing()).isTrue();
    first.close();
    nowNs += FeedHub.FREED_AFTER_NS - 1;
    hub.step();
    tell(1, "a");
    assertThat(Seen.all(openAfter(0, WHOLE)).effects).as("one that comes back").hasSize(1);
    openNow().close();
    assertThat(hub.isNeeded()).as("one is still open").isFalse();
  }

  @Test
  void shouldNotFreeARingToWhichTheEngineStillWrites() {
    openNow().close();
    EffectRing written = hub.ring();
    nowNs += FeedHub.FREED_AFTER_NS;
    int before = wakes.get();
    hub.step();
    hub.step();
    assertThat(wakes.get()).as("the engine may sleep").isGreaterThan(before);
    assertThat(hub.hasRing()).as("the engine has not looked").isTrue();
    Steps.tell(written, 1, "a");
    feedSwitch.look(machine);
    hub.step();
    assertThat(hub.hasRing()).isFalse();
    assertThat(hub.isNeeded()).isFalse();
    FeedReader next = openNow();
    tell(1, "b");
    assertThat(Seen.all(next).effects).containsExactly("1.0 b");
  }

  @Test
  void shouldNotFreeARingThatTheEngineMayBeAboutToTake() {
    hub.open(FeedRequest.all(new Start.Now())).close();
    nowNs += FeedHub.FREED_AFTER_NS;
    hub.step();
    assertThat(hub.hasRing()).isTrue();
    feedSwitch.look(machine);
    hub.step();
    assertThat(hub.hasRing()).isFalse();
  }

  @Test
  void shouldTellWhatIsKept() {
    visible = 7;
    assertThat(hub.kept()).isEqualTo(new FeedRange(8, 7, 0));
    openNow();
    assertThat(hub.kept()).isEqualTo(new FeedRange(1, 0, 0));
    tell(1, "a");
    assertThat(hub.kept()).isEqualTo(new FeedRange(1, 1, 0));
  }

  @Test
  void shouldTellSinceWhenTheStateCanBeShown() {
    ScriptedHistory history = new ScriptedHistory();
    hub = new FeedHub(feedSwitch, source, RING_BYTES, false, history);
    visible = 7;
    assertThat(hub.kept()).isEqualTo(new FeedRange(1, 7, Steps.TIME_MS));
    history.first = new HistoryPoint(8, Steps.TIME_MS + 8);
    assertThat(hub.kept()).as("not shown yet").isEqualTo(new FeedRange(8, 7, 0));
  }

  @Test
  void shouldHandTheTimeOfAPositionToTheHistory() {
    ScriptedHistory history = new ScriptedHistory();
    hub = new FeedHub(feedSwitch, source, RING_BYTES, false, history);
    openNow();
    tellMany(1, 1_000);
    long timeMs = Steps.TIME_MS + 1;
    Seen.all(openAfter(1, WHOLE, timeMs));
    Seen.all(openAfter(1, 0, timeMs));
    assertThat(history.requests)
        .extracting(FeedRequest::start)
        .containsExactly(
            new Start.After(1, WHOLE, null, timeMs), new Start.After(1, 0, null, timeMs));
  }

  @Test
  void shouldReadTheHistoryAndThenReturnToTheRing() {
    ScriptedHistory history = new ScriptedHistory();
    hub = new FeedHub(feedSwitch, source, RING_BYTES, false, history);
    FeedReader reader = openNow();
    tellMany(1, 1_000);
    assertThat(Seen.all(reader).effects).isEmpty();
    assertThat(history.requests).hasSize(1);
    assertThat(history.requests.get(0).start()).isEqualTo(new Start.After(0, WHOLE, null));
    FeedRange kept = hub.kept();
    assertThat(hub.stats()).isEqualTo(new FeedStats(1, 1, 1, 0, 0, kept));

    assertThat(reader.await(() -> {})).as("the history has nothing yet").isTrue();
    history.show(500);
    Seen seen = Seen.all(reader);
    assertThat(seen.marks).containsExactly(500L);
    assertThat(history.isClosed).as("the ring does not have what comes next").isFalse();
    long first = RingCursor.firstStep(hub.ring().memory());
    history.show(first);
    assertThat(Seen.all(reader).marks).containsExactly(first);
    assertThat(history.isClosed).isTrue();
    seen = Seen.all(reader);
    assertThat(hub.stats()).isEqualTo(new FeedStats(1, 0, 1, 0, seen.effects.size(), hub.kept()));
    assertThat(seen.effects).hasSize((int) (1_000 - first));
    assertThat(seen.marks).containsExactly(1_000L);
  }

  @Test
  void shouldNotReadTheHistoryForAReaderThatWantsToBeLive() {
    ScriptedHistory history = new ScriptedHistory();
    hub = new FeedHub(feedSwitch, source, RING_BYTES, false, history);
    FeedReader reader = open(new Start.Live());
    tell(1, "a");
    assertThat(Seen.all(reader).effects).containsExactly("1.0 a");
    tellMany(2, 1_000);
    assertThat(Seen.all(reader).effects).isEmpty();
    assertThat(reason(reader)).isEqualTo(FeedEnd.Reason.OUT_OF_RANGE);
    assertThat(history.requests).isEmpty();
    FeedReader next = open(new Start.Live());
    tell(1_001, "b");
    assertThat(Seen.all(next).effects).containsExactly("1001.0 b");
  }

  @Test
  void shouldReadAStepThatIsTooLargeFromTheHistory() {
    ScriptedHistory history = new ScriptedHistory();
    hub = new FeedHub(feedSwitch, source, RING_BYTES, false, history);
    FeedReader reader = openNow();
    tell(1, "a");
    tell(2, LARGE);
    tell(3, "c");
    assertThat(Seen.all(reader).effects).containsExactly("1.0 a");
    assertThat(history.requests.get(0).start()).isEqualTo(new Start.After(1, WHOLE, null));
    history.show(2);
    assertThat(Seen.all(reader).marks).containsExactly(2L);
    assertThat(Seen.all(reader).effects).containsExactly("3.0 c");
  }

  @Test
  void shouldEndWithTheHistory() {
    ScriptedHistory history = new ScriptedHistory();
    hub = new FeedHub(feedSwitch, source, RING_BYTES, false, history);
    FeedReader reader = open(new Start.Snapshot());
    history.end = new FeedEnd(FeedEnd.Reason.EXHAUSTED, "too many");
    assertThat(Seen.all(reader).effects).isEmpty();
    assertThat(reader.ended()).contains(history.end);
    reader.close();
  }
}

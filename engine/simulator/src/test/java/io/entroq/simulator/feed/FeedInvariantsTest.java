package io.entroq.simulator.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.codec.effect.EffectKinds;
import io.entroq.codec.effect.EffectReader;
import io.entroq.codec.effect.EffectWriter;
import io.entroq.codec.effect.StepFrame;
import io.entroq.engine.gateway.EffectConsumer;
import io.entroq.simulator.check.Invariant;
import io.entroq.simulator.check.Violation;
import java.nio.ByteBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** What readers of the feed find wrong. */
class FeedInvariantsTest {
  private static final EffectConsumer NOBODY =
      new EffectConsumer() {
        @Override
        public void onEffect(EffectReader effect) {}

        @Override
        public void onMark(long sequence, long logTimeMs) {}
      };

  private final UnsafeBuffer memory = new UnsafeBuffer(ByteBuffer.allocateDirect(4_096));

  private static ToldSteps after(long step) {
    ToldSteps told = new ToldSteps(10, NOBODY);
    told.restart(step);
    told.bound(9);
    return told;
  }

  /** Tells a step that inserts a task with this version. */
  private void tell(ToldSteps told, long step, int index, int version) {
    int length =
        new EffectWriter()
            .wrap(memory, 0, memory.capacity())
            .begin(step, 1, 0, 0, memory, 0, 0)
            .effect(index, EffectKinds.INSERTED, 0)
            .version(version)
            .end();
    StepFrame frame = new StepFrame().wrap(memory, 0, length);
    while (frame.next()) {
      told.onEffect(frame.effect());
    }
  }

  private static void assertBroken(Invariant invariant, ThrowingCallable act) {
    assertThatThrownBy(act)
        .isInstanceOfSatisfying(
            Violation.class,
            violation -> assertThat(violation.rule()).isEqualTo(invariant.label()));
  }

  @Test
  void shouldTellEachStepOnceWholeAndInOrder() {
    ToldSteps told = after(5);
    tell(told, 6, 0, 1);
    told.onMark(6, 1);
    assertBroken(Invariant.FEED_IS_HISTORY, () -> tell(told, 6, 0, 1));
    assertBroken(Invariant.FEED_IS_HISTORY, () -> tell(told, 7, 1, 1));
    assertBroken(Invariant.FEED_IS_HISTORY, () -> told.onMark(5, 1));
  }

  @Test
  void shouldShowNothingThatMayNotBeShownYet() {
    ToldSteps told = after(5);
    tell(told, 9, 0, 1);
    assertBroken(Invariant.NOTHING_UNFORCED_SHOWN, () -> tell(told, 10, 0, 1));
    assertBroken(Invariant.NOTHING_UNFORCED_SHOWN, () -> told.onMark(10, 1));
  }

  @Test
  void shouldTellTheSameAgain() {
    ToldSteps live = after(5);
    tell(live, 6, 0, 1);
    tell(live, 8, 0, 1);
    ToldSteps replayed = after(5);
    tell(replayed, 6, 0, 1);
    live.requireSame(Invariant.LIVE_EQUALS_REPLAY, replayed, 5, 7);
    assertBroken(
        Invariant.LIVE_EQUALS_REPLAY,
        () -> live.requireSame(Invariant.LIVE_EQUALS_REPLAY, replayed, 5, 8));
    tell(replayed, 8, 0, 2);
    assertBroken(
        Invariant.LIVE_EQUALS_REPLAY,
        () -> live.requireSame(Invariant.LIVE_EQUALS_REPLAY, replayed, 5, 8));
  }

  @Test
  void shouldFindThePastAsItWas() {
    PastStates past = new PastStates();
    past.add(5, 1, 2);
    past.requireSame(5, 1, 2);
    assertBroken(Invariant.AS_OF_EQUALS_THEN, () -> past.requireSame(5, 1, 3));
    assertBroken(Invariant.AS_OF_EQUALS_THEN, () -> past.requireSame(5, 2, 2));
  }
}

package io.entroq.simulator.random;

import static io.entroq.simulator.check.Broken.assertBroken;

import io.entroq.engine.doc.DocView;
import io.entroq.simulator.check.Invariant;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** Wrong numbers of steps and effects are noticed; what is told of tasks, by planted bugs. */
class EffectWatchTest {
  private static final DocView NO_DOC = null;

  private final EffectWatch watch = new EffectWatch();

  private void begin(long sequence) {
    watch.onStep(sequence, 0, 0, 0, new UnsafeBuffer(0, 0), 0, 0);
  }

  @Test
  void shouldMissASkippedStep() {
    begin(1);
    watch.onStepEnd(1);
    assertBroken(Invariant.FEED_IS_HISTORY, () -> begin(3));
  }

  @Test
  void shouldMissTheEndOfAStep() {
    begin(1);
    assertBroken(Invariant.FEED_IS_HISTORY, () -> begin(2));
  }

  @Test
  void shouldNoticeAnEffectOutsideAStep() {
    begin(1);
    watch.onStepEnd(1);
    assertBroken(Invariant.FEED_IS_HISTORY, () -> watch.onDoc(1, 0, 16, 0, NO_DOC));
  }

  @Test
  void shouldNoticeAnIndexThatIsNotTheNext() {
    begin(1);
    watch.onDoc(1, 0, 16, 0, NO_DOC);
    assertBroken(Invariant.FEED_IS_HISTORY, () -> watch.onDoc(1, 0, 16, 0, NO_DOC));
  }

  @Test
  void shouldMissATaskOfWhichNobodyTold() {
    begin(1);
    watch.onStepEnd(1);
    assertBroken(Invariant.FEED_IS_HISTORY, () -> watch.check(1, 1));
  }
}

package io.entroq.engine.feed;

import io.entroq.codec.effect.EffectParts;
import io.entroq.codec.effect.EffectReader;
import io.entroq.engine.gateway.EffectConsumer;
import io.entroq.engine.gateway.FeedReader;
import java.util.ArrayList;
import java.util.List;

/** Writes down what a reader shows: effects as "sequence.index queue", and marks. */
final class Seen implements EffectConsumer {
  private static final int ALL = Integer.MAX_VALUE;

  final List<String> effects = new ArrayList<>();
  final List<Long> marks = new ArrayList<>();
  private long markTimeMs;

  /** All that a reader has now. */
  static Seen all(FeedReader reader) {
    Seen seen = new Seen();
    seen.poll(reader);
    return seen;
  }

  int poll(FeedReader reader) {
    return reader.poll(this, ALL);
  }

  @Override
  public void onEffect(EffectReader effect) {
    int part = EffectParts.QUEUE;
    effects.add(
        "%d.%d %s"
            .formatted(
                effect.step().sequence(),
                effect.index(),
                effect
                    .buffer()
                    .getStringWithoutLengthUtf8(effect.offset(part), effect.length(part))));
  }

  @Override
  public void onMark(long sequence, long logTimeMs) {
    marks.add(sequence);
    markTimeMs = logTimeMs;
  }

  /** The log time of the last mark. */
  long markTimeMs() {
    return markTimeMs;
  }
}

package io.entroq.engine.feed;

import io.entroq.codec.effect.EffectReader;
import io.entroq.engine.gateway.EffectConsumer;
import io.entroq.engine.gateway.FeedEnd;
import io.entroq.engine.gateway.FeedReader;
import java.util.Optional;

/** A reader of the history, and how far it has come. Polled by one thread. */
final class HistoryPart {
  private final FeedReader reader;
  private long sequence;
  private long logTimeMs;
  private boolean isAtMark;
  private int shown;

  HistoryPart(FeedReader reader) {
    this.reader = reader;
  }

  int poll(EffectConsumer consumer, int bytesMax) {
    shown = 0;
    return reader.poll(new Watch(consumer), bytesMax);
  }

  /** Notes the place while a consumer gets what there is. */
  private final class Watch implements EffectConsumer {
    private final EffectConsumer consumer;

    Watch(EffectConsumer consumer) {
      this.consumer = consumer;
    }

    @Override
    public void onEffect(EffectReader effect) {
      isAtMark = false;
      shown++;
      consumer.onEffect(effect);
    }

    @Override
    public void onMark(long markSequence, long markTimeMs) {
      sequence = markSequence;
      logTimeMs = markTimeMs;
      isAtMark = true;
      consumer.onMark(markSequence, markTimeMs);
    }

    @Override
    public void onSnapshotEnd(long snapshotSequence, long snapshotTimeMs) {
      consumer.onSnapshotEnd(snapshotSequence, snapshotTimeMs);
    }
  }

  /** How many effects the last poll has shown. */
  int shown() {
    return shown;
  }

  /** Whether the last that it showed was a mark, so that the next step may come from elsewhere. */
  boolean isAtMark() {
    return isAtMark;
  }

  /** The step of the last mark. */
  long sequence() {
    return sequence;
  }

  long logTimeMs() {
    return logTimeMs;
  }

  Optional<FeedEnd> ended() {
    return reader.ended();
  }

  boolean await(Runnable onAvailable) {
    return reader.await(onAvailable);
  }

  void close() {
    reader.close();
  }
}

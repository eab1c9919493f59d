package io.entroq.engine.feed;

import io.entroq.codec.effect.EffectReader;
import io.entroq.engine.gateway.EffectConsumer;
import io.entroq.engine.gateway.FeedEnd;
import io.entroq.engine.gateway.FeedReader;
import java.time.Instant;
import java.util.Optional;

/**
 * Ends a reader with the last step of a time: with the first step of a later one, or else when no
 * more steps of that time can come and all of them have been shown. Polled by one thread.
 */
final class TimedReader implements FeedReader {
  private final FeedReader reader;
  private final FeedSource source;
  private final long untilMs;

  /** The last step of the time, or a later one; {@link Long#MAX_VALUE} while it may come. */
  private long lastStep = Long.MAX_VALUE;

  private volatile boolean isDone;

  /**
   * @param reader polled by this alone
   * @param untilMs the time, in milliseconds since the epoch
   */
  TimedReader(FeedReader reader, FeedSource source, long untilMs) {
    this.reader = reader;
    this.source = source;
    this.untilMs = untilMs;
  }

  @Override
  public int poll(EffectConsumer consumer, int bytesMax) {
    if (isDone) {
      return 0;
    }
    if (lastStep == Long.MAX_VALUE && source.wallMs().getAsLong() > untilMs) {
      findLastStep();
    }
    Bounded bounded = new Bounded(consumer);
    reader.poll(bounded, bytesMax);
    if (isDone) {
      reader.close();
    }
    return bounded.told;
  }

  /** The wall clock may be ahead of the log's, so it only says when to ask. */
  private void findLastStep() {
    lastStep = source.lastUntil().applyAsLong(untilMs);
    if (lastStep == Long.MAX_VALUE) {
      source.wakeEngine().run();
    }
  }

  /** Hands on what is of the time. */
  private final class Bounded implements EffectConsumer {
    private final EffectConsumer consumer;
    private int told;

    Bounded(EffectConsumer consumer) {
      this.consumer = consumer;
    }

    @Override
    public void onEffect(EffectReader effect) {
      isDone |= effect.step().logTimeMs() > untilMs;
      if (!isDone) {
        told++;
        consumer.onEffect(effect);
      }
    }

    @Override
    public void onMark(long sequence, long logTimeMs) {
      isDone |= logTimeMs > untilMs;
      if (!isDone) {
        told++;
        consumer.onMark(sequence, logTimeMs);
        isDone = sequence >= lastStep;
      }
    }

    @Override
    public void onSnapshotEnd(long sequence, long logTimeMs) {
      isDone |= logTimeMs > untilMs;
      if (!isDone) {
        told++;
        consumer.onSnapshotEnd(sequence, logTimeMs);
      }
    }
  }

  @Override
  public boolean await(Runnable onAvailable) {
    // A mark each second also tells that time has passed.
    return !isDone && reader.await(onAvailable);
  }

  @Override
  public Optional<FeedEnd> ended() {
    return isDone
        ? Optional.of(
            new FeedEnd(
                FeedEnd.Reason.COMPLETE, "all was shown, up to " + Instant.ofEpochMilli(untilMs)))
        : reader.ended();
  }

  @Override
  public void close() {
    reader.close();
  }
}

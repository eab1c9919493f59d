package io.entroq.engine.feed;

import io.entroq.codec.effect.EffectReader;
import io.entroq.codec.effect.StepFrame;
import io.entroq.engine.gateway.EffectConsumer;
import io.entroq.engine.gateway.FeedEnd;
import io.entroq.engine.gateway.FeedReader;
import io.entroq.engine.gateway.FeedRequest;
import io.entroq.engine.gateway.FeedRequest.Start;
import java.util.Optional;

/** Shows what a replay has put into its buffer. */
final class ReplayReader implements FeedReader {
  private final ReplayBuffer buffer;
  private final EffectFilter filter;
  private final StepFrame step = new StepFrame();

  /** Of this step, effects up to an index are not asked for; -1: there is none. */
  private final long skippedStep;

  private final int skipped;
  private boolean isSnapshot;

  /** What was shown is to be marked. */
  private boolean isMarkDue;

  private long sequence;
  private long logTimeMs;

  ReplayReader(ReplayBuffer buffer, EffectFilter filter, FeedRequest request) {
    this.buffer = buffer;
    this.filter = filter;
    isSnapshot = request.start() instanceof Start.Snapshot;
    Start.After after = request.start() instanceof Start.After start ? start : null;
    skippedStep = after == null ? -1 : after.sequence();
    skipped = after == null ? -1 : after.index();
  }

  @Override
  public int poll(EffectConsumer consumer, int bytesMax) {
    int told = 0;
    int bytes = 0;
    int length = buffer.nextBytes();
    while (length > 0 && (bytes == 0 || length <= bytesMax - bytes)) {
      bytes += length;
      told += show(buffer.take(), consumer);
      length = buffer.nextBytes();
    }
    if (isMarkDue && !isSnapshot) {
      isMarkDue = false;
      consumer.onMark(sequence, logTimeMs);
      told++;
    }
    return told;
  }

  private int show(int kind, EffectConsumer consumer) {
    isMarkDue = true;
    if (kind == ReplayBuffer.FRAME) {
      step.wrap(buffer.buffer(), buffer.offset(), buffer.bytes());
      sequence = step.sequence();
      logTimeMs = step.logTimeMs();
      return showStep(consumer);
    }
    sequence = buffer.sequence();
    logTimeMs = buffer.logTimeMs();
    if (kind != ReplayBuffer.SNAPSHOT_END) {
      return 0;
    }
    isSnapshot = false;
    consumer.onSnapshotEnd(sequence, logTimeMs);
    return 1;
  }

  private int showStep(EffectConsumer consumer) {
    int told = 0;
    while (step.next()) {
      EffectReader effect = step.effect();
      boolean isAsked = sequence != skippedStep || effect.index() > skipped;
      if (isAsked && filter.matches(effect)) {
        consumer.onEffect(effect);
        told++;
      }
    }
    return told;
  }

  @Override
  public boolean await(Runnable onAvailable) {
    return buffer.await(onAvailable);
  }

  @Override
  public Optional<FeedEnd> ended() {
    return buffer.ended();
  }

  @Override
  public void close() {
    buffer.close();
  }
}

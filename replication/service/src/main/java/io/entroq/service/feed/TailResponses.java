package io.entroq.service.feed;

import io.entroq.codec.effect.EffectReader;
import io.entroq.codec.wire.edge.Effect;
import io.entroq.codec.wire.edge.FeedRange;
import io.entroq.codec.wire.edge.TailResponse;
import io.entroq.engine.gateway.EffectConsumer;
import io.entroq.service.translation.EffectMessages;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.UUID;
import java.util.function.Supplier;

/** Makes responses of the effects of a reader. Not thread-safe. */
final class TailResponses implements EffectConsumer {
  /** A step with more than this comes in several responses, in bytes. */
  private static final int BYTES_MAX = 1 << 20;

  private final EffectMessages messages;
  private final Supplier<UUID> logId;
  private final Supplier<FeedRange> kept;
  private final Queue<TailResponse> responses = new ArrayDeque<>();
  private TailResponse.Builder next = TailResponse.newBuilder();
  private long bytes;
  private boolean hasBegun;
  private boolean isSnapshot;

  /** Null until the log has an id. */
  private UUID log;

  /**
   * @param isSnapshot whether the reader shows the state first
   * @param logId null before the first record of the log
   */
  TailResponses(
      EffectMessages messages, boolean isSnapshot, Supplier<UUID> logId, Supplier<FeedRange> kept) {
    this.messages = messages;
    this.isSnapshot = isSnapshot;
    this.logId = logId;
    this.kept = kept;
  }

  @Override
  public void onEffect(EffectReader effect) {
    Effect message = messages.effect(effect);
    int size = message.getSerializedSize();
    boolean isFull = bytes > 0 && bytes + size > BYTES_MAX;
    // What follows a snapshot happened later.
    if (isFull || next.getSnapshotComplete()) {
      cut();
    }
    next.addEffects(message);
    bytes += size;
  }

  @Override
  public void onMark(long sequence, long logTimeMs) {
    // Nobody can resume within a snapshot.
    if (!isSnapshot) {
      identify();
      next.setPosition(new FeedPosition(sequence, FeedPosition.WHOLE_STEP, log, logTimeMs).text())
          .setTimeMs(logTimeMs);
    }
  }

  @Override
  public void onSnapshotEnd(long sequence, long logTimeMs) {
    isSnapshot = false;
    next.setSnapshotComplete(true);
    onMark(sequence, logTimeMs);
  }

  private void identify() {
    if (log == null) {
      log = logId.get();
      if (log != null) {
        next.setLogId(FeedPosition.bytes(log));
      }
    }
  }

  /** Ends a response, if there is something in it. */
  void cut() {
    if (next.getEffectsCount() == 0 && next.getPosition().isEmpty()) {
      return;
    }
    identify();
    if (!hasBegun) {
      hasBegun = true;
      next.setKept(kept.get());
    }
    responses.add(next.build());
    next = TailResponse.newBuilder();
    bytes = 0;
  }

  boolean isEmpty() {
    return responses.isEmpty();
  }

  /** The next complete response; null if there is none. */
  TailResponse poll() {
    return responses.poll();
  }
}

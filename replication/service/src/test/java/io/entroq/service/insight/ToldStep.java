package io.entroq.service.insight;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.codec.effect.EffectFlags;
import io.entroq.codec.effect.EffectParts;
import io.entroq.codec.effect.EffectWriter;
import io.entroq.codec.effect.StepFrame;
import io.entroq.codec.wire.IdKey;
import io.entroq.codec.wire.Ids;
import io.entroq.engine.gateway.EffectConsumer;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.agrona.concurrent.UnsafeBuffer;

/** A step of a log, which the test tells to a consumer. */
final class ToldStep {
  private final UnsafeBuffer memory = new UnsafeBuffer(ByteBuffer.allocateDirect(64 << 10));
  private final EffectWriter writer = new EffectWriter().wrap(memory, 0, memory.capacity());

  private ToldStep() {}

  /** At a time, for which nobody asked. */
  static ToldStep at(long timeMs) {
    return by(timeMs, IdKey.NOBODY);
  }

  /** At a time, for which somebody asked. */
  static ToldStep by(long timeMs, String requester) {
    return by(timeMs, Ids.ofV1(requester));
  }

  private static ToldStep by(long timeMs, IdKey requester) {
    ToldStep step = new ToldStep();
    UnsafeBuffer text = bytes(requester.text());
    step.writer.begin(1, timeMs, requester.high(), requester.low(), text, 0, text.capacity());
    return step;
  }

  private static UnsafeBuffer bytes(String text) {
    return new UnsafeBuffer(text.getBytes(StandardCharsets.UTF_8));
  }

  /** An effect on a task. */
  ToldStep task(int kind, int flags, String id, String queue, String former, String claimant) {
    return task(kind, flags, id, queue, former, claimant, 0, "");
  }

  ToldStep task(
      int kind,
      int flags,
      String id,
      String queue,
      String former,
      String claimant,
      long dueMs,
      String err) {
    IdKey key = Ids.ofV1(id);
    IdKey by = claimant.isEmpty() ? IdKey.NOBODY : Ids.ofV1(claimant);
    writer
        .effect(writer.effects(), kind, flags | EffectFlags.REQUESTED)
        .id(key.high(), key.low())
        .claimant(by.high(), by.low())
        .attempt(err.isEmpty() ? 0 : 1)
        .dueMs(dueMs);
    part(EffectParts.QUEUE, queue);
    part(EffectParts.FORMER_QUEUE, former);
    part(EffectParts.ID_TEXT, key.text());
    part(EffectParts.CLAIMANT_TEXT, by.text());
    part(EffectParts.ERR, err);
    return this;
  }

  private void part(int part, String text) {
    UnsafeBuffer bytes = bytes(text);
    writer.part(part, bytes, 0, bytes.capacity());
  }

  /** Tells it. */
  void to(EffectConsumer consumer) {
    int length = writer.end();
    assertThat(length).isPositive();
    StepFrame frame = new StepFrame().wrap(memory, 0, length);
    while (frame.next()) {
      consumer.onEffect(frame.effect());
    }
  }
}

package io.entroq.simulator.feed;

import io.entroq.codec.effect.EffectReader;
import io.entroq.codec.effect.EffectWriter;
import io.entroq.codec.effect.StepFrame;
import io.entroq.engine.effect.EffectEncoder;
import io.entroq.engine.listing.StateEffects;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import org.agrona.concurrent.UnsafeBuffer;

/** Shows a state as effects that insert it. One thread. */
final class ShownState extends EffectEncoder {
  /** More than the largest value. */
  private static final int FRAME_BYTES = 1 << 22;

  private final UnsafeBuffer buffer = new UnsafeBuffer(ByteBuffer.allocateDirect(FRAME_BYTES));
  private final StepFrame frame = new StepFrame();
  private final boolean hasValues;
  private int length;

  ShownState(boolean hasValues) {
    this.hasValues = hasValues;
  }

  void show(StateEffects state, Consumer<EffectReader> consumer) {
    while (state.next()) {
      state.tell(this);
      frame.wrap(buffer, 0, length);
      while (frame.next()) {
        consumer.accept(frame.effect());
      }
    }
  }

  @Override
  protected boolean begin(EffectWriter into) {
    into.wrap(buffer, 0, buffer.capacity());
    return hasValues;
  }

  @Override
  protected void end(long sequence, int effects, int frameLength) {
    length = frameLength;
  }
}

package io.entroq.engine.history;

import io.entroq.codec.effect.EffectWriter;
import io.entroq.codec.effect.StepFrame;
import io.entroq.engine.effect.EffectEncoder;
import io.entroq.engine.log.LogException;
import java.nio.ByteBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Has the effects of the last step, as a live reader gets them. */
final class StepFrames extends EffectEncoder {
  private static final int GROWTH = 4;
  private static final int BYTES_MAX = 1 << 30;

  private final boolean hasValues;
  private final StepFrame frame = new StepFrame();
  private UnsafeBuffer buffer;
  private int effects;
  private int length;

  StepFrames(boolean hasValues, int bytes) {
    this.hasValues = hasValues;
    buffer = memory(bytes);
  }

  private static UnsafeBuffer memory(int bytes) {
    return new UnsafeBuffer(ByteBuffer.allocateDirect(bytes));
  }

  @Override
  protected boolean begin(EffectWriter into) {
    into.wrap(buffer, 0, buffer.capacity());
    return hasValues;
  }

  @Override
  protected void end(long sequence, int stepEffects, int frameLength) {
    effects = stepEffects;
    length = frameLength;
  }

  boolean isEmpty() {
    return effects == 0;
  }

  /** Whether the step did not fit: {@link #enlarge} and replay it again. */
  boolean isCutOff() {
    return length == 0;
  }

  void enlarge() {
    int bytes = buffer.capacity();
    if (bytes > BYTES_MAX / GROWTH) {
      throw LogException.error("The effects of a step take more than %,d bytes.".formatted(bytes));
    }
    buffer = memory(bytes * GROWTH);
  }

  /** The frame of the last step, before its first effect. */
  StepFrame frame() {
    return frame.wrap(buffer, 0, length);
  }
}

package io.entroq.engine.history;

import io.entroq.codec.effect.StepFrame;
import io.entroq.engine.gateway.EffectConsumer;
import io.entroq.engine.gateway.HistoryPoint;
import io.entroq.engine.log.LogDamagedException;

/**
 * Shows what the steps between two points did, by replaying them. The frames of the steps have the
 * same bytes as those that a live reader gets.
 */
public final class HistoryReader {
  private final StateAt states;
  private final boolean hasValues;
  private final int frameBytes;

  /**
   * @param hasValues whether effects have the values of tasks and docs
   */
  public HistoryReader(StateAt states, boolean hasValues) {
    this(states, hasValues, HistoryReplay.FRAME_BYTES);
  }

  HistoryReader(StateAt states, boolean hasValues, int frameBytes) {
    this.states = states;
    this.hasValues = hasValues;
    this.frameBytes = frameBytes;
  }

  /**
   * Shows all effects of the steps that {@code until} includes and {@code after} does not, and then
   * one mark, also if there are none. Ends early if the consumer throws.
   *
   * @param after {@link HistoryDirectory#first} is the first possible
   * @throws HistoryException if a point is not kept, not reached, needs too much memory, or the
   *     watch gave up
   * @throws LogDamagedException if the log is damaged in between; what was before it has been shown
   * @throws io.entroq.engine.log.LogException if it cannot be read
   */
  public void read(HistoryPoint after, HistoryPoint until, EffectConsumer consumer) {
    HistoryReplay replay =
        new HistoryReplay(states, hasValues, frameBytes, after, frame -> show(frame, consumer));
    try (replay) {
      replay.to(until);
      consumer.onMark(replay.sequence(), replay.logTimeMs());
    }
  }

  private static void show(StepFrame frame, EffectConsumer consumer) {
    while (frame.next()) {
      consumer.onEffect(frame.effect());
    }
  }
}

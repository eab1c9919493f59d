package io.entroq.engine.history;

import io.entroq.codec.effect.EffectReader;
import io.entroq.codec.effect.StepFrame;
import io.entroq.codec.wire.IdKey;
import io.entroq.engine.gateway.EffectConsumer;
import io.entroq.engine.gateway.HistoryPoint;
import io.entroq.engine.log.LogDamagedException;
import java.util.Collection;
import java.util.List;

/**
 * Shows what the steps between two points did, by replaying them. The frames of the steps have the
 * same bytes as those that a live reader gets.
 */
public final class HistoryReader {
  private final StateAt states;
  private final Collection<IdKey> ids;
  private final boolean hasValues;
  private final int frameBytes;

  /**
   * @param hasValues whether effects have the values of tasks and docs
   */
  public HistoryReader(StateAt states, boolean hasValues) {
    this(states, List.of(), hasValues);
  }

  /**
   * @param ids shows effects on the tasks of these ids alone; none: all effects
   * @param hasValues whether effects have the values of tasks
   */
  public HistoryReader(StateAt states, Collection<IdKey> ids, boolean hasValues) {
    this(states, ids, hasValues, HistoryReplay.FRAME_BYTES);
  }

  HistoryReader(StateAt states, Collection<IdKey> ids, boolean hasValues, int frameBytes) {
    this.states = states;
    this.ids = ids;
    this.hasValues = hasValues;
    this.frameBytes = frameBytes;
  }

  /**
   * Shows the effects of the steps that {@code until} includes and {@code after} does not, and then
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
        new HistoryReplay(
            states, ids, hasValues, frameBytes, after, frame -> show(frame, consumer));
    try (replay) {
      replay.to(until);
      consumer.onMark(replay.sequence(), replay.logTimeMs());
    }
  }

  private void show(StepFrame frame, EffectConsumer consumer) {
    while (frame.next()) {
      if (ids.isEmpty() || isOfTask(frame.effect())) {
        consumer.onEffect(frame.effect());
      }
    }
  }

  private boolean isOfTask(EffectReader effect) {
    return effect.isOfTask()
        && ids.stream().anyMatch(id -> id.high() == effect.idHigh() && id.low() == effect.idLow());
  }
}

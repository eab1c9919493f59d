package io.entroq.engine.history;

import io.entroq.codec.effect.StepFrame;
import io.entroq.engine.gateway.EffectConsumer;
import io.entroq.engine.log.LogDamagedException;
import io.entroq.engine.state.StateMachine;

/**
 * Shows what the steps between two points did, by replaying them. The frames of the steps have the
 * same bytes as those that a live reader gets.
 */
public final class HistoryReader {
  private static final int FRAME_BYTES = 1 << 20;

  private final StateAt states;
  private final StepFrames frames;

  /** What was shown last. */
  private HistoryPoint shown;

  /**
   * @param hasValues whether effects have the values of tasks and docs
   */
  public HistoryReader(StateAt states, boolean hasValues) {
    this(states, hasValues, FRAME_BYTES);
  }

  HistoryReader(StateAt states, boolean hasValues, int frameBytes) {
    this.states = states;
    this.frames = new StepFrames(hasValues, frameBytes);
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
    shown = after;
    while (true) {
      try (StateMachine machine = states.replay(shown, until, new Showing(consumer))) {
        consumer.onMark(machine.sequence(), machine.logTimeMs());
        return;
      } catch (StepCutOffException e) {
        frames.enlarge();
      }
    }
  }

  private final class Showing implements StateAt.StepListener {
    private final EffectConsumer consumer;
    private boolean isTold;

    Showing(EffectConsumer consumer) {
      this.consumer = consumer;
    }

    @Override
    public void before(StateMachine machine, long sequence, long logTimeMs) {
      if (!isTold && !shown.includes(sequence, logTimeMs)) {
        machine.tellEffects(frames);
        isTold = true;
      }
    }

    @Override
    public void after(StateMachine machine) {
      if (!isTold) {
        return;
      }
      if (!frames.isEmpty()) {
        if (frames.isCutOff()) {
          throw new StepCutOffException();
        }
        StepFrame frame = frames.frame();
        while (frame.next()) {
          consumer.onEffect(frame.effect());
        }
      }
      shown = HistoryPoint.at(machine.sequence());
    }
  }

  /** A step did not fit into its frame. */
  private static final class StepCutOffException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    StepCutOffException() {
      super("step cut off", null, false, false);
    }
  }
}

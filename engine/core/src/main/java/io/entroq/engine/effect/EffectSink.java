package io.entroq.engine.effect;

import io.entroq.codec.effect.EffectFlags;
import io.entroq.codec.effect.EffectKinds;
import io.entroq.engine.doc.DocView;
import io.entroq.engine.task.Bytes;
import io.entroq.engine.task.TaskView;
import org.agrona.DirectBuffer;

/**
 * Receives the effects of steps, on the applying thread. The position of an effect is its sequence
 * and its index: it is the same on every member and in every replay. Arguments are valid only
 * during the callback.
 */
public interface EffectSink {

  /** Shows tasks by their slots; a view is valid until the next. */
  @FunctionalInterface
  interface TaskViewer {
    TaskView view(int task);
  }

  /**
   * A step begins; it may have no effects.
   *
   * @param byHigh upper half of the claimant that asked for it; both halves are 0 if nobody did, as
   *     when time goes by or callers are gone
   * @param byText the text of that claimant
   * @param length 0 if the key determines the claimant
   */
  default void onStep(
      long sequence,
      long logTimeMs,
      long byHigh,
      long byLow,
      DirectBuffer byText,
      int offset,
      int length) {}

  /** The step has no more effects. */
  default void onStepEnd(long sequence) {}

  /**
   * A task as the effect leaves it.
   *
   * @param sequence the sequence of the step
   * @param index counts the effects of the step, from 0
   * @param kind one of {@link EffectKinds}
   * @param flags of {@link EffectFlags}, without {@link EffectFlags#IN_FLIGHT}, which the task
   *     tells
   * @param viewer shows the task by its slot
   * @param formerQueue the name of the queue from which it has moved; empty if it has not
   */
  void onTask(
      long sequence,
      int index,
      int kind,
      int flags,
      TaskViewer viewer,
      int slot,
      Bytes formerQueue);

  /**
   * A doc or a doc set.
   *
   * @param sequence the sequence of the step
   * @param index counts the effects of the step, from 0
   * @param kind one of {@link EffectKinds}
   * @param flags of {@link EffectFlags}
   */
  void onDoc(long sequence, int index, int kind, int flags, DocView doc);

  /**
   * A policy.
   *
   * @param sequence the sequence of the step
   * @param index counts the effects of the step, from 0
   * @param kind one of {@link EffectKinds}
   * @param flags of {@link EffectFlags}
   * @param policy the encoded Policy: its kind, its name and its rules
   * @param version its version; of one that is removed, 0
   * @param pausedUntilMs until when it is paused, in milliseconds since the epoch; 0: it is not
   */
  default void onPolicy(
      long sequence,
      int index,
      int kind,
      int flags,
      Bytes policy,
      int version,
      long pausedUntilMs) {}

  /**
   * A queue.
   *
   * @param sequence the sequence of the step
   * @param index counts the effects of the step, from 0
   * @param kind one of {@link EffectKinds}
   * @param flags of {@link EffectFlags}
   * @param untilMs until when it is paused, in milliseconds since the epoch, unless its policy or
   *     the queue itself is gone before
   */
  default void onQueue(long sequence, int index, int kind, int flags, Bytes name, long untilMs) {}
}

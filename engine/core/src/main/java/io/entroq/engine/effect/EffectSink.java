package io.entroq.engine.effect;

import io.entroq.engine.doc.DocView;
import io.entroq.engine.task.TaskView;
import org.agrona.DirectBuffer;

/**
 * Receives the effects of steps, on the applying thread. The position of an effect is its sequence
 * and its index: it is the same on every member and in every replay. Arguments are valid only
 * during the callback.
 */
public interface EffectSink {

  /**
   * A task as the effect leaves it.
   *
   * @param sequence the sequence of the step
   * @param index counts the effects of the step, from 0
   * @param kind one of {@link EffectKinds}
   * @param insertSequence tells successive tasks with the same id apart
   */
  void onTask(long sequence, int index, int kind, TaskView task, long insertSequence);

  /**
   * A doc or a doc set.
   *
   * @param sequence the sequence of the step
   * @param index counts the effects of the step, from 0
   * @param kind one of {@link EffectKinds}
   */
  void onDoc(long sequence, int index, int kind, DocView doc);

  /**
   * A policy.
   *
   * @param sequence the sequence of the step
   * @param index counts the effects of the step, from 0
   * @param kind one of {@link EffectKinds}
   * @param buffer has the encoded Policy: its kind, its name and its rules
   * @param version its version; of one that is removed, 0
   * @param pausedUntilMs until when it is paused, in milliseconds since the epoch; 0: it is not
   */
  default void onPolicy(
      long sequence,
      int index,
      int kind,
      DirectBuffer buffer,
      int offset,
      int length,
      int version,
      long pausedUntilMs) {}
}

package io.entroq.engine.effect;

/**
 * Receives the ids of the tasks that steps have effects on, on the applying thread, when nothing
 * else of the effects is wanted.
 */
public interface EffectIds {
  /**
   * Whether a step must tell of a task; if not, it was told before.
   *
   * @param insertSequence the step that has inserted the task
   * @param sequence the step
   */
  boolean wants(long insertSequence, long sequence);

  /**
   * The step has an effect on a task.
   *
   * @param high upper half of the key of its id
   * @param low lower half
   */
  void onTask(long high, long low);

  /** The step has no more effects. */
  void onStepEnd(long sequence);
}

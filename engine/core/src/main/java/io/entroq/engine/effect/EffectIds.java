package io.entroq.engine.effect;

/**
 * Receives the ids of the tasks that steps have effects on, on the applying thread, when nothing
 * else of the effects is wanted.
 */
public interface EffectIds {
  /**
   * A step: the ids of tasks that were inserted after it, and before the present one, were told
   * then and need not be told again.
   */
  long toldAfter();

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

package io.entroq.engine.gateway;

import io.entroq.codec.effect.EffectReader;

/** Receives effects that pass a filter. Arguments are valid only during the call. */
public interface EffectConsumer {
  /** One effect; its step has its sequence, log time and requester. */
  void onEffect(EffectReader effect);

  /**
   * All effects up to the end of a step have been shown, as far as they pass the filter. Follows
   * the effects of each poll, and comes once a second without effects.
   */
  void onMark(long sequence, long logTimeMs);

  /**
   * The state with which a reader begins has been shown completely: the effects until then stand
   * for what there is after this step, and not for what happened.
   */
  default void onSnapshotEnd(long sequence, long logTimeMs) {}
}

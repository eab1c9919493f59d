package io.entroq.engine.gateway;

import io.entroq.api.EntroQException;
import io.entroq.codec.result.ResultDecoder;

/**
 * Hears what has become of a request, once. Called on a thread on which others are told of theirs,
 * the engine's or one that was lent to it, so it must not block, and must not throw.
 */
public interface Completion {
  /**
   * There is an answer, as durable as the engine promises. Its code may also be one of refusal.
   *
   * @param result to be read before this returns, unless it is a page of a {@link Listing}
   */
  void onResult(ResultDecoder result);

  /**
   * There is none: {@link EntroQException.OutcomeUnknown} for a write of which nobody knows whether
   * it was done; else it was not, for want of room, or because the engine ends or cannot read it.
   */
  void onFailure(EntroQException failure);
}

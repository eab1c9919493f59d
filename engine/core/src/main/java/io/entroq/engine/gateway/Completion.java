package io.entroq.engine.gateway;

import io.entroq.api.EntroQException;
import io.entroq.codec.result.ResultDecoder;

/**
 * Receives the outcome of a request, once. Called on an engine thread or a borrowed one that has
 * other requests to complete, so it must neither block nor throw.
 */
public interface Completion {
  /**
   * There is a result, as durable as the engine promises. Its code may be a refusal.
   *
   * @param result valid until this returns, unless it is a page of a {@link Listing}
   */
  void onResult(ResultDecoder result);

  /**
   * There is no result. {@link EntroQException.OutcomeUnknown} means that a write may have been
   * done; otherwise it was not, for lack of room, or because the engine closes or cannot read it.
   */
  void onFailure(EntroQException failure);
}

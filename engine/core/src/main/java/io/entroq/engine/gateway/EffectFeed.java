package io.entroq.engine.gateway;

/**
 * Shows what the steps of an engine do, live and from its kept history. Any thread; nothing blocks.
 */
public interface EffectFeed {
  /**
   * Opens a reader. A request that cannot be served ends the reader with the reason.
   *
   * @throws io.entroq.api.EntroQException.ResourceExhausted if there are too many readers
   * @throws io.entroq.codec.wire.InvalidIdException if an id of a task cannot be one
   */
  FeedReader open(FeedRequest request);

  /** What can be read at present. */
  FeedRange kept();
}

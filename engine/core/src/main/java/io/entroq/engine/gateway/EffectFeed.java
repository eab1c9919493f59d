package io.entroq.engine.gateway;

/**
 * Shows what the steps of an engine do, live and from its kept history. Any thread; nothing blocks,
 * except that {@link #kept} and {@link #stats} may read from the disk.
 *
 * <p>An engine in memory has no history: a reader of it begins now, or after a position that is
 * still in its memory; else it ends with {@link FeedEnd.Reason#OUT_OF_RANGE}, also a {@link
 * FeedRequest.Start.Snapshot}.
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

  /** Statistics. */
  FeedStats stats();
}

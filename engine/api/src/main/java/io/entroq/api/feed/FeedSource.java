package io.entroq.api.feed;

/**
 * Implemented by queues that have a feed: an {@linkplain io.entroq.api.EntroQ#extension extension}.
 */
public interface FeedSource {
  /**
   * Opens a feed. Does not block; if it is refused, the cursor says so. Any thread.
   *
   * @throws io.entroq.api.EntroQException if the queue is closed, or the query can never succeed
   */
  FeedCursor openFeed(FeedQuery query);

  /**
   * What a feed can show at present. May read from the disk, or ask a server.
   *
   * @throws io.entroq.api.EntroQException if that fails, or the queue is closed
   */
  FeedRange feedRange();
}

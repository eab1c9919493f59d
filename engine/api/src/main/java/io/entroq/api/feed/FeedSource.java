package io.entroq.api.feed;

/**
 * Implemented by queues that have a feed: an {@linkplain io.entroq.api.EntroQ#extension extension}.
 */
@FunctionalInterface
public interface FeedSource {
  /**
   * Opens a feed. Does not block; if it is refused, the cursor says so. Any thread.
   *
   * @throws io.entroq.api.EntroQException if the queue is closed, or the query can never succeed
   */
  FeedCursor openFeed(FeedQuery query);
}

package io.entroq.api.feed;

import io.entroq.api.EntroQ;
import io.entroq.api.EntroQException;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow;
import java.util.concurrent.ForkJoinPool;

/**
 * The feed of a queue: each effect after a start, once, in order, as soon as it is as durable as a
 * reply promises.
 *
 * <pre>{@code
 * FeedQuery query = FeedQuery.after(FeedPosition.of(kept)).queues("inbox").build();
 * try (FeedIterator feed = Feed.of(queue).iterator(query)) {
 *   for (Optional<Effect> next = feed.next(); next.isPresent(); next = feed.next()) {
 *     handle(next.get());
 *     keep(feed.position());
 *   }
 * }
 * }</pre>
 *
 * <p>A feed from a server or a cluster resumes by itself, without a gap or a repetition, when it
 * has lost its connection. It fails with {@link EntroQException.OutOfRange} if what follows is no
 * longer kept; with {@link EntroQException.InvalidArgument} if the query is invalid, or its
 * position is of another log; with {@link EntroQException.PermissionDenied}; with {@link
 * EntroQException.ResourceExhausted} if it cannot begin now; with {@link
 * EntroQException.Unavailable} if the server cannot read its history, or the state with which it
 * began was interrupted: then begin anew; and with {@link EntroQException.Closed} if the queue was
 * closed. Thread-safe.
 */
public final class Feed {
  private final FeedSource source;

  private Feed(FeedSource source) {
    this.source = source;
  }

  /**
   * The feed of a queue.
   *
   * @throws EntroQException.InvalidArgument if it has none
   */
  public static Feed of(EntroQ queue) {
    return new Feed(
        queue
            .extension(FeedSource.class)
            .orElseThrow(() -> new EntroQException.InvalidArgument("this queue has no feed")));
  }

  /**
   * What it can show at present. May read from the disk, or ask a server.
   *
   * @throws EntroQException if that fails, or the queue is closed
   */
  public FeedRange range() {
    return source.feedRange();
  }

  /** Reads it on threads that may wait. */
  public FeedIterator iterator(FeedQuery query) {
    return new FeedIterator(source.openFeed(query));
  }

  /** Publishes it on the common pool, as {@link #publisher(FeedQuery, Executor)} does. */
  public Flow.Publisher<Effect> publisher(FeedQuery query) {
    return publisher(query, ForkJoinPool.commonPool());
  }

  /**
   * Publishes it to any number of subscribers. Each has a feed of its own, which ends when it
   * cancels. To resume later, a subscriber keeps the position of the last effect.
   *
   * @param executor calls the subscribers, each one by one thread at a time
   */
  public Flow.Publisher<Effect> publisher(FeedQuery query, Executor executor) {
    return new FeedPublisher(source, query, executor);
  }
}

package io.entroq.server.cli.history;

import io.entroq.api.EntroQ;
import io.entroq.api.EntroQException;
import io.entroq.api.feed.Effect;
import io.entroq.api.feed.Feed;
import io.entroq.api.feed.FeedIterator;
import io.entroq.api.feed.FeedQuery;
import io.entroq.api.feed.FeedRange;
import io.entroq.tools.terminal.Interruption;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/** Reads what the feed of a server has kept. */
final class ServerPast {
  /** How often it looks whether the process should end. */
  private static final Duration LOOK = Duration.ofMillis(100);

  /** It gives up if the server has not gone on for so long. */
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final Feed feed;
  private final Interruption interruption;

  ServerPast(EntroQ queue, Interruption interruption) {
    feed = Feed.of(queue);
    this.interruption = interruption;
  }

  FeedRange range() {
    return feed.range();
  }

  /**
   * Shows all effects of a query that ends.
   *
   * @return whether all were shown; else the process should end, or the thread was interrupted
   * @throws EntroQException if the feed has failed, or has not gone on for too long
   */
  boolean read(FeedQuery query, Consumer<Effect> effects) {
    try (FeedIterator iterator = feed.iterator(query)) {
      long stuckNs = 0;
      while (!interruption.isRequested() && !iterator.isEnded()) {
        Optional<Effect> next = iterator.next(LOOK);
        next.ifPresent(effects);
        Optional<EntroQException> problem = iterator.problem();
        stuckNs = problem.isEmpty() || stuckNs == 0 ? System.nanoTime() : stuckNs;
        if (problem.isPresent() && System.nanoTime() - stuckNs > PATIENCE.toNanos()) {
          throw problem.get();
        }
      }
      return iterator.isEnded();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}

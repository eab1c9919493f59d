package io.entroq.engine.replica;

import io.entroq.api.feed.FeedCursor;
import io.entroq.api.feed.FeedQuery;
import io.entroq.api.feed.FeedRange;
import io.entroq.api.feed.FeedSource;
import io.entroq.engine.call.LevelRequest;
import io.entroq.engine.embedded.EmbeddedConfig;
import io.entroq.engine.gateway.EffectFeed;
import io.entroq.engine.local.Entrance;
import io.entroq.engine.local.LocalEntroQ;
import io.entroq.engine.local.LocalFeedCursor;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;

/**
 * The API over a replica in this process. A write is visible here when it returns, and on the other
 * replicas soon after.
 *
 * <p>While too few replicas reach each other to agree, writes wait and reads fail with {@link
 * io.entroq.api.EntroQException.Unavailable}.
 *
 * <p>It closes with its {@link ReplicatedEngine}; closing it does not close the engine.
 */
public final class ReplicatedEntroQ extends LocalEntroQ implements FeedSource {
  private final EffectFeed feed;

  ReplicatedEntroQ(
      EmbeddedConfig config, Entrance entrance, EffectFeed feed, RandomGenerator random) {
    super(config.callerBounds(), entrance, random);
    this.feed = feed;
  }

  /** {@inheritDoc} It shows what this replica has applied. */
  @Override
  public FeedCursor openFeed(FeedQuery query) {
    return LocalFeedCursor.open(feed, gateway()::logId, query);
  }

  @Override
  public FeedRange feedRange() {
    return LocalFeedCursor.range(feed);
  }

  CompletableFuture<Integer> raiseLevel(LevelRequest request) {
    return callAsync(request);
  }

  @Override
  public void close() {
    // The engine may have other users; the host of the replica closes it.
  }
}

package io.entroq.sinks;

import io.entroq.api.feed.FeedPosition;
import io.entroq.api.feed.FeedQuery;
import java.util.Optional;

/**
 * Where a {@link SinkRunner} puts effects. It keeps the position in the same transaction as the
 * effects, or so that it finds it out from them; then each effect is there once, whenever the
 * process dies. For one thread.
 *
 * <p>Methods throw {@link SinkException}. After a temporary one, the runner opens the sink again.
 */
public interface FeedSink extends AutoCloseable {
  /**
   * Begins, also after a failure. Forgets what was applied and is not kept.
   *
   * @param query what is copied; its start matters only if no position is kept
   * @return the position behind what is kept; empty if nothing is
   */
  Optional<FeedPosition> open(FeedQuery query);

  /**
   * What follows without a position is the whole state, and replaces what is kept of an earlier
   * one. Called between {@link #open} and the first batch.
   */
  void beginState();

  /** Adds a batch. When it has a position, everything up to there is kept on return. */
  void apply(SinkBatch batch);

  /** Whether it keeps only what is now, so that beginning with the state again loses nothing. */
  boolean canBeginAgain();

  /** Releases what it holds; what has no position yet is not kept. */
  @Override
  void close();
}

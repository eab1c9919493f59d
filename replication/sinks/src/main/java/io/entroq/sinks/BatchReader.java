package io.entroq.sinks;

import io.entroq.api.Doc;
import io.entroq.api.Task;
import io.entroq.api.Value;
import io.entroq.api.feed.Effect;
import io.entroq.api.feed.FeedIterator;
import io.entroq.api.feed.FeedPosition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Reads a feed in batches of whole steps: as many as there are, up to a bound, so that batches are
 * small while little happens and large when there is much to catch up. For one thread.
 */
final class BatchReader {
  /** A batch gets no further step when it has this many effects. */
  static final int EFFECTS_MAX = 2_000;

  /** A batch gets no further step when its values have this many bytes. */
  static final long VALUE_BYTES_MAX = 8 << 20;

  /** How often a position is kept while no effect passes the filters. */
  static final Duration POSITION_INTERVAL = Duration.ofSeconds(10);

  private static final Duration LOOK = Duration.ofMillis(100);

  private final FeedIterator feed;
  private final Duration positionInterval;

  /** The first effect of the next batch; null if it is not read yet. */
  private Effect first;

  private Optional<FeedPosition> told = Optional.empty();
  private long toldNs = System.nanoTime();

  BatchReader(FeedIterator feed, Duration positionInterval) {
    this.feed = feed;
    this.positionInterval = positionInterval;
  }

  /**
   * Waits for the next batch.
   *
   * @return empty at the end of the feed
   */
  Optional<SinkBatch> next() throws InterruptedException {
    List<Effect> effects = new ArrayList<>();
    long valueBytes = 0;
    if (first != null) {
      effects.add(first);
      valueBytes = valueBytes(first);
      first = null;
    }
    while (true) {
      Optional<Effect> next = feed.next(Duration.ZERO);
      if (next.isEmpty() && !isWhole(effects)) {
        next = feed.next(LOOK);
      }
      if (next.isPresent()) {
        boolean isFull = effects.size() >= EFFECTS_MAX || valueBytes >= VALUE_BYTES_MAX;
        if (isFull && !isOneStep(last(effects), next.get())) {
          first = next.get();
          return batch(effects, behind(last(effects)));
        }
        effects.add(next.get());
        valueBytes += valueBytes(next.get());
      } else if (isWhole(effects) || (effects.isEmpty() && isPositionDue())) {
        return batch(effects, feed.position());
      } else if (feed.isEnded()) {
        // A step that is not whole is read again by the next run.
        return Optional.empty();
      }
    }
  }

  private Optional<SinkBatch> batch(List<Effect> effects, Optional<FeedPosition> position) {
    told = position;
    toldNs = System.nanoTime();
    return Optional.of(new SinkBatch(effects, position));
  }

  /** Whether there are effects, and all of the last step. */
  private boolean isWhole(List<Effect> effects) {
    return !effects.isEmpty()
        && (last(effects).position().isEmpty()
            || feed.position().map(at -> at.index() == FeedPosition.WHOLE_STEP).orElse(false));
  }

  /** The first one completes a state without effects behind it, so it is due at once. */
  private boolean isPositionDue() {
    Optional<FeedPosition> position = feed.position();
    boolean isLate = System.nanoTime() - toldNs >= positionInterval.toNanos();
    return !position.equals(told)
        && position.isPresent()
        && (told.isEmpty() || isLate || feed.isEnded());
  }

  private static Effect last(List<Effect> effects) {
    return effects.get(effects.size() - 1);
  }

  private static boolean isOneStep(Effect one, Effect next) {
    return one.position().isPresent()
        && next.position().isPresent()
        && one.position().get().sequence() == next.position().get().sequence();
  }

  private static Optional<FeedPosition> behind(Effect last) {
    return last.position()
        .map(at -> new FeedPosition(at.sequence(), FeedPosition.WHOLE_STEP, at.log(), at.timeMs()));
  }

  private static long valueBytes(Effect effect) {
    return effect.task().map(Task::value).or(() -> effect.doc().map(Doc::value)).stream()
        .mapToLong(Value::size)
        .sum();
  }
}

package io.entroq.sinks;

import io.entroq.api.feed.Effect;
import io.entroq.api.feed.FeedPosition;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Effects of whole steps, in order. Immutable.
 *
 * @param effects may be empty if only the position has advanced; those without a position are part
 *     of the state with which the feed begins
 * @param position behind all of them; empty within that state, which the first batch with a
 *     position completes
 */
public record SinkBatch(List<Effect> effects, Optional<FeedPosition> position) {
  public SinkBatch {
    effects = List.copyOf(effects);
    Objects.requireNonNull(position, "position");
  }

  /** Whether the last effect has a position, so that none needs to be written behind it. */
  boolean endsWithPosition() {
    return !effects.isEmpty() && effects.get(effects.size() - 1).position().isPresent();
  }
}

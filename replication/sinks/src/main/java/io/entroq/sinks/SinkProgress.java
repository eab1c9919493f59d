package io.entroq.sinks;

import io.entroq.api.feed.FeedPosition;
import java.time.Instant;
import java.util.Optional;

/**
 * What a {@link SinkRunner} has done. Immutable.
 *
 * @param effects how many it has copied
 * @param batches in how many batches, including those with a position alone
 * @param position behind what is kept; empty if that is nothing
 * @param time of the last effect copied; empty if there was none
 * @param problem why nothing is copied at present; empty if all is well
 */
public record SinkProgress(
    long effects,
    long batches,
    Optional<FeedPosition> position,
    Optional<Instant> time,
    Optional<String> problem) {
  static final SinkProgress NONE =
      new SinkProgress(0, 0, Optional.empty(), Optional.empty(), Optional.empty());

  SinkProgress at(Optional<FeedPosition> kept) {
    return new SinkProgress(effects, batches, kept, time, problem);
  }

  SinkProgress with(SinkBatch batch) {
    int count = batch.effects().size();
    return new SinkProgress(
        effects + count,
        batches + 1,
        batch.position().or(() -> position),
        count == 0 ? time : Optional.of(batch.effects().get(count - 1).time()),
        Optional.empty());
  }

  SinkProgress failing(Optional<String> why) {
    return new SinkProgress(effects, batches, position, time, why);
  }
}

package io.entroq.service.insight.sweep;

import io.entroq.codec.result.QueueStatsDecoder;
import java.util.function.ToLongFunction;

/** A figure of a queue. */
public enum SweepColumn {
  TASKS(QueueStatsDecoder::tasks),
  READY(QueueStatsDecoder::available),
  IN_FLIGHT(QueueStatsDecoder::inFlight),
  /** Claimed before, neither available nor being worked on. */
  RESTING(queue -> Math.max(0, queue.claimed() - queue.inFlight())),
  FUTURE(QueueStatsDecoder::future),
  OLDEST_AGE_MS(QueueStatsDecoder::oldestAgeMs),
  MAX_CLAIMS(QueueStatsDecoder::maxClaims),
  PAUSED_UNTIL_MS(QueueStatsDecoder::pausedUntilMs),
  NEXT_START_MS(QueueStatsDecoder::nextStartMs),
  CLAIMABLE(QueueStatsDecoder::claimable),
  BYTES(QueueStatsDecoder::bytes);

  @SuppressWarnings("ImmutableEnumChecker") // a method is immutable
  private final ToLongFunction<QueueStatsDecoder> value;

  SweepColumn(ToLongFunction<QueueStatsDecoder> value) {
    this.value = value;
  }

  long of(QueueStatsDecoder queue) {
    return value.applyAsLong(queue);
  }
}

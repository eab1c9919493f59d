package io.entroq.engine.time;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A clock that moves only when it is advanced. Thread-safe.
 *
 * <p>Advancing it does not wake the engine. {@code TestEntroQ.advance} does, and waits until
 * everything due has happened.
 */
public final class ManualClock implements LogClock {
  private final AtomicLong timeMs;

  /** Starts at a time, truncated to milliseconds. */
  public ManualClock(Instant start) {
    timeMs = new AtomicLong(start.toEpochMilli());
  }

  public void advance(Duration duration) {
    if (duration.isNegative()) {
      throw new IllegalArgumentException("cannot move the clock back by " + duration);
    }
    timeMs.addAndGet(duration.toMillis());
  }

  public Instant now() {
    return Instant.ofEpochMilli(timeMs.get());
  }

  @Override
  public long wallMs() {
    return timeMs.get();
  }

  @Override
  public void start(long floorMs) {
    timeMs.accumulateAndGet(floorMs, Math::max);
  }

  @Override
  public long nowMs() {
    return timeMs.get();
  }

  @Override
  public long estimateMs() {
    return timeMs.get();
  }

  @Override
  public long nanosUntil(long deadlineMs) {
    return deadlineMs <= timeMs.get() ? 0 : Long.MAX_VALUE;
  }
}

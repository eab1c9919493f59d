package io.entroq.engine.time;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A clock that moves only when told to. Thread-safe.
 *
 * <p>Moving it does not wake the engine that reads it: an engine made for tests has a method of its
 * own for that, which also waits until everything due has happened.
 */
public final class ManualClock implements LogClock {
  private final AtomicLong timeMs;

  /** A clock at the given time, to the millisecond. */
  public ManualClock(Instant start) {
    timeMs = new AtomicLong(start.toEpochMilli());
  }

  /** Moves the clock on. */
  public void advance(Duration duration) {
    if (duration.isNegative()) {
      throw new IllegalArgumentException("a clock does not go back: " + duration);
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

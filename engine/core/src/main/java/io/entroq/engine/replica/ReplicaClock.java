package io.entroq.engine.replica;

import io.entroq.engine.time.LogClock;
import java.util.function.LongSupplier;

/**
 * Log time as the ordered commands carry it. Between commands it is estimated by the wall clock,
 * but never below log time; so the wall clock must agree with the orderer's.
 */
final class ReplicaClock implements LogClock {
  private final LongSupplier wallMs;
  private long commandMs;
  private volatile long highestMs;

  /**
   * @param wallMs milliseconds since the epoch; any thread
   */
  ReplicaClock(LongSupplier wallMs) {
    this.wallMs = wallMs;
  }

  @Override
  public long wallMs() {
    return wallMs.getAsLong();
  }

  @Override
  public void start(long floorMs) {
    commandMs = floorMs;
    highestMs = floorMs;
  }

  /**
   * Sets the time of the next command, which may be before that of the last one. Applying thread.
   */
  void setTime(long timeMs) {
    commandMs = timeMs;
    if (timeMs > highestMs) {
      highestMs = timeMs;
    }
  }

  /**
   * The time of the last command and nothing else: log time must follow from the state alone, or a
   * restored replica would diverge from one that has seen everything.
   */
  @Override
  public long nowMs() {
    return commandMs;
  }

  @Override
  public long estimateMs() {
    return Math.max(wallMs(), highestMs);
  }

  @Override
  public long nanosUntil(long deadlineMs) {
    return Long.MAX_VALUE;
  }
}

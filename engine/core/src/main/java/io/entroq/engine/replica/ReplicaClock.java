package io.entroq.engine.replica;

import io.entroq.engine.time.LogClock;
import java.util.function.LongSupplier;

/**
 * Log time as somebody else tells it, with each command. What is read off it in between is the wall
 * clock's, which has to agree with that of whoever tells log time; never below log time.
 */
final class ReplicaClock implements LogClock {
  private final LongSupplier wallMs;
  private long toldMs;
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
    toldMs = floorMs;
    highestMs = floorMs;
  }

  /**
   * What the next command says of the time, which may be less than the one before has said.
   * Applying thread.
   */
  void tell(long timeMs) {
    toldMs = timeMs;
    if (timeMs > highestMs) {
      highestMs = timeMs;
    }
  }

  /**
   * What was told last, and nothing else: the state alone says how far log time has come, or a copy
   * that was restored would go another way than one that has seen it all.
   */
  @Override
  public long nowMs() {
    return toldMs;
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

package io.entroq.engine.time;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Log time that passes with the monotonic clock and is drawn towards the wall clock by at most a
 * tenth of the time that passes.
 *
 * <p>So a wall clock that jumps, forward or back, neither ends leases at once nor freezes them: log
 * time runs at 90 to 110 % of real time until both agree again.
 *
 * <p>The monotonic clock stands still while the machine is suspended, and the wall clock is ahead
 * afterwards. If the system's uptime has gone on by as much, that time has really passed for
 * everybody else, and log time skips it at once.
 */
public final class SlewedClock implements LogClock {
  private static final long NS_PER_MS = TimeUnit.MILLISECONDS.toNanos(1);

  /** Log time runs faster or slower than real time by at most one part in this many. */
  private static final long SLEW_PARTS = 10;

  /** How often the wall clock is read. */
  private static final long SAMPLE_NS = 10 * NS_PER_MS;

  private static final long DEVIATION_NS = 1_000 * NS_PER_MS;

  /** A deviation ends only below this, so that one near a second is reported once. */
  private static final long DEVIATION_OVER_NS = 900 * NS_PER_MS;

  /** The latest time in nanoseconds that a long holds: in the year 2262. */
  private static final long TIME_MS_MAX = Long.MAX_VALUE / NS_PER_MS - 1_000;

  private final LongSupplier nanoTime;
  private final LongSupplier wallMs;
  private final LongSupplier uptimeNs;
  private final ClockListener listener;

  private long lastNano;
  private long timeNs;
  private long sampledNano;
  private long toSlewNs;
  private boolean isDeviating;

  /** How far the wall clock was ahead when the uptime was last read. */
  private long checkedAheadNs;

  /** Uptime minus monotonic time, without suspensions that log time has not skipped yet. */
  private long uptimeOffsetNs;

  private boolean isUptimeKnown;

  /** Log time minus monotonic time, for {@link #estimateMs}. */
  private volatile long estimateOffsetNs;

  private volatile long deviations;
  private volatile long wallAheadMs;

  /** Reads the system's clocks. */
  public SlewedClock(ClockListener listener) {
    this(System::nanoTime, System::currentTimeMillis, SystemUptime::readNs, listener);
  }

  /** As below, on a machine that is never suspended. */
  public SlewedClock(LongSupplier nanoTime, LongSupplier wallMs, ClockListener listener) {
    this(nanoTime, wallMs, () -> SystemUptime.UNKNOWN, listener);
  }

  /**
   * Reads the given clocks.
   *
   * @param nanoTime monotonic, in nanoseconds from any origin; called from any thread
   * @param wallMs milliseconds since the epoch, truncated; called from any thread
   * @param uptimeNs passes like {@code nanoTime}, and also while the machine is suspended; -1 if
   *     unknown. Called on the applying thread when the clock starts and when the wall clock jumps
   *     ahead
   * @param listener called when the difference grows above a second
   */
  SlewedClock(
      LongSupplier nanoTime, LongSupplier wallMs, LongSupplier uptimeNs, ClockListener listener) {
    this.nanoTime = nanoTime;
    this.wallMs = wallMs;
    this.uptimeNs = uptimeNs;
    this.listener = listener;
    start(Long.MIN_VALUE);
  }

  @Override
  public long wallMs() {
    return Math.max(0, Math.min(TIME_MS_MAX, wallMs.getAsLong()));
  }

  @Override
  public void start(long floorMs) {
    lastNano = nanoTime.getAsLong();
    timeNs = Math.max(wallMs(), Math.min(TIME_MS_MAX, floorMs)) * NS_PER_MS;
    long uptime = uptimeNs.getAsLong();
    isUptimeKnown = uptime != SystemUptime.UNKNOWN;
    uptimeOffsetNs = uptime - lastNano;
    checkedAheadNs = 0;
    sample();
  }

  @Override
  public long nowMs() {
    long nano = nanoTime.getAsLong();
    long elapsed = Math.max(0, nano - lastNano);
    lastNano = nano;
    long most = elapsed / SLEW_PARTS;
    long slew = Math.max(-most, Math.min(most, toSlewNs));
    toSlewNs -= slew;
    timeNs += elapsed + slew;
    if (nano - sampledNano >= SAMPLE_NS) {
      sample();
    }
    return timeNs / NS_PER_MS;
  }

  @Override
  public long estimateMs() {
    return (nanoTime.getAsLong() + estimateOffsetNs) / NS_PER_MS;
  }

  @Override
  public long nanosUntil(long deadlineMs) {
    if (deadlineMs >= TIME_MS_MAX) {
      return TIME_MS_MAX * NS_PER_MS - timeNs;
    }
    return Math.max(0, deadlineMs * NS_PER_MS - timeNs);
  }

  @Override
  public long deviations() {
    return deviations;
  }

  /** Wall clock minus log clock when last compared, in milliseconds; 0 within a millisecond. */
  public long wallAheadMs() {
    return wallAheadMs;
  }

  /** Compares log time with the wall clock and starts to slew the difference away. */
  private void sample() {
    sampledNano = lastNano;
    long wallNs = wallMs() * NS_PER_MS;
    // The wall clock is truncated to milliseconds: any time within its millisecond matches.
    long ahead = wallNs > timeNs ? wallNs - timeNs : Math.min(0, wallNs + NS_PER_MS - timeNs);
    if (ahead - checkedAheadNs > DEVIATION_NS) {
      ahead -= skipSuspension(ahead);
      checkedAheadNs = ahead;
    } else {
      checkedAheadNs = Math.max(0, Math.min(checkedAheadNs, ahead));
    }
    toSlewNs = ahead;
    estimateOffsetNs = timeNs - lastNano;
    wallAheadMs = ahead / NS_PER_MS;
    noteDeviation(Math.abs(ahead), ahead / NS_PER_MS);
  }

  /** Skips the time for which the machine was suspended, but no more than {@code ahead}. */
  private long skipSuspension(long ahead) {
    long uptime = isUptimeKnown ? uptimeNs.getAsLong() : SystemUptime.UNKNOWN;
    if (uptime == SystemUptime.UNKNOWN) {
      return 0;
    }
    long skipped = Math.min(ahead, uptime - lastNano - uptimeOffsetNs);
    if (skipped <= DEVIATION_NS) {
      return 0;
    }
    uptimeOffsetNs += skipped;
    timeNs += skipped;
    listener.onSuspension(skipped / NS_PER_MS);
    return skipped;
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes
  private void noteDeviation(long differenceNs, long aheadMs) {
    if (!isDeviating && differenceNs > DEVIATION_NS) {
      isDeviating = true;
      deviations++;
      listener.onDeviation(aheadMs);
    } else if (isDeviating && differenceNs < DEVIATION_OVER_NS) {
      isDeviating = false;
    }
  }
}

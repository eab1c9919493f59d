package io.entroq.cluster.aeron;

import io.aeron.cluster.service.ClusterClock;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The consensus module's two clocks. {@link #time} is log time. {@link #timeNanos} is liveness
 * time, by which the module judges whether another member is silent; it says nothing about the time
 * of day.
 *
 * <p>The module judges the others before it reads what they have sent. So a stall of this member
 * would look like their silence. Therefore liveness time stands still during a duty cycle, which
 * includes every stall. It advances once in each {@link ConsensusCycle}, by at most a quarter of
 * the heartbeat timeout: no member is found silent before several cycles have read nothing from it.
 *
 * <p>A member that stalls is probably on a machine where the others stall as well. So liveness time
 * then runs slower, down to a quarter of real time, for some seconds. The long cycles of an
 * election are no stalls: they wait for files and other threads.
 *
 * <p>A leader that leaves says so, and is then soon found silent.
 *
 * <p>All methods are for the consensus module's thread, except {@link #onLeaderLeaving}.
 */
public final class MemberClock implements ClusterClock {
  /** Far behind log time, so that liveness time never seems to be a later log time. */
  private static final long BEHIND_MS = TimeUnit.HOURS.toMillis(1);

  /** The least number of duty cycles in which a heartbeat timeout passes. */
  private static final int CYCLES_PER_TIMEOUT = 4;

  /** Liveness time runs at least at real time divided by this. */
  private static final int SLOWDOWN_MAX = 4;

  /** How much slower liveness time runs while this member cannot hear anybody. */
  private static final int DEAFNESS_SLOWDOWN = 16;

  /** How much faster liveness time runs once the leader has said that it leaves. */
  private static final int LEAVING_SPEED = 15;

  /** After this time without another one, a stall counts half as much. */
  private static final long STALL_HALF_LIFE_NS = TimeUnit.SECONDS.toNanos(1);

  private final LongSupplier logTimeMs;
  private final LongSupplier nanoTime;
  private final LongSupplier driverNs;
  private final long timeoutNs;
  private long livenessNs;
  private boolean hasStarted;
  private boolean wasSettled;
  private long lastNs;
  private long stallNs;
  private long stallHalvedNs;
  private volatile boolean isLeaderLeaving;
  private volatile long leavingNs;

  /**
   * @param logTimeMs log time while this member leads
   * @param nanoTime a time source like {@link System#nanoTime}
   * @param driverNs when this member's media driver last read its sockets, by the same time source
   * @param heartbeatTimeoutNs after this time without a heartbeat a follower starts an election
   */
  public MemberClock(
      LongSupplier logTimeMs,
      LongSupplier nanoTime,
      LongSupplier driverNs,
      long heartbeatTimeoutNs) {
    this.logTimeMs = logTimeMs;
    this.nanoTime = nanoTime;
    this.driverNs = driverNs;
    timeoutNs = heartbeatTimeoutNs;
    stallHalvedNs = nanoTime.getAsLong();
    livenessNs = TimeUnit.MILLISECONDS.toNanos(logTimeMs.getAsLong() - BEHIND_MS);
  }

  @Override
  public long time() {
    return logTimeMs.getAsLong();
  }

  @Override
  public long timeNanos() {
    return livenessNs;
  }

  /** Liveness time, whatever the argument. The module passes only the current log time. */
  @Override
  public long convertToNanos(long time) {
    return livenessNs;
  }

  /**
   * Lets the leader be found silent soon, unless it is still heard or another one is elected. Holds
   * for a heartbeat timeout. Any thread.
   */
  public void onLeaderLeaving() {
    leavingNs = nanoTime.getAsLong();
    isLeaderLeaving = true;
  }

  /** Whether the leader has said so, and no election has begun since. */
  boolean isLeaderLeaving() {
    return isLeaderLeaving;
  }

  /**
   * Advances liveness time. Called in each {@link ConsensusCycle}.
   *
   * @param isSettled whether the member leads, or follows a leader; false during an election
   */
  void onCycle(boolean isSettled) {
    long nowNs = nanoTime.getAsLong();
    long elapsedNs = hasStarted ? nowNs - lastNs : 0;
    hasStarted = true;
    lastNs = nowNs;
    // The driver's thread may have been here meanwhile.
    long driverAgeNs = Math.max(0, nowNs - driverNs.getAsLong());
    if (isSettled && wasSettled) {
      // The timeout alone allows for short stalls.
      noteStall(elapsedNs + driverAgeNs - timeoutNs / CYCLES_PER_TIMEOUT, nowNs);
    }
    wasSettled = isSettled;
    if (isLeaderLeaving && (!isSettled || nowNs - leavingNs > timeoutNs)) {
      isLeaderLeaving = false;
    }
    livenessNs += advanceNs(elapsedNs, driverAgeNs);
  }

  private long advanceNs(long elapsedNs, long driverAgeNs) {
    long stepNsMax = timeoutNs / CYCLES_PER_TIMEOUT;
    if (driverAgeNs > stepNsMax) {
      // Not zero, because the module also sends its own keepalives by this clock.
      return Math.min(elapsedNs, stepNsMax) / DEAFNESS_SLOWDOWN;
    }
    return (long) Math.min((double) elapsedNs * speed(), (double) stepNsMax);
  }

  private double speed() {
    if (isLeaderLeaving) {
      return LEAVING_SPEED;
    }
    // A stall of the other member's threads may add to one of this member's.
    return (double) timeoutNs / (timeoutNs + 2 * stallNs);
  }

  private void noteStall(long newNs, long nowNs) {
    while (nowNs - stallHalvedNs >= STALL_HALF_LIFE_NS) {
      stallHalvedNs += STALL_HALF_LIFE_NS;
      stallNs /= 2;
    }
    if (newNs >= stallNs) {
      stallNs = Math.min(newNs, timeoutNs * (SLOWDOWN_MAX - 1) / 2);
      stallHalvedNs = nowNs;
    }
  }
}

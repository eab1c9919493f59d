package io.entroq.engine.maintenance;

import io.entroq.engine.fault.FaultHook;
import io.entroq.engine.fault.FaultPoint;
import io.entroq.engine.state.FrozenState;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Writes snapshots and removes obsolete files, and asks at intervals whether a snapshot is due or
 * the disk needs room. The applying thread submits work and reads results; a {@link
 * MaintenanceRunner} decides which thread does the work, one task at a time.
 */
public final class MaintenanceWorker {
  /** Wakes the waiting thread to end it. */
  private static final Work END = new Work(null, 0);

  private static final long CHECK_NS = TimeUnit.SECONDS.toNanos(1);

  private final SnapshotTask work;
  private final long intervalNs;
  private final BooleanSupplier isDiskLow;
  private final Runnable wakeEngine;
  private final LongSupplier nanoTime;
  private final FaultHook faults;
  private final BlockingQueue<Work> submitted = new ArrayBlockingQueue<>(2);
  private long checkedNs;

  private volatile boolean isIntervalOver;
  private volatile boolean isCheckRequested;
  private volatile boolean isUrgent;
  private volatile boolean isWritten;
  private volatile boolean isIdle = true;
  private volatile boolean isEnding;
  private volatile long writtenBytes;
  private boolean isAbandoned;
  private volatile SnapshotStats stats;

  /** A state to write, and how long its freeze paused commands. */
  record Work(FrozenState state, long pauseNs) {}

  /**
   * @param isDiskLow whether disk space is low
   * @param wakeEngine makes the engine's thread call {@link Maintenance#poll} even without commands
   */
  MaintenanceWorker(
      SnapshotTask work,
      Duration interval,
      BooleanSupplier isDiskLow,
      Runnable wakeEngine,
      SnapshotStats stats,
      LongSupplier nanoTime,
      FaultHook faults) {
    this.work = work;
    this.intervalNs = interval.toNanos();
    this.isDiskLow = isDiskLow;
    this.wakeEngine = wakeEngine;
    this.stats = stats;
    this.nanoTime = nanoTime;
    this.faults = faults;
    this.checkedNs = nanoTime.getAsLong();
  }

  /** Whether the interval between snapshots is over. */
  boolean isIntervalOver() {
    return isIntervalOver;
  }

  boolean takeIntervalOver() {
    boolean over = isIntervalOver;
    if (over) {
      isIntervalOver = false;
    }
    return over;
  }

  /** Whether the engine should check if a snapshot is due; every second while it is urgent. */
  boolean isCheckRequested() {
    return isCheckRequested;
  }

  void clearCheckRequest() {
    isCheckRequested = false;
  }

  /** Applying thread: whether to request a check every second even if nothing is logged. */
  void setUrgent(boolean urgent) {
    isUrgent = urgent;
  }

  /** Whether it can take the next snapshot. */
  boolean isIdle() {
    return isIdle;
  }

  /** Applying thread, when idle: submits a state to write. */
  void write(FrozenState state, long pauseNs) {
    isIdle = false;
    isWritten = false;
    writtenBytes = 0;
    submitted.add(new Work(state, pauseNs));
  }

  /** Whether the submitted state is no longer needed. */
  boolean isWritten() {
    return isWritten;
  }

  /** Size of the last written snapshot; 0 if it failed. */
  long writtenBytes() {
    return writtenBytes;
  }

  SnapshotStats stats() {
    return stats;
  }

  /** Whether to abandon the current task. */
  boolean isEnding() {
    return isEnding;
  }

  /** Waits for submitted work; null if none arrives within the time between two checks. */
  Work await() {
    try {
      return submitted.poll(Math.min(intervalNs, CHECK_NS), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      // Interrupts have no meaning here; the caller checks isEnding().
      return END;
    }
  }

  /** Submitted work; null if there is none. */
  Work take() {
    return submitted.poll();
  }

  /**
   * Does the submitted work, or checks the interval.
   *
   * @param next null if there is no work
   */
  void step(Work next) {
    if (next == null) {
      checkInterval();
      countFreed(work.makeRoom());
      return;
    }
    try {
      if (next.state() != null) {
        workAndWake(next);
      }
    } finally {
      checkedNs = nanoTime.getAsLong();
    }
  }

  private void checkInterval() {
    long nowNs = nanoTime.getAsLong();
    if (nowNs - checkedNs >= intervalNs) {
      checkedNs = nowNs;
      isIntervalOver = true;
      wakeEngine.run();
    } else if (isUrgent || isDiskLow.getAsBoolean()) {
      isCheckRequested = true;
      wakeEngine.run();
    }
  }

  private void workAndWake(Work next) {
    try {
      work(next);
    } finally {
      isIdle = true;
      wakeEngine.run();
    }
  }

  private void work(Work next) {
    long startNs = nanoTime.getAsLong();
    try {
      // A snapshot needs room, too.
      countFreed(work.makeRoom());
      write(next);
    } finally {
      removeObsolete(next, startNs);
    }
  }

  private void write(Work next) {
    try {
      isAbandoned = false;
      faults.reached(FaultPoint.BEFORE_SNAPSHOT);
      long bytes = work.write(next.state(), this::isEnding);
      isAbandoned = bytes == SnapshotTask.ABANDONED;
      writtenBytes = Math.max(0, bytes);
    } finally {
      // Even after a failure, so that the engine stops keeping copies for it.
      next.state().release();
      isWritten = true;
      wakeEngine.run();
    }
  }

  private void removeObsolete(Work done, long startNs) {
    long freed = 0;
    try {
      if (writtenBytes > 0 && !isEnding) {
        faults.reached(FaultPoint.AFTER_SNAPSHOT_NAMED);
        freed = work.removeObsolete();
        faults.reached(FaultPoint.AFTER_LOG_REMOVED);
      }
    } finally {
      long tookMs = TimeUnit.NANOSECONDS.toMillis(nanoTime.getAsLong() - startNs);
      stats = count(done, tookMs, freed);
    }
  }

  private void countFreed(long bytes) {
    if (bytes > 0) {
      stats = stats.withLogBytesFreed(stats.logBytesFreed() + bytes);
    }
  }

  private SnapshotStats count(Work done, long tookMs, long freed) {
    SnapshotStats last = stats;
    boolean isGood = writtenBytes > 0;
    return new SnapshotStats(
        last.taken() + (isGood ? 1 : 0),
        last.failed() + (isGood || isAbandoned ? 0 : 1),
        isGood ? done.state().sequence() : last.sequence(),
        isGood ? writtenBytes : last.bytes(),
        done.pauseNs(),
        Math.max(done.pauseNs(), last.pauseMaxNs()),
        tookMs,
        last.logBytesFreed() + freed);
  }

  /** Abandons the current task and starts no other. Any thread. */
  void end() {
    isEnding = true;
    submitted.offer(END);
  }

  /** Releases submitted states that were not started, after the runner has stopped. */
  void clear() {
    for (Work rest = submitted.poll(); rest != null; rest = submitted.poll()) {
      if (rest.state() != null) {
        rest.state().release();
      }
    }
  }
}

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
 * Writes snapshots and removes obsolete files. In between it asks, at intervals, whether a snapshot
 * is due. The applying thread hands over work and reads results; a {@link MaintenanceRunner}
 * decides which thread does the work, one task after the other.
 */
public final class MaintenanceWorker {
  /** Nothing to write; lets whoever waits see that it is to end. */
  private static final Work END = new Work(null, 0);

  private static final long LOOK_NS = TimeUnit.SECONDS.toNanos(1);

  private final SnapshotTask work;
  private final long intervalNs;
  private final BooleanSupplier isDiskLow;
  private final Runnable wakeEngine;
  private final LongSupplier nanoTime;
  private final FaultHook faults;
  private final BlockingQueue<Work> handed = new ArrayBlockingQueue<>(2);
  private long askedNs;

  private volatile boolean isAsking;
  private volatile boolean isLookWanted;
  private volatile boolean isPressed;
  private volatile boolean isWritten;
  private volatile boolean isIdle = true;
  private volatile boolean isEnding;
  private volatile long writtenBytes;
  private boolean isAbandoned;
  private volatile SnapshotStats figures;

  /** A state to be written, and how long commands have waited for its freeze. */
  record Work(FrozenState state, long pauseNs) {}

  /**
   * @param isDiskLow whether room on the disk is short
   * @param wakeEngine lets the engine's thread call {@link Maintenance#poll} though no command
   *     comes
   */
  MaintenanceWorker(
      SnapshotTask work,
      Duration interval,
      BooleanSupplier isDiskLow,
      Runnable wakeEngine,
      SnapshotStats figures,
      LongSupplier nanoTime,
      FaultHook faults) {
    this.work = work;
    this.intervalNs = interval.toNanos();
    this.isDiskLow = isDiskLow;
    this.wakeEngine = wakeEngine;
    this.figures = figures;
    this.nanoTime = nanoTime;
    this.faults = faults;
    this.askedNs = nanoTime.getAsLong();
  }

  /** Whether it wants to know, as time has passed, if a snapshot is due. */
  boolean isAsking() {
    return isAsking;
  }

  boolean takeQuestion() {
    boolean asked = isAsking;
    if (asked) {
      isAsking = false;
    }
    return asked;
  }

  /** Whether it wants the engine to look, every second while something presses. */
  boolean isLookWanted() {
    return isLookWanted;
  }

  void lookTaken() {
    isLookWanted = false;
  }

  /** Engine's thread: whether to have it look every second although nothing is logged. */
  void press(boolean on) {
    isPressed = on;
  }

  /** Whether it can take the next snapshot. */
  boolean isIdle() {
    return isIdle;
  }

  /** Engine's thread, when idle: writes this state, which no longer counts as written then. */
  void write(FrozenState state, long pauseNs) {
    isIdle = false;
    isWritten = false;
    writtenBytes = 0;
    handed.add(new Work(state, pauseNs));
  }

  /** Whether the state that was handed over last is needed no longer. */
  boolean isWritten() {
    return isWritten;
  }

  /** Size of the snapshot that was written last; 0 if it could not be. */
  long writtenBytes() {
    return writtenBytes;
  }

  SnapshotStats stats() {
    return figures;
  }

  /** Whether what is being done may be left undone. */
  boolean isEnding() {
    return isEnding;
  }

  /** What was handed over; null if nothing was within the time between two looks. */
  Work awaited() {
    try {
      return handed.poll(Math.min(intervalNs, LOOK_NS), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      // Nobody interrupts this thread to some end; what counts is whether it is to end.
      return END;
    }
  }

  /** What was handed over; null if nothing was. */
  Work taken() {
    return handed.poll();
  }

  /**
   * One turn at the desk.
   *
   * @param next what was handed over; null if nothing was
   */
  void turn(Work next) {
    if (next == null) {
      ask();
      return;
    }
    try {
      if (next.state() != null) {
        workAndWake(next);
      }
    } finally {
      askedNs = nanoTime.getAsLong();
    }
  }

  private void ask() {
    long nowNs = nanoTime.getAsLong();
    if (nowNs - askedNs >= intervalNs) {
      askedNs = nowNs;
      isAsking = true;
      wakeEngine.run();
    } else if (isPressed || isDiskLow.getAsBoolean()) {
      isLookWanted = true;
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
      write(next);
    } finally {
      letGo(next, startNs);
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
      // Whatever became of it: the engine must not keep copies for it any longer.
      next.state().release();
      isWritten = true;
      wakeEngine.run();
    }
  }

  private void letGo(Work done, long startNs) {
    long freed = 0;
    try {
      if (writtenBytes > 0 && !isEnding) {
        faults.reached(FaultPoint.AFTER_SNAPSHOT_NAMED);
        freed = work.letGo();
        faults.reached(FaultPoint.AFTER_LOG_REMOVED);
      }
    } finally {
      long tookMs = TimeUnit.NANOSECONDS.toMillis(nanoTime.getAsLong() - startNs);
      figures = count(done, tookMs, freed);
    }
  }

  private SnapshotStats count(Work done, long tookMs, long freed) {
    SnapshotStats last = figures;
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

  /** What is being done is given up, and nothing more is begun. Any thread. */
  void end() {
    isEnding = true;
    handed.offer(END);
  }

  /** When nobody is at the desk any more: gives back what was handed over and not begun. */
  void clear() {
    for (Work left = handed.poll(); left != null; left = handed.poll()) {
      if (left.state() != null) {
        left.state().release();
      }
    }
  }
}

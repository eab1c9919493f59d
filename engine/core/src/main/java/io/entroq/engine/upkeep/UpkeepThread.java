package io.entroq.engine.upkeep;

import io.entroq.engine.figures.SnapshotFigures;
import io.entroq.engine.state.FrozenState;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * The thread that writes snapshots and deletes what they make superfluous; between them it asks, at
 * intervals, whether one is due.
 */
final class UpkeepThread implements Runnable, AutoCloseable {
  /** Nothing to write; lets the thread see that it is to end. */
  private static final Work END = new Work(null, 0);

  private final SnapshotWork work;
  private final long intervalNs;
  private final BooleanSupplier isDiskLow;
  private final Runnable wakeEngine;
  private final BlockingQueue<Work> handed = new ArrayBlockingQueue<>(2);
  private final Thread thread;

  private volatile boolean isAsking;
  private volatile boolean isLookWanted;
  private volatile boolean isPressed;
  private volatile boolean isWritten;
  private volatile boolean isIdle = true;
  private volatile boolean isEnding;
  private volatile long writtenBytes;
  private boolean isAbandoned;
  private volatile SnapshotFigures figures;

  private static final long LOOK_NS = TimeUnit.SECONDS.toNanos(1);

  private record Work(FrozenState state, long pauseNs) {}

  /**
   * @param isDiskLow whether room on the disk is short
   * @param wakeEngine lets the engine's thread call {@link Upkeep#poll} though no command comes
   */
  UpkeepThread(
      SnapshotWork work,
      Duration interval,
      BooleanSupplier isDiskLow,
      Runnable wakeEngine,
      SnapshotFigures figures) {
    this.work = work;
    this.intervalNs = interval.toNanos();
    this.isDiskLow = isDiskLow;
    this.wakeEngine = wakeEngine;
    this.figures = figures;
    this.thread = new Thread(this, "entroq-snapshot");
    thread.setDaemon(true);
  }

  UpkeepThread start() {
    thread.start();
    return this;
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

  SnapshotFigures figures() {
    return figures;
  }

  /** Whether what is being done may be left undone. */
  boolean isEnding() {
    return isEnding;
  }

  @Override
  public void run() {
    long askedNs = System.nanoTime();
    while (!isEnding) {
      Work next = next();
      if (next != null) {
        if (next.state() != null) {
          writeOrReport(next);
        }
        askedNs = System.nanoTime();
      } else if (System.nanoTime() - askedNs >= intervalNs) {
        askedNs = System.nanoTime();
        isAsking = true;
        wakeEngine.run();
      } else if (isPressed || isDiskLow.getAsBoolean()) {
        isLookWanted = true;
        wakeEngine.run();
      }
    }
  }

  /** A thread that ends here would be the end of all snapshots, and the log would grow for ever. */
  private void writeOrReport(Work next) {
    try {
      work(next);
    } catch (Throwable t) {
      // Where even saying what went wrong goes wrong, as in the application's own logging.
      report(t);
    } finally {
      isIdle = true;
      wakeEngine.run();
    }
  }

  private void report(Throwable trouble) {
    try {
      thread.getUncaughtExceptionHandler().uncaughtException(thread, trouble);
    } catch (Throwable t) {
      // There is nobody left to tell.
    }
  }

  private Work next() {
    try {
      return handed.poll(Math.min(intervalNs, LOOK_NS), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      // Nobody interrupts this thread to some end; what counts is whether it is to end.
      return END;
    }
  }

  private void work(Work next) {
    long startNs = System.nanoTime();
    try {
      write(next);
    } finally {
      letGo(next, startNs);
    }
  }

  private void write(Work next) {
    try {
      isAbandoned = false;
      long bytes = work.write(next.state(), this::isEnding);
      isAbandoned = bytes == SnapshotWork.ABANDONED;
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
      freed = writtenBytes == 0 || isEnding ? 0 : work.letGo();
    } finally {
      long tookMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNs);
      figures = count(done, tookMs, freed);
    }
  }

  private SnapshotFigures count(Work done, long tookMs, long freed) {
    SnapshotFigures last = figures;
    boolean isGood = writtenBytes > 0;
    return new SnapshotFigures(
        last.taken() + (isGood ? 1 : 0),
        last.failed() + (isGood || isAbandoned ? 0 : 1),
        isGood ? done.state().sequence() : last.sequence(),
        isGood ? writtenBytes : last.bytes(),
        done.pauseNs(),
        Math.max(done.pauseNs(), last.pauseMaxNs()),
        tookMs,
        last.logBytesFreed() + freed);
  }

  /** Gives up what is being done and waits for the end. */
  @Override
  public void close() {
    isEnding = true;
    handed.offer(END);
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    for (Work left = handed.poll(); left != null; left = handed.poll()) {
      if (left.state() != null) {
        left.state().release();
      }
    }
  }
}

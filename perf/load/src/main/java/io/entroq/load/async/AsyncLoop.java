package io.entroq.load.async;

import java.util.concurrent.atomic.AtomicLong;
import org.HdrHistogram.Histogram;

/**
 * Cycles of asynchronous calls. Each call begins on the thread that receives the answer to the one
 * before, so no thread waits. Public methods are for the measuring thread; subclasses call the
 * protected ones on the answering thread.
 */
public abstract class AsyncLoop {
  private final Histogram callNs;
  private final AtomicLong cycles = new AtomicLong();
  private volatile Runnable atEnd;
  private volatile Throwable failure;

  /**
   * @param callNs records the calls, in nanoseconds
   */
  protected AsyncLoop(Histogram callNs) {
    this.callNs = callNs;
  }

  /** Begins, until {@link #stop}. */
  public final void begin() {
    atEnd = null;
    start();
  }

  /** Makes the first calls. */
  protected abstract void start();

  /**
   * Ends after the current cycles.
   *
   * @param atEnd called then, at least once
   */
  public final void stop(Runnable atEnd) {
    this.atEnd = atEnd;
    if (failure != null) {
      atEnd.run();
    }
  }

  /** How many cycles have ended. */
  public final long cycles() {
    return cycles.getAcquire();
  }

  /** How long calls took since the start, in nanoseconds; read it after the end. */
  public final Histogram callNs() {
    return callNs;
  }

  /** What ended the loop before {@link #stop}; null if nothing. */
  public final Throwable failure() {
    return failure;
  }

  protected final boolean isStopped() {
    return atEnd != null;
  }

  /** Counts a cycle; one thread at a time. */
  protected final void countCycle() {
    cycles.setRelease(cycles.getPlain() + 1);
  }

  /** Reports that a stopped loop has ended. */
  protected final void end() {
    Runnable end = atEnd;
    if (end != null) {
      end.run();
    }
  }

  protected final void fail(Throwable thrown) {
    failure = thrown;
    end();
  }
}

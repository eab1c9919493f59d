package io.entroq.cluster.image;

import io.entroq.engine.ThroughInterrupts;
import io.entroq.engine.log.LogException;
import io.entroq.engine.snapshot.SnapshotAbandonedException;
import io.entroq.engine.state.FrozenState;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/** A snapshot that a thread of its own writes. Any thread, except as noted. */
public abstract class BackgroundSnapshot {
  /** Null if the snapshot needs no state. */
  private final FrozenState state;

  private final CountDownLatch done = new CountDownLatch(1);
  private volatile boolean shouldAbandon;
  private volatile boolean isWritten;

  /**
   * @param state released once it was read or is not needed; null if there is none
   */
  protected BackgroundSnapshot(FrozenState state) {
    this.state = state;
  }

  /**
   * Starts the writing. At most once, and not after {@link #release}.
   *
   * @param thread name of the thread
   * @param writing throws {@link SnapshotAbandonedException} if {@link #shouldAbandon} ends it
   */
  protected final void start(String thread, Runnable writing) {
    try {
      Thread writer = new Thread(() -> write(writing), thread);
      writer.setDaemon(true);
      writer.start();
    } catch (Throwable t) {
      // The thread did not start, and others wait for it.
      release();
      throw t;
    }
  }

  private void write(Runnable writing) {
    try {
      writing.run();
      isWritten = true;
    } catch (SnapshotAbandonedException e) {
      onAbandoned();
    } catch (RuntimeException | Error e) {
      onFailed(e instanceof LogException ? e.getMessage() : e.toString());
    } finally {
      release();
    }
  }

  /** The writing was abandoned. On the thread that writes. */
  protected abstract void onAbandoned();

  /** The writing failed. On the thread that writes. */
  protected abstract void onFailed(String reason);

  /** Nothing is written any more. Called exactly once. */
  protected final void release() {
    if (state != null) {
      state.release();
    }
    done.countDown();
  }

  /** Abandons the snapshot; returns before that takes effect. */
  protected void abandon() {
    shouldAbandon = true;
  }

  protected final boolean shouldAbandon() {
    return shouldAbandon;
  }

  /** Whether the state has been read completely, or is not needed. */
  public final boolean isStateReleased() {
    return state == null || state.isReleased();
  }

  /** Whether the snapshot is on disk, or never will be. */
  public final boolean isDone() {
    return done.getCount() == 0;
  }

  /** Whether the snapshot is on disk. */
  public final boolean isWritten() {
    return isWritten;
  }

  /** Waits until the snapshot is done. */
  public final void await() {
    ThroughInterrupts.await(done::await);
  }

  /**
   * Waits until the snapshot is done.
   *
   * @return false if the time is up
   */
  public final boolean await(Duration atMost) {
    return ThroughInterrupts.await(done, atMost);
  }

  /**
   * Ends the writing, and returns when it has ended.
   *
   * @param isSound whether to complete the snapshot; otherwise it is abandoned
   * @param timeout how long it may take before it is abandoned
   */
  public final void end(boolean isSound, Duration timeout) {
    if (!isSound || !await(timeout)) {
      abandon();
      await();
    }
  }
}

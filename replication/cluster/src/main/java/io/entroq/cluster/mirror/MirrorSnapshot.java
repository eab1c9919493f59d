package io.entroq.cluster.mirror;

import io.entroq.engine.ThroughInterrupts;
import io.entroq.engine.log.LogException;
import io.entroq.engine.snapshot.Snapshot;
import io.entroq.engine.snapshot.SnapshotAbandonedException;
import io.entroq.engine.state.FrozenState;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/** Writes a frozen state to disk, or shares an image, on a thread of its own. */
final class MirrorSnapshot {
  private static final Logger LOGGER = System.getLogger(Mirror.class.getName());
  private static final long POLL_NS = TimeUnit.MICROSECONDS.toNanos(100);

  private final long sequence;

  /** Null if an image is shared. */
  private final FrozenState state;

  /** Null if a state is written. */
  private final Snapshot image;

  private final CountDownLatch done = new CountDownLatch(1);

  /** Set once, by the call that starts the writing or drops the snapshot before that. */
  private final AtomicBoolean isDecided = new AtomicBoolean();

  private volatile boolean shouldAbandon;
  private volatile boolean wasAbandoned;
  private volatile boolean isWritten;

  MirrorSnapshot(FrozenState state) {
    this.sequence = state.sequence();
    this.state = state;
    this.image = null;
  }

  /** Shares a complete image. */
  MirrorSnapshot(Snapshot image) {
    this.sequence = image.sequence();
    this.state = null;
    this.image = image;
  }

  /** Starts the writing, unless the snapshot was abandoned before. Writer thread. */
  void begin(MirrorStore store, MirrorWriter writer) {
    if (!isDecided.compareAndSet(false, true)) {
      return;
    }
    try {
      Thread thread = new Thread(() -> write(store, writer), "entroq-mirror-snapshot");
      thread.setDaemon(true);
      thread.start();
    } catch (Throwable t) {
      // The thread did not start, and another thread may wait for the state.
      release();
      throw t;
    }
  }

  private void write(MirrorStore store, MirrorWriter writer) {
    try {
      if (state == null) {
        store.share(image, writer::awaitWritten);
      } else {
        store.write(state, writer::awaitWritten, () -> shouldAbandon);
      }
      isWritten = true;
    } catch (SnapshotAbandonedException e) {
      // A cluster snapshot needs the state.
      wasAbandoned = true;
    } catch (RuntimeException | Error e) {
      String reason = e instanceof LogException ? e.getMessage() : e.toString();
      LOGGER.log(
          Level.WARNING, "The mirror's snapshot at record " + sequence + " failed: " + reason);
    } finally {
      release();
    }
  }

  /** Called exactly once, by the side that set {@link #isDecided}. */
  private void release() {
    if (state != null) {
      state.release();
    }
    done.countDown();
  }

  /** Drops the snapshot, unless it is being written or was abandoned. Any thread. */
  void drop() {
    if (isDecided.compareAndSet(false, true)) {
      release();
    }
  }

  /** Abandons the snapshot; returns before that takes effect. Any thread. */
  void abandon() {
    shouldAbandon = true;
    if (isDecided.compareAndSet(false, true)) {
      // The writer has not reached this snapshot, which may take long.
      wasAbandoned = true;
      release();
    }
  }

  boolean wasAbandoned() {
    return wasAbandoned;
  }

  /** The last record in the snapshot. */
  long sequence() {
    return sequence;
  }

  /** Whether the state has been read completely, or is no longer needed. Any thread. */
  boolean isStateReleased() {
    return state == null || state.isReleased();
  }

  void awaitStateReleased() {
    while (!isStateReleased()) {
      LockSupport.parkNanos(POLL_NS);
    }
  }

  /** Whether the snapshot is on disk, or never will be. Any thread. */
  boolean isDone() {
    return done.getCount() == 0;
  }

  boolean isWritten() {
    return isWritten;
  }

  /**
   * Waits until the snapshot is done.
   *
   * @return false if the time is up
   */
  boolean await(Duration atMost) {
    return ThroughInterrupts.await(done, atMost);
  }

  /** Waits until the snapshot is done. */
  void await() {
    ThroughInterrupts.await(done::await);
  }
}

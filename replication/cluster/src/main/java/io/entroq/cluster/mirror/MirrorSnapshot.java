package io.entroq.cluster.mirror;

import io.entroq.engine.ThroughInterrupts;
import io.entroq.engine.log.LogException;
import io.entroq.engine.snapshot.SnapshotAbandonedException;
import io.entroq.engine.state.FrozenState;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/** A frozen state on its way to the disk, on a thread of its own. */
final class MirrorSnapshot {
  private static final Logger LOGGER = System.getLogger(Mirror.class.getName());
  private static final long LOOK_NS = TimeUnit.MICROSECONDS.toNanos(100);

  private final FrozenState state;
  private final CountDownLatch done = new CountDownLatch(1);

  /** Whether somebody is going to write it, or nobody ever will. */
  private final AtomicBoolean isDecided = new AtomicBoolean();

  private volatile boolean isAbandoned;
  private volatile boolean wasGivenUp;
  private volatile boolean isGood;

  MirrorSnapshot(FrozenState state) {
    this.state = state;
  }

  /** Has it written, unless it was abandoned before. Writing thread. */
  void begin(MirrorStore store, MirrorWriter writer) {
    if (!isDecided.compareAndSet(false, true)) {
      return;
    }
    try {
      Thread thread = new Thread(() -> write(store, writer), "entroq-mirror-snapshot");
      thread.setDaemon(true);
      thread.start();
    } catch (Throwable t) {
      // No thread could be had, and somebody may wait for the state.
      release();
      throw t;
    }
  }

  private void write(MirrorStore store, MirrorWriter writer) {
    try {
      store.write(state, writer::awaitWritten, () -> isAbandoned);
      isGood = true;
    } catch (SnapshotAbandonedException e) {
      // Somebody needs the state more than this.
      wasGivenUp = true;
    } catch (RuntimeException | Error e) {
      String why = e instanceof LogException ? e.getMessage() : e.toString();
      LOGGER.log(
          Level.WARNING, "The mirror has no snapshot at record " + state.sequence() + ": " + why);
    } finally {
      release();
    }
  }

  /** Nobody is going to write it, or has been. Only whoever has decided which: it is done once. */
  private void release() {
    state.release();
    done.countDown();
  }

  /** Nothing has come of it, unless somebody writes it or has given it up. Any thread. */
  void drop() {
    if (isDecided.compareAndSet(false, true)) {
      release();
    }
  }

  /** Gives it up, soon. Any thread. */
  void abandon() {
    isAbandoned = true;
    if (isDecided.compareAndSet(false, true)) {
      // What it waits for may take long: it has not come to this one yet.
      wasGivenUp = true;
      release();
    }
  }

  /** Whether it is not on the disk for that reason, and no other. */
  boolean wasGivenUp() {
    return wasGivenUp;
  }

  /** The last record that it holds. */
  long sequence() {
    return state.sequence();
  }

  /** Whether the state is not needed any more, as all of it has been read. Any thread. */
  boolean isFree() {
    return state.isReleased();
  }

  /** Waits until the state is not needed any more. */
  void awaitFree() {
    while (!isFree()) {
      LockSupport.parkNanos(LOOK_NS);
    }
  }

  /** Whether it is on the disk, or will never be. Any thread. */
  boolean isDone() {
    return done.getCount() == 0;
  }

  /** Whether it is on the disk. */
  boolean isGood() {
    return isGood;
  }

  /**
   * Waits until it is done.
   *
   * @return whether it has come to that
   */
  boolean await(Duration atMost) {
    boolean[] isDone = new boolean[1];
    ThroughInterrupts.await(() -> isDone[0] = done.await(atMost.toNanos(), TimeUnit.NANOSECONDS));
    return isDone[0];
  }

  /** Waits until it is done, however long that takes. */
  void await() {
    ThroughInterrupts.await(done::await);
  }
}

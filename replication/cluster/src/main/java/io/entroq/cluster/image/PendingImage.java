package io.entroq.cluster.image;

import io.entroq.codec.snapshot.SnapshotSource;
import io.entroq.engine.ThroughInterrupts;
import io.entroq.engine.log.LogException;
import io.entroq.engine.snapshot.Manifest;
import io.entroq.engine.snapshot.Snapshot;
import io.entroq.engine.snapshot.SnapshotAbandonedException;
import io.entroq.engine.state.FrozenState;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;

/** The image of a frozen state, written on a thread of its own. Any thread, except as noted. */
public final class PendingImage {
  private static final Logger LOGGER = System.getLogger(PendingImage.class.getName());

  private final ImageStore store;
  private final FrozenState state;
  private final long position;
  private final CountDownLatch done = new CountDownLatch(1);
  private volatile boolean shouldAbandon;
  private volatile boolean isWritten;

  PendingImage(ImageStore store, FrozenState state, long position) {
    this.store = store;
    this.state = state;
    this.position = position;
  }

  /**
   * Starts the writing. Once, on the applying thread.
   *
   * @param previous to be done before; null if there is none
   */
  void begin(PendingImage previous, ImageListener listener) {
    try {
      Thread thread = new Thread(() -> write(previous, listener), "entroq-image");
      thread.setDaemon(true);
      thread.start();
    } catch (Throwable t) {
      // The thread did not start, and others wait for it.
      state.release();
      done.countDown();
      throw t;
    }
  }

  private void write(PendingImage previous, ImageListener listener) {
    try {
      if (previous != null) {
        previous.await();
      }
      long startNs = System.nanoTime();
      Manifest manifest = store.write(state, position, () -> shouldAbandon);
      isWritten = true;
      listener.onWritten(manifest, System.nanoTime() - startNs);
    } catch (SnapshotAbandonedException e) {
      listener.onFailed();
    } catch (RuntimeException | Error e) {
      listener.onFailed();
      String reason = e instanceof LogException ? e.getMessage() : e.toString();
      LOGGER.log(
          Level.WARNING,
          "The image of the snapshot at record %,d failed, so a restart begins with an older one: %s"
              .formatted(state.sequence(), reason));
    } finally {
      state.release();
      done.countDown();
    }
  }

  /** The state, of which only what identifies it may be read. */
  public SnapshotSource state() {
    return state;
  }

  /** The sequence of the state. */
  public long sequence() {
    return state.sequence();
  }

  boolean isStateReleased() {
    return state.isReleased();
  }

  /** Whether the image is complete, or never will be. */
  public boolean isDone() {
    return done.getCount() == 0;
  }

  /** The complete image, unless it has been deleted. */
  public Optional<Snapshot> written() {
    return isWritten ? store.at(position) : Optional.empty();
  }

  void abandon() {
    shouldAbandon = true;
  }

  void await() {
    ThroughInterrupts.await(done::await);
  }

  /** Waits until it is done; false if the time is up. */
  boolean await(Duration atMost) {
    return ThroughInterrupts.await(done, atMost);
  }
}

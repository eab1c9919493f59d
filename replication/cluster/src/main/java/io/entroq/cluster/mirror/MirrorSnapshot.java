package io.entroq.cluster.mirror;

import io.entroq.cluster.image.BackgroundSnapshot;
import io.entroq.engine.snapshot.Snapshot;
import io.entroq.engine.state.FrozenState;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/** Writes a frozen state to disk, or shares an image. */
final class MirrorSnapshot extends BackgroundSnapshot {
  private static final Logger LOGGER = System.getLogger(Mirror.class.getName());
  private static final long POLL_NS = TimeUnit.MICROSECONDS.toNanos(100);

  private final long sequence;

  /** Null if an image is shared. */
  private final FrozenState state;

  /** Null if a state is written. */
  private final Snapshot image;

  /** Set once, by the call that starts the writing or drops the snapshot before that. */
  private final AtomicBoolean isDecided = new AtomicBoolean();

  private volatile boolean wasAbandoned;

  MirrorSnapshot(FrozenState state) {
    super(state);
    this.sequence = state.sequence();
    this.state = state;
    this.image = null;
  }

  /** Shares a complete image. */
  MirrorSnapshot(Snapshot image) {
    super(null);
    this.sequence = image.sequence();
    this.state = null;
    this.image = image;
  }

  /** Starts the writing, unless the snapshot was abandoned before. Writer thread. */
  void begin(MirrorStore store, MirrorWriter writer) {
    if (isDecided.compareAndSet(false, true)) {
      start("entroq-mirror-snapshot", () -> write(store, writer));
    }
  }

  private void write(MirrorStore store, MirrorWriter writer) {
    if (state == null) {
      store.share(image, writer::awaitWritten);
    } else {
      store.write(state, writer::awaitWritten, this::shouldAbandon);
    }
  }

  /** A cluster snapshot needs the state. */
  @Override
  protected void onAbandoned() {
    wasAbandoned = true;
  }

  @Override
  protected void onFailed(String reason) {
    LOGGER.log(Level.WARNING, "The mirror's snapshot at record " + sequence + " failed: " + reason);
  }

  /** Drops the snapshot, unless it is being written or was abandoned. Any thread. */
  void drop() {
    if (isDecided.compareAndSet(false, true)) {
      release();
    }
  }

  @Override
  protected void abandon() {
    super.abandon();
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

  void awaitStateReleased() {
    while (!isStateReleased()) {
      LockSupport.parkNanos(POLL_NS);
    }
  }
}

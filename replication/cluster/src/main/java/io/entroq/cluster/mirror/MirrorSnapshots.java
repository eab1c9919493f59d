package io.entroq.cluster.mirror;

import io.entroq.cluster.image.PendingImage;
import io.entroq.engine.idfilter.IdRecorder;
import io.entroq.engine.snapshot.Snapshot;
import io.entroq.engine.state.StateMachine;
import java.time.Duration;
import java.util.Optional;

/**
 * Takes the mirror's snapshots, one at a time. The state is frozen while it is read. Applying
 * thread, except for {@link #end}.
 */
final class MirrorSnapshots {
  private static final Duration END_TIMEOUT = Duration.ofSeconds(10);

  private final StateMachine machine;

  /** Null if no history is kept. */
  private final IdRecorder ids;

  private MirrorSnapshot current;

  /** Whether the state is frozen for {@link #current}. */
  private boolean isFrozen;

  private boolean isDue;

  /** To be shared once it is complete; null if there is none. */
  private PendingImage image;

  /** Of the newest complete snapshot; 0 if there is none. */
  private long sequence;

  /** Whether the log does not begin with the first record and has no complete snapshot yet. */
  private boolean isNeeded;

  /**
   * @param ids notes the ids that steps of the machine have effects on; null if no history is kept
   */
  MirrorSnapshots(StateMachine machine, IdRecorder ids) {
    this.machine = machine;
    this.ids = ids;
  }

  /**
   * Continues with a mirror that has a snapshot, or the whole log.
   *
   * @param newest sequence of the newest snapshot; 0 if there is none
   */
  void continueAfter(long newest) {
    sequence = newest;
    isNeeded = false;
  }

  /**
   * Requests a snapshot, to be taken when none is in progress.
   *
   * @param pending its image, which the mirror shares; null if the mirror writes its own
   */
  void request(PendingImage pending) {
    image = pending;
    isDue = pending == null;
    if (image != null) {
      cutIds();
    }
  }

  /** Whether a snapshot is in progress, or still to be {@linkplain #finish finished}. */
  boolean isBusy() {
    return current != null;
  }

  /** Whether the snapshot in progress has succeeded or failed. */
  boolean isDone() {
    return current != null && current.isDone();
  }

  /** Freezes the state for the first snapshot of a restarted mirror, which replaces older ones. */
  MirrorSnapshot freezeForRestart() {
    freeze();
    sequence = 0;
    isDue = false;
    image = null;
    isNeeded = true;
    return current;
  }

  /** Drops the snapshot that was just frozen. */
  void undoRestart() {
    current.drop();
    current = null;
    thaw();
  }

  /**
   * Starts the requested snapshot, if there is one and none is in progress.
   *
   * @return whether a request was handled
   */
  boolean begin(MirrorWriter writer) {
    if (share(writer)) {
      return true;
    }
    if (!isDue || current != null) {
      return false;
    }
    isDue = false;
    if (sequence < machine.sequence()) {
      freeze();
      writer.snapshot(current);
    }
    return true;
  }

  /**
   * Starts to share the requested image, if it is complete and no snapshot is in progress.
   *
   * @return whether it was started
   */
  boolean share(MirrorWriter writer) {
    if (image == null || !image.isDone() || current != null) {
      return false;
    }
    Optional<Snapshot> written = image.written();
    image = null;
    if (written.isEmpty() || written.get().sequence() <= sequence) {
      isDue = written.isEmpty() && isNeeded;
      return false;
    }
    current = new MirrorSnapshot(written.get());
    writer.snapshot(current);
    return true;
  }

  private void freeze() {
    current = new MirrorSnapshot(machine.freeze());
    isFrozen = true;
    cutIds();
  }

  /** The next snapshot is of the present state. */
  private void cutIds() {
    if (ids != null) {
      ids.cut();
    }
  }

  private void thaw() {
    machine.thaw();
    isFrozen = false;
  }

  /**
   * Thaws the state if it has been read.
   *
   * @return whether it was thawed
   */
  boolean thawIfRead() {
    boolean isRead = isFrozen && current.isStateReleased();
    if (isRead) {
      thaw();
    }
    return isRead;
  }

  /**
   * Finishes a snapshot that is {@linkplain #isDone done}. An abandoned one is taken again, unless
   * an image was requested in its place.
   *
   * @return false if an engine cannot open the mirror and never will
   */
  boolean finish() {
    thawIfRead();
    MirrorSnapshot old = current;
    current = null;
    if (old.isWritten()) {
      continueAfter(old.sequence());
    } else if (old.wasAbandoned()) {
      isDue = image == null;
    } else {
      return !isNeeded;
    }
    return true;
  }

  /** Thaws the state now, and abandons a snapshot that still reads it. */
  void yieldState() {
    if (isFrozen && !current.isStateReleased()) {
      current.abandon();
      current.awaitStateReleased();
    }
    thawIfRead();
  }

  /**
   * Releases the state. On the applying thread, or another one after that has ended.
   *
   * @param isSound whether to complete a snapshot in progress; otherwise it is abandoned
   */
  void end(boolean isSound) {
    if (current == null) {
      return;
    }
    current.end(isSound, END_TIMEOUT);
    thawIfRead();
    current = null;
  }
}

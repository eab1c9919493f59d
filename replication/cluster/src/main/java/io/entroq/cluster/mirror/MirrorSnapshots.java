package io.entroq.cluster.mirror;

import io.entroq.engine.state.StateMachine;
import java.time.Duration;

/**
 * The snapshots of a mirror: no more than one is being written, and the state is frozen while it is
 * read for that. Applying thread, but for {@link #end}.
 */
final class MirrorSnapshots {
  private static final Duration END_PATIENCE = Duration.ofSeconds(10);

  private final StateMachine machine;
  private MirrorSnapshot current;

  /** Whether the state is, for {@link #current}. */
  private boolean isFrozen;

  private boolean isDue;

  /** Of the newest one that is good; 0: there is none. */
  private long sequence;

  /** Whether the mirror's log begins somewhere behind the first record, with no good one yet. */
  private boolean isNeeded;

  MirrorSnapshots(StateMachine machine) {
    this.machine = machine;
  }

  /**
   * The mirror has one, or all of the log.
   *
   * @param newest sequence of the newest snapshot; 0: there is none
   */
  void found(long newest) {
    sequence = newest;
    isNeeded = false;
  }

  /** One is to be taken as soon as there is none under way. */
  void want() {
    isDue = true;
  }

  /** Whether one is being written, or has been and is still to be {@linkplain #settle settled}. */
  boolean isBusy() {
    return current != null;
  }

  /** Whether nothing more is going to come of the one that is under way. */
  boolean isDone() {
    return current != null && current.isDone();
  }

  /** Freezes the state for one with which a mirror begins anew, so that older ones go. */
  MirrorSnapshot freezeForSeed() {
    freeze();
    sequence = 0;
    isDue = false;
    isNeeded = true;
    return current;
  }

  /** Nothing has come of the one that was just frozen. */
  void takeBack() {
    current.drop();
    current = null;
    thaw();
  }

  /**
   * Has the one that is due written, if there is one and it is time for that.
   *
   * @return whether one was due
   */
  boolean begin(MirrorWriter writer) {
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

  private void freeze() {
    current = new MirrorSnapshot(machine.freeze());
    isFrozen = true;
  }

  private void thaw() {
    machine.thaw();
    isFrozen = false;
  }

  /**
   * Thaws the state if it was frozen for one that does not need it any more.
   *
   * @return whether it did
   */
  boolean thawIfFree() {
    boolean isFree = isFrozen && current.isFree();
    if (isFree) {
      thaw();
    }
    return isFree;
  }

  /**
   * Makes of one that is {@linkplain #isDone done} what it is. One that was given up is taken
   * again.
   *
   * @return false if the mirror has none that an engine could begin with, and gets none
   */
  boolean settle() {
    thawIfFree();
    MirrorSnapshot old = current;
    current = null;
    if (old.isGood()) {
      found(old.sequence());
    } else if (old.wasGivenUp()) {
      isDue = true;
    } else {
      return !isNeeded;
    }
    return true;
  }

  /** Has the state thawed now: what still needs it is given up. It may have to be settled yet. */
  void yieldState() {
    if (isFrozen && !current.isFree()) {
      current.abandon();
      current.awaitFree();
    }
    thawIfFree();
  }

  /**
   * Lets go of the state for good. The applying thread, or another once that has ended.
   *
   * @param isSound whether there is time to end what is under way; else it is given up
   */
  void end(boolean isSound) {
    if (current == null) {
      return;
    }
    if (!isSound || !current.await(END_PATIENCE)) {
      current.abandon();
      current.await();
    }
    thawIfFree();
    current = null;
  }
}

package io.entroq.simulator.host;

import io.entroq.simulator.disk.DiskImage;

/**
 * What a directory has been through since an engine was open in it for the last time, and so what
 * the next opening may come to. One thread.
 */
final class Incident {
  private final long last;
  private long least;
  private boolean isDamaged;
  private DiskImage before;
  private Runnable onUndone;

  /**
   * A process has ended, and no more.
   *
   * @param last the newest record that was wholly appended
   */
  Incident(long last) {
    this.last = last;
    this.least = last;
  }

  /** Something on the disk is not as it was, for another reason than that power has failed. */
  void onDamage() {
    isDamaged = true;
  }

  /** Records behind this one may be gone. */
  void mayLose(long behind) {
    least = Math.min(least, behind);
  }

  /**
   * What is there is such that an engine may not open it.
   *
   * @param image what was there before that
   * @param undone hears that it is there again
   */
  void mayBeRefused(DiskImage image, Runnable undone) {
    if (before == null) {
      before = image;
      onUndone = undone;
    }
  }

  /** The newest record that was wholly appended. */
  long last() {
    return last;
  }

  /** The newest record that must be found. */
  long least() {
    return least;
  }

  boolean isDamaged() {
    return isDamaged;
  }

  boolean mayBeRefused() {
    return before != null;
  }

  /** What was there before is there again. */
  DiskImage undo() {
    DiskImage image = before;
    before = null;
    least = last;
    isDamaged = false;
    onUndone.run();
    return image;
  }
}

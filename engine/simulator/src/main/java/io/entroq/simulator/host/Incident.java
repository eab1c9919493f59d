package io.entroq.simulator.host;

import io.entroq.simulator.disk.DiskImage;

/**
 * What a directory has been through since an engine was open in it for the last time, and so what
 * the next opening may come to. One thread.
 */
final class Incident {
  private final long last;
  private long least;
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

  /** Power was lost: records from here on may be gone, and no hole proves that they were there. */
  void mayLose(long behind) {
    least = Math.min(least, behind);
  }

  /**
   * What is there may be such that no engine must open it.
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

  /** The newest record that must be found. */
  long least() {
    return least;
  }

  boolean mayBeRefused() {
    return before != null;
  }

  /** What was there before is there again. */
  DiskImage undo() {
    DiskImage image = before;
    before = null;
    least = last;
    onUndone.run();
    return image;
  }
}

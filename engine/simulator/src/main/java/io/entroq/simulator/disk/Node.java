package io.entroq.simulator.disk;

/** A file or a directory, with or without a name. */
abstract class Node {
  private DiskProcess spoiledBy;

  abstract boolean isDirectory();

  abstract long size();

  /** Writes to the disk what is not there yet. */
  abstract void force();

  /** A lying disk has reported all of it as forced. */
  abstract void promise();

  /**
   * A force has failed. For its process, the data counts as written, as with a real kernel that
   * marks the pages as clean.
   */
  void spoil(DiskProcess process) {
    spoiledBy = process;
  }

  /** Whether a force by this process would write nothing, because one has failed before. */
  boolean isSpoiledBy(DiskProcess process) {
    return spoiledBy == process;
  }
}

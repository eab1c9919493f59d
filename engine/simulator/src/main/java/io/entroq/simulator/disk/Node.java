package io.entroq.simulator.disk;

/** A file or a directory, with or without a name that leads to it. */
abstract class Node {
  private DiskProcess spoiledBy;

  abstract boolean isDirectory();

  abstract long size();

  /** Puts on the disk what is not there yet. */
  abstract void force();

  /** Somebody has been told that all of it is on the disk, and it is not. */
  abstract void promise();

  /**
   * A force has failed. What it should have written counts as written for its process, as with a
   * real kernel, which forgets that those pages were ever changed.
   */
  void spoil(DiskProcess process) {
    spoiledBy = process;
  }

  /** Whether a force of this process would write nothing, as one has failed before. */
  boolean isSpoiledBy(DiskProcess process) {
    return spoiledBy == process;
  }
}

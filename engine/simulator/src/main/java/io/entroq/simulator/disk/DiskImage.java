package io.entroq.simulator.disk;

/** A copy of all that is on a disk. Nothing changes it. */
public final class DiskImage {
  private final DirectoryTree tree;

  DiskImage(DirectoryTree tree) {
    this.tree = tree;
  }

  DirectoryTree tree() {
    return tree;
  }
}

package io.entroq.simulator.disk;

/** A copy of all that is on a disk. Nothing changes it. */
public final class DiskImage {
  private final Tree tree;

  DiskImage(Tree tree) {
    this.tree = tree;
  }

  Tree tree() {
    return tree;
  }
}

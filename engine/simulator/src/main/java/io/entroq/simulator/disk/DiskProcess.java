package io.entroq.simulator.disk;

import io.entroq.engine.log.RunFactory;
import java.io.IOException;
import java.nio.file.Path;

/**
 * A process that uses the disk, from its start until it dies. Its paths belong to it: with those of
 * one that is dead nothing can be done any more, and no path of another process is equal to them.
 */
public final class DiskProcess {
  private final SimulatedFileSystem files = new SimulatedFileSystem(this);
  private final int number;

  /** Null once it is dead, so that a path which somebody has kept does not keep a whole disk. */
  private SimulatedDisk disk;

  DiskProcess(SimulatedDisk disk, int number) {
    this.disk = disk;
    this.number = number;
  }

  /** A path on the disk as this process sees it; what is relative begins at the root. */
  public Path path(String text) {
    return files.getPath(text);
  }

  /** Writes the runs of a log of this process, straight into the page cache. */
  public RunFactory runs() {
    return (run, config) -> new SimulatedRun(SimulatedPath.of(run));
  }

  public boolean isAlive() {
    return disk != null;
  }

  /**
   * It is gone: whatever it asks of the disk from now on throws {@link SimulatedDeath} and does
   * nothing, and its locks are free. What it has written stays in the page cache. May be called
   * again.
   */
  public void die() {
    disk = null;
  }

  /**
   * @throws SimulatedDeath if it is dead
   */
  SimulatedDisk disk() {
    if (disk == null) {
      throw new SimulatedDeath(toString());
    }
    return disk;
  }

  DirectoryTree tree() {
    return disk().tree();
  }

  /**
   * It asks something of the disk.
   *
   * @return whether it dies of that: {@link #end} is to be told
   */
  boolean begin() {
    DiskFaults faults = disk().faults();
    if (!faults.isFatal()) {
      return false;
    }
    if (!faults.isInTheMiddle()) {
      end(true);
    }
    return true;
  }

  /** It has got what it has asked for, or half of it if it dies. */
  void end(boolean dies) {
    if (dies) {
      disk.faults().onDeath();
      die();
      throw new SimulatedDeath(this + " died at the disk");
    }
  }

  /** Forces a file or directory, as far as the disk does that. */
  void force(Node node, String path) throws IOException {
    boolean dies = begin();
    DiskFaults faults = disk.faults();
    if (faults.isForceFailing(path)) {
      node.spoil(this);
      throw DiskException.failure();
    }
    if (node.isSpoiledBy(this)) {
      faults.onForceRepeated();
    } else if (disk.isLying()) {
      node.promise();
      faults.onForceOmitted();
    } else {
      node.force();
    }
    end(dies);
  }

  /** Its number among the processes of its disk, from 1. */
  public int number() {
    return number;
  }

  @Override
  public String toString() {
    return "process " + number;
  }
}

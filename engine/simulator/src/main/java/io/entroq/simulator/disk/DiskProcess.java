package io.entroq.simulator.disk;

import io.entroq.engine.log.RunFactory;
import java.io.IOException;
import java.nio.file.Path;

/**
 * A process that uses the disk, from its start until it dies. Its paths belong to it: they are
 * unequal to the paths of other processes, and unusable once it is dead.
 */
public final class DiskProcess {
  private final SimulatedFileSystem files = new SimulatedFileSystem(this);
  private final int number;

  /** Null once it is dead, so that its paths do not keep the disk in memory. */
  private SimulatedDisk disk;

  DiskProcess(SimulatedDisk disk, int number) {
    this.disk = disk;
    this.number = number;
  }

  /** A path of this process. Relative paths begin at the root. */
  public Path path(String text) {
    return files.getPath(text);
  }

  /** Writes the runs of a log straight into the page cache. */
  public RunFactory runs() {
    return (run, config) -> new SimulatedRun(SimulatedPath.of(run));
  }

  public boolean isAlive() {
    return disk != null;
  }

  /**
   * Ends the process: all its further calls throw {@link SimulatedDeath}, and its locks are
   * released. Its writes stay in the page cache. May be called again.
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
   * Begins a call to the disk.
   *
   * @return whether the process dies of it: pass it to {@link #end}
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

  /** Ends a call to the disk, which was half done if the process dies. */
  void end(boolean dies) {
    if (dies) {
      disk.faults().onDeath();
      die();
      throw new SimulatedDeath(this + " died at the disk");
    }
  }

  /** Forces a file or directory, unless a fault prevents it. */
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

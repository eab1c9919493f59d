package io.entroq.simulator.disk;

import io.entroq.simulator.virtual.SeededRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * A disk in memory, and the machine around it: processes that use it, a page cache, and power that
 * may fail. Its behavior depends only on the calls and the random numbers passed to them. Paths are
 * absolute. One thread.
 *
 * <ul>
 *   <li>When a process dies, its writes stay in the page cache for the next process.
 *   <li>When the power fails, each page that was not forced is kept, lost, or kept in some sectors
 *       of 512 bytes. A file may lose length that was not forced. Changes of names in a directory
 *       since it was forced may be undone, the newest first.
 * </ul>
 */
public final class SimulatedDisk {
  private static final int PERMILLE_MAX = 1_000;

  private final DiskSpace space = new DiskSpace();
  private final DiskFaults faults = new DiskFaults();
  private final List<DiskProcess> processes = new ArrayList<>();
  private DirectoryTree tree = new DirectoryTree(space);
  private boolean isLying;
  private int started;

  public DiskFaults faults() {
    return faults;
  }

  public DiskProcess startProcess() {
    processes.removeIf(process -> !process.isAlive());
    started++;
    DiskProcess process = new DiskProcess(this, started);
    processes.add(process);
    return process;
  }

  /** All processes die, and the page cache is lost except for what was written by chance. */
  public PowerLoss losePower(SeededRandom random) {
    killAll();
    PowerLoss loss = new PowerLoss();
    tree.changes().losePower(random, loss);
    int keptPermille = keptPermille(random);
    tree.eachFile((path, file) -> file.losePower(random, keptPermille, loss));
    tree.recount();
    return loss;
  }

  /** All, none, or any share of the pages: each leaves different holes. */
  private static int keptPermille(SeededRandom random) {
    return switch (random.below(4)) {
      case 0 -> 0;
      case 1 -> PERMILLE_MAX;
      default -> random.below(PERMILLE_MAX);
    };
  }

  private void killAll() {
    processes.forEach(DiskProcess::die);
    processes.clear();
  }

  /**
   * Whether forces return at once and do nothing from now on. A later real force also writes what
   * such a force has left out.
   */
  public void lie(boolean lies) {
    isLying = lies;
  }

  /** Whether forces return at once and do nothing. */
  public boolean isLying() {
    return isLying;
  }

  /** Sets the size in bytes; unlimited at first. May be below the used size. */
  public void limit(long capacityBytes) {
    space.limit(capacityBytes);
  }

  /** The size of all files in whole pages. */
  public long usedBytes() {
    return space.usedBytes();
  }

  /** The free space in bytes. */
  public long usableBytes() {
    return space.usableBytes();
  }

  DirectoryTree tree() {
    return tree;
  }

  /** The paths of all matching files, sorted by name. */
  public List<String> files(Predicate<String> which) {
    return files(which, 0);
  }

  private List<String> files(Predicate<String> which, int bytesMin) {
    List<String> paths = new ArrayList<>();
    tree.eachFile(
        (path, file) -> {
          if (file.end() >= bytesMin && which.test(path)) {
            paths.add(path);
          }
        });
    return paths;
  }

  /** The sorted names in a directory; empty if it does not exist. */
  public List<String> names(String directory) {
    return tree.find(directory) instanceof DirectoryNode found ? found.names() : List.of();
  }

  /**
   * Whether the first bytes of a file and its name are on the disk. True if the file does not
   * exist.
   */
  public boolean isForced(String path, int bytes) {
    return !(tree.find(path) instanceof FileNode file)
        || (file.isForcedUpTo(bytes) && !tree.changes().affects(path, tree));
  }

  /**
   * Flips a random bit of a random matching file. Not while a process lives.
   *
   * @return null if all matching files are empty
   */
  public Damage flipBit(Predicate<String> which, SeededRandom random) {
    String path = pick(which, 1, random);
    return path == null ? null : Damage.flip(tree, path, random);
  }

  /**
   * Cuts a random matching file to a random length. Not while a process lives.
   *
   * @return null if all matching files are empty
   */
  public Damage truncate(Predicate<String> which, SeededRandom random) {
    String path = pick(which, 1, random);
    return path == null ? null : Damage.truncate(tree, path, random);
  }

  /**
   * Cuts the last matching file, by name, that is not empty. Not while a process lives.
   *
   * @return null if there is none
   */
  public Damage truncateLast(Predicate<String> which, SeededRandom random) {
    requireIdle();
    List<String> paths = files(which, 1);
    return paths.isEmpty() ? null : Damage.truncate(tree, paths.get(paths.size() - 1), random);
  }

  /**
   * Removes a random matching file. Not while a process lives.
   *
   * @return null if there is none
   */
  public Damage remove(Predicate<String> which, SeededRandom random) {
    String path = pick(which, 0, random);
    return path == null ? null : Damage.remove(tree, path);
  }

  /** A random file. The last by name is more likely because most depends on the newest one. */
  private String pick(Predicate<String> which, int bytesMin, SeededRandom random) {
    requireIdle();
    List<String> paths = files(which, bytesMin);
    if (paths.isEmpty()) {
      return null;
    }
    boolean isLast = random.oneIn(2);
    return paths.get(isLast ? paths.size() - 1 : random.below(paths.size()));
  }

  /** The length of a file; 0 if it does not exist. */
  public long bytes(String path) {
    return tree.find(path) instanceof FileNode file ? file.end() : 0;
  }

  /**
   * The content of a file.
   *
   * @throws IllegalArgumentException if it does not exist
   */
  public byte[] read(String path) {
    if (tree.find(path) instanceof FileNode file) {
      return file.bytes();
    }
    throw new IllegalArgumentException(path + " is no file");
  }

  /** Writes and forces a whole file and creates its directories. Not while a process lives. */
  public void write(String path, byte[] bytes) {
    requireIdle();
    tree.put(path, bytes);
  }

  /** A copy of all files as processes see them. */
  public DiskImage image() {
    return new DiskImage(tree.copy(new DiskSpace()));
  }

  /** Replaces the content of the disk by an image, all of it forced. Not while a process lives. */
  public void restore(DiskImage image) {
    requireIdle();
    tree = image.tree().copy(space);
  }

  private void requireIdle() {
    for (DiskProcess process : processes) {
      if (process.isAlive()) {
        throw new IllegalStateException(process + " uses the disk");
      }
    }
  }
}

package io.entroq.simulator.disk;

import io.entroq.simulator.virtual.SeededRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * A disk in memory, and the machine that it is in: processes that use it, a page cache, power that
 * may fail. Nothing on it depends on anything but the calls and the chance that is given to them.
 * Paths are absolute. One thread.
 *
 * <ul>
 *   <li>When a process dies, what it has written stays in the page cache, for the next to see.
 *   <li>When the power fails, of each page that was not forced either all is kept, or nothing, or
 *       some sectors of 512 bytes; a file may lose length that was not forced; and of the names
 *       that were made, removed or moved in a directory since it was forced, the newest, some or
 *       all, are as they were.
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

  /** What it does wrong when told to, and how often it has. */
  public DiskFaults faults() {
    return faults;
  }

  /** A new process, beside those that live. */
  public DiskProcess startProcess() {
    processes.removeIf(process -> !process.isAlive());
    started++;
    DiskProcess process = new DiskProcess(this, started);
    processes.add(process);
    return process;
  }

  /** All processes die, and the page cache is lost but for what chance has written in time. */
  public PowerLoss losePower(SeededRandom random) {
    killAll();
    PowerLoss loss = new PowerLoss();
    tree.changes().losePower(random, loss);
    int keptPermille = keptPermille(random);
    tree.eachFile((path, file) -> file.losePower(random, keptPermille, loss));
    tree.recount();
    return loss;
  }

  /** All, none, or any share: each leaves other holes. */
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
   * From now on forces return at once and do nothing, or no longer. What such a force was about is
   * on the disk once another one that is not a lie has covered it.
   */
  public void lie(boolean lies) {
    isLying = lies;
  }

  /** Whether forces return at once and do nothing. */
  public boolean isLying() {
    return isLying;
  }

  /** How many bytes there are room for; fewer than are used leave none. No limit to begin with. */
  public void limit(long capacityBytes) {
    space.limit(capacityBytes);
  }

  /** How many bytes files take, in whole pages. */
  public long usedBytes() {
    return space.usedBytes();
  }

  /** How many more bytes files can take. */
  public long usableBytes() {
    return space.usableBytes();
  }

  DirectoryTree tree() {
    return tree;
  }

  /** The paths of all such files, in the order of their names. */
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

  /** What has a name in a directory, in order; nothing if there is no such directory. */
  public List<String> names(String directory) {
    return tree.find(directory) instanceof DirectoryNode found ? found.names() : List.of();
  }

  /**
   * Whether so many bytes of a file are on the disk, and its name. Of one that is gone nothing has
   * to be there.
   */
  public boolean isForced(String path, int bytes) {
    return !(tree.find(path) instanceof FileNode file)
        || (file.isForcedUpTo(bytes) && !tree.changes().concern(path, tree));
  }

  /**
   * Flips a bit somewhere in one of such files. Not while a process lives.
   *
   * @return null if nothing was ever written to any
   */
  public Damage flipBit(Predicate<String> which, SeededRandom random) {
    String path = pick(which, 1, random);
    return path == null ? null : Damage.flip(tree, path, random);
  }

  /**
   * Takes the end away from one of such files, or all of it. Not while a process lives.
   *
   * @return null if nothing was ever written to any
   */
  public Damage truncate(Predicate<String> which, SeededRandom random) {
    String path = pick(which, 1, random);
    return path == null ? null : Damage.truncate(tree, path, random);
  }

  /**
   * Cuts the last of such files, by name, that has something in it. Not while a process lives.
   *
   * @return null if there is none
   */
  public Damage truncateLast(Predicate<String> which, SeededRandom random) {
    requireIdle();
    List<String> paths = files(which, 1);
    return paths.isEmpty() ? null : Damage.truncate(tree, paths.get(paths.size() - 1), random);
  }

  /**
   * Removes one of such files. Not while a process lives.
   *
   * @return null if there is none
   */
  public Damage remove(Predicate<String> which, SeededRandom random) {
    String path = pick(which, 0, random);
    return path == null ? null : Damage.remove(tree, path);
  }

  /** Any, but the last by name more often: where the newest is, most depends on it. */
  private String pick(Predicate<String> which, int bytesMin, SeededRandom random) {
    requireIdle();
    List<String> paths = files(which, bytesMin);
    if (paths.isEmpty()) {
      return null;
    }
    boolean isLast = random.oneIn(2);
    return paths.get(isLast ? paths.size() - 1 : random.below(paths.size()));
  }

  /** How long a file is; 0 if there is none of that name. */
  public long bytes(String path) {
    return tree.find(path) instanceof FileNode file ? file.end() : 0;
  }

  /**
   * All that is in a file.
   *
   * @throws IllegalArgumentException if there is none of that name
   */
  public byte[] read(String path) {
    if (tree.find(path) instanceof FileNode file) {
      return file.bytes();
    }
    throw new IllegalArgumentException(path + " is no file");
  }

  /**
   * Has these bytes, and no others, in a file on the disk; it and its directories are made if they
   * are not there. Not while a process lives.
   */
  public void write(String path, byte[] bytes) {
    requireIdle();
    tree.put(path, bytes);
  }

  /** A copy of all files as processes see them. */
  public DiskImage image() {
    return new DiskImage(tree.copy(new DiskSpace()));
  }

  /** Has what is in the image, and nothing else, on the disk. Not while a process lives. */
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

package io.entroq.simulator.disk;

import io.entroq.simulator.virtual.SeededRandom;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The changes of names that are not on the disk yet, oldest first. Forcing a directory writes all
 * of its changes. A power loss undoes none, some or all changes of each directory, the newest
 * first. A move between directories is undone in both or in neither.
 */
final class NameChanges {
  private final List<NameChange> pending = new ArrayList<>();

  void make(NameChange change) {
    change.make();
    pending.add(change);
  }

  void force(DirectoryNode directory) {
    Set<NameChange> covered = new HashSet<>();
    eachCoveredBy(directory, covered::add);
    pending.removeIf(covered::contains);
  }

  void promise(DirectoryNode directory) {
    eachCoveredBy(directory, NameChange::promise);
  }

  /**
   * The changes of a directory, and the earlier changes of directories that it exchanged nodes
   * with.
   */
  private void eachCoveredBy(DirectoryNode directory, Consumer<NameChange> to) {
    Set<DirectoryNode> directories = new HashSet<>();
    directories.add(directory);
    for (int i = pending.size() - 1; i >= 0; i--) {
      NameChange change = pending.get(i);
      if (directories.contains(change.from()) || directories.contains(change.to())) {
        addNonNull(directories, change.from());
        addNonNull(directories, change.to());
        to.accept(change);
      }
    }
  }

  /** All changes are on the disk. */
  void clear() {
    pending.clear();
  }

  void losePower(SeededRandom random, PowerLoss loss) {
    List<NameChange> undone = chooseUndone(random);
    for (int i = undone.size() - 1; i >= 0; i--) {
      undone.get(i).undo();
      loss.onNameUndone(undone.get(i).isPromised());
    }
    pending.clear();
  }

  private List<NameChange> chooseUndone(SeededRandom random) {
    Map<DirectoryNode, Integer> left = chooseKept(random);
    Set<DirectoryNode> ended = new HashSet<>();
    List<NameChange> undone = new ArrayList<>();
    for (NameChange change : pending) {
      boolean isKept = isKept(change.from(), left, ended);
      if (change.to() != change.from()) {
        isKept &= isKept(change.to(), left, ended);
      }
      if (!isKept) {
        addNonNull(ended, change.from());
        addNonNull(ended, change.to());
        undone.add(change);
      }
    }
    return undone;
  }

  /** How many changes of each directory are kept, unless those of another prevent it. */
  private Map<DirectoryNode, Integer> chooseKept(SeededRandom random) {
    Map<DirectoryNode, Integer> counts = new HashMap<>();
    List<DirectoryNode> directories = new ArrayList<>();
    for (NameChange change : pending) {
      count(change.from(), counts, directories);
      if (change.to() != change.from()) {
        count(change.to(), counts, directories);
      }
    }
    for (DirectoryNode directory : directories) {
      counts.computeIfPresent(directory, (key, count) -> random.below(count + 1));
    }
    return counts;
  }

  private static void count(
      DirectoryNode directory, Map<DirectoryNode, Integer> counts, List<DirectoryNode> order) {
    if (directory != null && counts.merge(directory, 1, Integer::sum) == 1) {
      order.add(directory);
    }
  }

  private static boolean isKept(
      DirectoryNode directory, Map<DirectoryNode, Integer> left, Set<DirectoryNode> ended) {
    if (directory == null) {
      return true;
    }
    int more = left.get(directory);
    left.put(directory, more - 1);
    return more > 0 && !ended.contains(directory);
  }

  /** Whether a name on the path to a file has changed and is not on the disk. */
  boolean affects(String path, DirectoryTree tree) {
    boolean isAffected = false;
    for (int end = path.length();
        end > 0 && !pending.isEmpty();
        end = path.lastIndexOf('/', end - 1)) {
      Node node = tree.find(path.substring(0, end));
      isAffected |= pending.stream().anyMatch(change -> change.makes(node));
    }
    return isAffected;
  }

  private static void addNonNull(Set<DirectoryNode> directories, DirectoryNode directory) {
    if (directory != null) {
      directories.add(directory);
    }
  }
}

package io.entroq.simulator.policy;

import io.entroq.simulator.undo.Cells;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Which queues are pools, and of what: a matter of names and policies alone. */
public final class PoolShape {
  private static final int LEVELS_MAX = 3;
  private static final byte[] DEAD = {'e', 'r', 'r'};

  private final Cells cells;
  private final PolicyTable policies;

  public PoolShape(Cells cells, PolicyTable policies) {
    this.cells = cells;
    this.policies = policies;
  }

  /** The name without its last segment; null if a queue of that name has no such member. */
  static byte[] parent(byte[] queue) {
    int slash = queue.length - 1;
    while (slash >= 0 && queue[slash] != '/') {
      slash--;
    }
    byte[] segment = Arrays.copyOfRange(queue, slash + 1, queue.length);
    boolean isMember = slash > 0 && segment.length > 0 && !Arrays.equals(segment, DEAD);
    return isMember ? Arrays.copyOf(queue, slash) : null;
  }

  /** How many levels of pools there are from a queue down; 0 if it is no pool. */
  int depth(byte[] queue) {
    int exact = exactRules(queue);
    if (exact != Cells.NONE && cells.get(exact + PolicyTable.FAIR) != 0) {
      return Math.max(1, cells.ref(exact + PolicyTable.POOL_DEPTH));
    }
    if (!policies.groups(queue).isEmpty()) {
      return 0;
    }
    byte[] parent = parent(queue);
    return parent == null ? 0 : Math.max(0, depth(parent) - 1);
  }

  /** By which rule a pool chooses. */
  int fair(byte[] pool) {
    int exact = exactRules(pool);
    boolean isOwn = exact != Cells.NONE && cells.get(exact + PolicyTable.FAIR) != 0;
    return isOwn ? cells.ref(exact + PolicyTable.FAIR) : fair(parent(pool));
  }

  private int exactRules(byte[] queue) {
    int exact = policies.exact(queue);
    return exact != Cells.NONE && cells.get(exact + PolicyTable.HAS_RULES) != 0
        ? exact
        : Cells.NONE;
  }

  /** The pool that a pool is a member of; null if there is none. */
  byte[] poolAbove(byte[] queue) {
    byte[] parent = parent(queue);
    return parent != null && depth(parent) > 0 ? parent : null;
  }

  /** The names of the pools that make more levels of pools than there may be. */
  public List<byte[]> tooDeep() {
    List<byte[]> found = new ArrayList<>();
    for (int place = 0; place < policies.places(); place++) {
      int policy = policies.at(place);
      if (policy != Cells.NONE && cells.get(policy + PolicyTable.FAIR) != 0) {
        byte[] name = policies.nameOf(policy);
        int levels = depth(name);
        for (byte[] pool = poolAbove(name); pool != null; pool = poolAbove(pool)) {
          levels++;
        }
        if (levels > LEVELS_MAX) {
          found.add(name);
        }
      }
    }
    return found;
  }

  /** Whether a queue is the same as another, or above it by its name. */
  public static boolean isAbove(byte[] queue, byte[] other) {
    return Arrays.equals(queue, other)
        || (other.length > queue.length
            && other[queue.length] == '/'
            && Arrays.equals(queue, Arrays.copyOf(other, queue.length)));
  }
}

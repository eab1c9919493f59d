package io.entroq.engine.policy;

import io.entroq.engine.memory.Slab;
import org.agrona.DirectBuffer;

/**
 * Which queues are pools, by their names: those whose own policy says so, and their members down to
 * its depth. The parent of a queue has its name without the last segment, unless that is empty or
 * {@code err}.
 */
final class PoolNames {

  /** The most levels of pools above each other. */
  static final int LEVELS_MAX = 3;

  private static final byte SLASH = '/';
  private static final byte[] ERR = {'e', 'r', 'r'};

  /** Finds the policy of the exact name of a queue. */
  interface Policies {
    /** The policy of a queue with rules of pools or topics, or {@link Slab#NONE}. */
    int find(DirectBuffer buffer, int offset, int length);

    /** How many levels of pools a policy makes; 0: the queue is a topic. */
    int depth(int policy);
  }

  private final Policies policies;
  private int source;
  private int depth;

  PoolNames(Policies policies) {
    this.policies = policies;
  }

  /** Looks up whether a queue is a pool. Changes nothing. */
  PoolNames find(DirectBuffer buffer, int offset, int length) {
    depth = 0;
    int ofParent = length;
    for (int above = 0; above < LEVELS_MAX && ofParent > 0; above++) {
      source = policies.find(buffer, offset, ofParent);
      if (source != Slab.NONE) {
        depth = Math.max(0, policies.depth(source) - above);
        return this;
      }
      ofParent = parentLength(buffer, offset, ofParent);
    }
    source = Slab.NONE;
    return this;
  }

  /** How many levels of pools begin with the queue; 0: it is none. */
  int depth() {
    return depth;
  }

  /** The policy that makes it a pool: its own, or that of a pool above. */
  int source() {
    return source;
  }

  /** How many pools are directly above each other above a queue; counts up to 4. */
  int above(DirectBuffer buffer, int offset, int length) {
    int count = 0;
    int ofParent = parentLength(buffer, offset, length);
    while (ofParent > 0 && count <= LEVELS_MAX && find(buffer, offset, ofParent).depth() > 0) {
      count++;
      ofParent = parentLength(buffer, offset, ofParent);
    }
    return count;
  }

  /** The length of the name of a queue's parent; 0 if it has none. */
  static int parentLength(DirectBuffer buffer, int offset, int length) {
    int slash = length - 1;
    while (slash >= 0 && buffer.getByte(offset + slash) != SLASH) {
      slash--;
    }
    int segment = slash + 1;
    return slash <= 0 || segment == length || isErr(buffer, offset + segment, length - segment)
        ? 0
        : slash;
  }

  private static boolean isErr(DirectBuffer buffer, int offset, int length) {
    if (length != ERR.length) {
      return false;
    }
    for (int i = 0; i < length; i++) {
      if (buffer.getByte(offset + i) != ERR[i]) {
        return false;
      }
    }
    return true;
  }
}

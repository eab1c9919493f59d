package io.entroq.engine.policy;

import io.entroq.engine.memory.Slab;
import io.entroq.engine.memory.SlotHeap;

/**
 * The members of a pool that have the same shared limiters: the open ones in the order of the pool,
 * and those with claims to be served in or below them. When a limiter closes, the pool leaves out
 * the group, however many members it has; they keep their places.
 */
final class MemberGroup {

  private final PoolNodes nodes;
  private final int[] limiters = new int[Resolution.LIMITERS_MAX];
  private int pool;
  private int members;
  private boolean isPermitted;
  private long opensMs;

  /** In the heaps of the pool and of the groups that open in time. */
  int openPosition;

  int bestPosition;
  int opensPosition;

  final SlotHeap open =
      new SlotHeap() {
        @Override
        protected boolean before(int a, int b) {
          return nodes.isBefore(a, b);
        }

        @Override
        protected void moved(int node, int position) {
          nodes.slab.putInt(node, PoolNodes.MEMBER_POSITION, position);
        }
      };

  final SlotHeap waiting =
      new SlotHeap() {
        @Override
        protected boolean before(int a, int b) {
          return best(a) < best(b);
        }

        @Override
        protected void moved(int node, int position) {
          nodes.slab.putInt(node, PoolNodes.BEST_POSITION, position);
        }
      };

  MemberGroup(PoolNodes nodes) {
    this.nodes = nodes;
  }

  private long best(int node) {
    return nodes.slab.getLong(node, PoolNodes.BEST);
  }

  /** Begins as the empty group of a pool and of limiters, some or all of which may be no slots. */
  void begin(int ofPool, int[] ofLimiters) {
    pool = ofPool;
    System.arraycopy(ofLimiters, 0, limiters, 0, limiters.length);
    isPermitted = true;
    opensMs = Long.MAX_VALUE;
    openPosition = Slab.NONE;
    bestPosition = Slab.NONE;
    opensPosition = Slab.NONE;
  }

  boolean isFor(int[] wanted) {
    for (int i = 0; i < limiters.length; i++) {
      if (limiters[i] != wanted[i]) {
        return false;
      }
    }
    return true;
  }

  int pool() {
    return pool;
  }

  /** The limiter at a position, or {@link Slab#NONE}. */
  int limiter(int position) {
    return limiters[position];
  }

  /** Counts a member that comes, or one that goes; returns how many there are. */
  int count(int by) {
    members += by;
    return members;
  }

  /** Whether its limiters permit a start. */
  boolean isPermitted() {
    return isPermitted;
  }

  /** When its limiters permit a start, if only time keeps them from it; the largest if not. */
  long opensMs() {
    return opensMs;
  }

  void permitted(boolean isNow, long otherwiseMs) {
    isPermitted = isNow;
    opensMs = isNow ? Long.MAX_VALUE : otherwiseMs;
  }

  /** The sequence of the oldest claim to be served, or the largest number. */
  long best() {
    return waiting.size() == 0 ? Long.MAX_VALUE : best(waiting.root());
  }

  void close() {
    open.close();
    waiting.close();
  }
}

package io.entroq.engine.policy;

import io.entroq.engine.memory.Slab;
import io.entroq.engine.queue.QueueStore;
import io.entroq.engine.queue.QueuesByName;
import org.agrona.collections.IntArrayList;

/**
 * Has queues of pools looked up after policies were written: nothing else would tell a pool that a
 * member may start more, or that it has a member. If there are few queues, all in the same step;
 * otherwise a part of them, by their names, in each step.
 */
public final class PoolWalk {

  /** No walk is under way. */
  public static final int DONE = -1;

  private static final int AT_ONCE_MAX = 1000;

  /** Looks up a queue. */
  public interface Look {
    void at(int queue);
  }

  private final QueueStore queues;
  private final RuledQueues ruled;

  /** The queues that have the names of policies written in this step. */
  private final IntArrayList named = new IntArrayList();

  private final IntArrayList found = new IntArrayList();

  /** Those found, in an order of their names. */
  private final QueuesByName inOrder;

  private int part = DONE;

  public PoolWalk(QueueStore queues, RuledQueues ruled) {
    this.queues = queues;
    this.ruled = ruled;
    this.inOrder = new QueuesByName(queues);
  }

  /**
   * A policy was written.
   *
   * @param queue the one that has its name, or {@link Slab#NONE}
   * @param concernsOthers whether other queues of pools may have to be looked up
   */
  void written(int queue, boolean concernsOthers) {
    if (queue != Slab.NONE) {
      named.addInt(queue);
    }
    if (concernsOthers) {
      part = 0;
    }
  }

  /** Whether queues are still to be looked up. */
  public boolean isUnderWay() {
    return part != DONE || !named.isEmpty();
  }

  /** The next part, or {@link #DONE}. */
  public int part() {
    return part;
  }

  /** Whether a number of an image may be a part. */
  public boolean isPart(int number) {
    return number >= DONE && number < queues.partCount();
  }

  public void part(int next) {
    part = next;
  }

  /** Does what is to be done in this step. */
  public void next(Look look) {
    for (int i = 0; i < named.size(); i++) {
      int queue = named.getInt(i);
      if (queues.isAlive(queue) && ruled.placement().belongs(queue)) {
        look(queue, look);
      }
    }
    named.clear();
    boolean isSmall = queues.size() <= AT_ONCE_MAX;
    while (part != DONE) {
      lookAtPart(look);
      part = part + 1 == queues.partCount() ? DONE : part + 1;
      if (!isSmall) {
        return;
      }
    }
  }

  private void lookAtPart(Look look) {
    found.clear();
    queues.collect(part, found);
    for (int i = 0; i < found.size(); i++) {
      if (ruled.placement().belongs(found.getInt(i))) {
        inOrder.add(found.getInt(i));
      }
    }
    while (inOrder.size() > 0) {
      look(inOrder.take(), look);
    }
  }

  private void look(int queue, Look look) {
    look.at(queue);
    // One without tasks that stayed for a time has forgotten until when.
    queues.removeIfUnused(queue);
  }

  public void close() {
    inOrder.close();
  }
}

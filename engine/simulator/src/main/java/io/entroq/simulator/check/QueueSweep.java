package io.entroq.simulator.check;

import io.entroq.simulator.undo.Cells;
import java.util.Arrays;
import org.agrona.collections.IntArrayList;

/**
 * Removes unused queues, so that millions of short-lived names take no memory. A name is removed
 * after its queue, once no undo can bring the queue back.
 */
final class QueueSweep {
  private final Account account;
  private final IntArrayList removed = new IntArrayList();

  /** By name: the newest record when the name was found without a queue; 0 if it has one. */
  private long[] removedAt = new long[64];

  QueueSweep(Account account) {
    this.account = account;
  }

  /**
   * Sweeps once. Takes time in proportion to the names.
   *
   * @param oldest the oldest record that the account may go back to
   */
  void sweep(long oldest) {
    forgetNames(oldest);
    for (int name = 1; name <= account.names.count(); name++) {
      int queue = account.queues.find(name);
      if (queue != Cells.NONE && account.queues.isUnused(queue, account.nowMs)) {
        account.queues.remove(queue);
        note(name);
      } else if (queue == Cells.NONE && account.names.isUsed(name)) {
        // A command has named the queue and not created it.
        note(name);
      }
    }
  }

  private void note(int name) {
    if (name >= removedAt.length) {
      removedAt = Arrays.copyOf(removedAt, name * 2);
    }
    if (removedAt[name] == 0) {
      removedAt[name] = account.sequence;
      removed.addInt(name);
    }
  }

  private void forgetNames(long oldest) {
    int kept = 0;
    for (int i = 0; i < removed.size(); i++) {
      int name = removed.getInt(i);
      if (!account.names.isUsed(name) || account.queues.find(name) != Cells.NONE) {
        removedAt[name] = 0;
        continue;
      }
      if (removedAt[name] < oldest) {
        removedAt[name] = 0;
        account.names.forget(name);
      } else {
        removed.setInt(kept++, name);
      }
    }
    while (removed.size() > kept) {
      removed.removeAt(removed.size() - 1);
    }
  }
}

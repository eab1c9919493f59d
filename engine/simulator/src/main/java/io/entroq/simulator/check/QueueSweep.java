package io.entroq.simulator.check;

import io.entroq.simulator.undo.Cells;
import java.util.Arrays;
import org.agrona.collections.IntArrayList;

/**
 * Forgets unused queues, so that millions of short-lived names take no memory. A name is forgotten
 * after its queue, once nothing can bring the queue back.
 */
final class QueueSweep {
  private final Account account;
  private final IntArrayList removed = new IntArrayList();

  /**
   * By number of the name: the newest record when it was found without a queue; 0 if it was not.
   */
  private long[] removedAt = new long[64];

  QueueSweep(Account account) {
    this.account = account;
  }

  /**
   * Sweeps once; takes time in proportion to the names.
   *
   * @param oldest the oldest record that the account may go back to
   */
  void sweep(long oldest) {
    forgetNames(oldest);
    for (int name = 1; name <= account.names.count(); name++) {
      int queue = account.queues.find(name);
      if (queue != Cells.NONE && account.queues.isUnused(queue)) {
        account.queues.remove(queue);
        note(name);
      } else if (queue == Cells.NONE && account.names.isUsed(name)) {
        // Of a queue that a command has named and not made.
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

package io.entroq.simulator.check;

import java.util.Arrays;
import org.agrona.collections.IntArrayList;

/**
 * Forgets queues that are not used any more, so that names that come and go by the million take no
 * room. A name goes later than its queue: only when nothing can bring that back.
 */
final class QueueSweep {
  private final Account account;
  private final IntArrayList removed = new IntArrayList();

  /** By number of the name: the newest record when its queue was removed. */
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
        if (name >= removedAt.length) {
          removedAt = Arrays.copyOf(removedAt, name * 2);
        }
        removedAt[name] = account.sequence;
        removed.addInt(name);
      }
    }
  }

  private void forgetNames(long oldest) {
    int kept = 0;
    for (int i = 0; i < removed.size(); i++) {
      int name = removed.getInt(i);
      if (!account.names.isUsed(name) || account.queues.find(name) != Cells.NONE) {
        continue;
      }
      if (removedAt[name] < oldest) {
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

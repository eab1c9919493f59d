package io.entroq.engine.state;

import io.entroq.codec.command.ChangeDecoder;
import io.entroq.codec.command.ModifyDecoder;
import io.entroq.codec.command.TaskItem;
import io.entroq.codec.message.ChangeModes;
import io.entroq.codec.result.ItemKinds;
import io.entroq.codec.result.ResultCodes;
import io.entroq.engine.memory.Slab;
import io.entroq.engine.queue.QueueDeltas;
import io.entroq.engine.queue.QueueStore;
import io.entroq.engine.task.TaskStore;

/**
 * Checks whether a Modify would make a queue larger than the limit that it gives. It compares the
 * size of each queue after the whole Modify, so tasks that leave a queue make room in it. A Modify
 * that does not enlarge a queue is never refused. Changes nothing.
 *
 * <p>The code is {@code NEVER_FITS} if the tasks that the Modify itself leaves in a queue exceed
 * the limit: waiting for others to leave would not help. This depends on the Modify alone, because
 * versions fix which tasks it names.
 *
 * <p>Usually no queue comes near the limit, and one comparison per item is enough. Otherwise the
 * items are counted by queue.
 */
final class QueueLimit {

  private final TaskStore tasks;
  private final QueueStore queues;
  private final ModifyDecoder modify;
  private final QueueDeltas deltas;
  private int itemKind;
  private int itemIndex;
  private long queueTasks;

  QueueLimit(Stores stores, ModifyDecoder modify) {
    this.tasks = stores.tasks;
    this.queues = stores.queues;
    this.modify = modify;
    this.deltas = new QueueDeltas(stores.queues, modify);
  }

  /**
   * Returns the code of a Modify that has passed all other checks.
   *
   * @param found the tasks that it names
   */
  int check(ModifyCheck found) {
    if (!isNear(found)) {
      return ResultCodes.OK;
    }
    count(found);
    int code = decide();
    deltas.clear();
    return code;
  }

  /** Adds the item, the size of its queue and the limit to the reply. */
  void explain(ReplyWriter answers) {
    answers.item(itemKind, itemIndex);
    answers.queueFull(queueTasks, modify.queueTasksMax());
  }

  /** Whether a queue would be too large if every inserted or moved task went into it. */
  private boolean isNear(ModifyCheck found) {
    long room = modify.queueTasksMax() - modify.insertCount() - modify.changeCount();
    for (int i = 0; i < modify.insertCount(); i++) {
      if (size(find(modify.insert(i))) > room) {
        return true;
      }
    }
    for (int i = 0; i < modify.changeCount(); i++) {
      if (isMove(found, i) && size(find(modify.change(i))) > room) {
        return true;
      }
    }
    return false;
  }

  private void count(ModifyCheck found) {
    for (int i = 0; i < modify.insertCount(); i++) {
      deltas.added(ItemKinds.INSERT, i, modify.insert(i));
    }
    for (int i = 0; i < modify.changeCount(); i++) {
      if (isMove(found, i)) {
        deltas.added(ItemKinds.CHANGE, i, modify.change(i));
      }
    }
    for (int i = 0; i < modify.changeCount(); i++) {
      int queue = tasks.queue(found.changed(i));
      if (isMove(found, i)) {
        deltas.removed(queue);
      } else {
        deltas.kept(queue);
      }
    }
    for (int i = 0; i < modify.deleteCount(); i++) {
      deltas.removed(tasks.queue(found.deleted(i)));
    }
    for (int i = 0; i < modify.dependCount(); i++) {
      deltas.kept(tasks.queue(found.depended(i)));
    }
  }

  /** The first queue that never fits takes precedence over one that is merely full now. */
  private int decide() {
    int code = ResultCodes.OK;
    for (int i = 0; i < deltas.size() && code != ResultCodes.NEVER_FITS; i++) {
      long before = size(deltas.queue(i));
      if (deltas.net(i) > 0 && before + deltas.net(i) > modify.queueTasksMax()) {
        boolean neverFits = deltas.own(i) > modify.queueTasksMax();
        if (neverFits) {
          code = refuse(ResultCodes.NEVER_FITS, i, deltas.own(i));
        } else if (code == ResultCodes.OK) {
          code = refuse(ResultCodes.QUEUE_FULL, i, before);
        }
      }
    }
    return code;
  }

  private int refuse(int code, int index, long tasks) {
    itemKind = deltas.itemKind(index);
    itemIndex = deltas.itemIndex(index);
    queueTasks = tasks;
    return code;
  }

  private boolean isMove(ModifyCheck found, int change) {
    ChangeDecoder item = modify.change(change);
    if (item.mode() == ChangeModes.LEASE) {
      return false;
    }
    int queue = tasks.queue(found.changed(change));
    return !queues.isNamed(queue, modify.buffer(), item.queueOffset(), item.queueLength());
  }

  private int find(TaskItem item) {
    return queues.find(modify.buffer(), item.queueOffset(), item.queueLength());
  }

  private long size(int queue) {
    return queue == Slab.NONE ? 0 : queues.taskCount(queue);
  }
}

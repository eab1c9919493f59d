package io.entroq.engine.state;

import io.entroq.codec.command.ModifyDecoder;
import io.entroq.codec.command.TaskItem;
import io.entroq.codec.result.ItemKinds;
import io.entroq.codec.result.ResultCodes;
import io.entroq.engine.memory.Slab;
import io.entroq.engine.queue.QueueDeltas;
import io.entroq.engine.queue.QueueStore;
import io.entroq.engine.task.TaskStore;

/**
 * Whether a Modify would make a queue larger than it says that a queue may be: each queue that it
 * puts tasks into is looked at as it would be after all of it, so that what leaves the queue in the
 * same Modify makes room. What does not make a queue larger is never too much. Changes nothing.
 *
 * <p>Where already those tasks are too many that the Modify itself leaves in a queue, waiting for
 * others to go is of no use, and the answer is another one. This depends on nothing but the Modify:
 * which tasks it names is fixed by their versions.
 *
 * <p>Mostly no queue comes near the limit, and then one look at each is enough. Only else are the
 * items counted by queue.
 */
final class QueueLimit {

  private final TaskStore tasks;
  private final QueueStore queues;
  private final ModifyDecoder modify;
  private final QueueDeltas tally;
  private int itemKind;
  private int itemIndex;
  private long queueTasks;

  QueueLimit(Stores stores, ModifyDecoder modify) {
    this.tasks = stores.tasks;
    this.queues = stores.queues;
    this.modify = modify;
    this.tally = new QueueDeltas(stores.queues, modify);
  }

  /**
   * The code of the Modify, which can be done otherwise.
   *
   * @param found the tasks that it names
   */
  int check(ModifyCheck found) {
    if (!isNear(found)) {
      return ResultCodes.OK;
    }
    count(found);
    int code = decide();
    tally.clear();
    return code;
  }

  /** Puts which queue was too small, and for how many, into the answer that has been begun. */
  void explain(ReplyWriter answers) {
    answers.item(itemKind, itemIndex);
    answers.queueFull(queueTasks, modify.queueTasksMax());
  }

  /** Whether a queue would be too large if all that goes anywhere went into it. */
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
      tally.comes(ItemKinds.INSERT, i, modify.insert(i));
    }
    for (int i = 0; i < modify.changeCount(); i++) {
      if (isMove(found, i)) {
        tally.comes(ItemKinds.CHANGE, i, modify.change(i));
      }
    }
    for (int i = 0; i < modify.changeCount(); i++) {
      int queue = tasks.queue(found.changed(i));
      if (isMove(found, i)) {
        tally.goes(queue);
      } else {
        tally.stays(queue);
      }
    }
    for (int i = 0; i < modify.deleteCount(); i++) {
      tally.goes(tasks.queue(found.deleted(i)));
    }
    for (int i = 0; i < modify.dependCount(); i++) {
      tally.stays(tasks.queue(found.depended(i)));
    }
  }

  /** The first queue that can never be right counts before one that is full only now. */
  private int decide() {
    int code = ResultCodes.OK;
    for (int i = 0; i < tally.size() && code != ResultCodes.NEVER_FITS; i++) {
      long before = size(tally.queue(i));
      if (tally.net(i) > 0 && before + tally.net(i) > modify.queueTasksMax()) {
        boolean neverFits = tally.own(i) > modify.queueTasksMax();
        if (neverFits) {
          code = refuse(ResultCodes.NEVER_FITS, i, tally.own(i));
        } else if (code == ResultCodes.OK) {
          code = refuse(ResultCodes.QUEUE_FULL, i, before);
        }
      }
    }
    return code;
  }

  private int refuse(int code, int index, long tasksToTell) {
    itemKind = tally.itemKind(index);
    itemIndex = tally.itemIndex(index);
    queueTasks = tasksToTell;
    return code;
  }

  private boolean isMove(ModifyCheck found, int change) {
    TaskItem item = modify.change(change);
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

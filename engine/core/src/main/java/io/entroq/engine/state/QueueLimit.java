package io.entroq.engine.state;

import io.entroq.codec.command.ModifyDecoder;
import io.entroq.codec.command.TaskItemDecoder;
import io.entroq.codec.result.ItemKinds;
import io.entroq.engine.memory.Slab;
import io.entroq.engine.queue.QueueStore;
import io.entroq.engine.task.TaskStore;

/**
 * Whether a Modify would make a queue larger than it says that a queue may be: each queue that it
 * puts tasks into is looked at as it would be after all of it, so that what leaves the queue in the
 * same Modify makes room. What does not make a queue larger is never too much. Changes nothing.
 *
 * <p>Mostly no queue comes near the limit, and then one look at each is enough. Only else are the
 * items counted by queue.
 */
final class QueueLimit {

  private final TaskStore tasks;
  private final QueueStore queues;
  private final ModifyDecoder modify;
  private final QueueTally tally;
  private int fullItemKind;
  private int fullItemIndex;
  private long fullTasks;

  QueueLimit(Stores stores, ModifyDecoder modify) {
    this.tasks = stores.tasks;
    this.queues = stores.queues;
    this.modify = modify;
    this.tally = new QueueTally(stores.queues, modify);
  }

  /**
   * Whether the Modify, which can be done otherwise, would put too many tasks into a queue.
   *
   * @param found the tasks that it names
   */
  boolean isExceeded(ModifyCheck found) {
    return isNear(found) && isExceededByCount(found);
  }

  /** Puts how the queue stands that is full into the answer that has been begun. */
  void explain(Answers answers) {
    answers.item(fullItemKind, fullItemIndex);
    answers.queueFull(fullTasks, modify.queueTasksMax());
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

  private boolean isExceededByCount(ModifyCheck found) {
    count(found);
    boolean isExceeded = findFull();
    tally.clear();
    return isExceeded;
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
      if (isMove(found, i)) {
        tally.goes(tasks.queue(found.changed(i)));
      }
    }
    for (int i = 0; i < modify.deleteCount(); i++) {
      tally.goes(tasks.queue(found.deleted(i)));
    }
  }

  private boolean findFull() {
    for (int i = 0; i < tally.size(); i++) {
      long before = size(tally.queue(i));
      int net = tally.net(i);
      if (net > 0 && before + net > modify.queueTasksMax()) {
        fullItemKind = tally.itemKind(i);
        fullItemIndex = tally.itemIndex(i);
        fullTasks = before;
        return true;
      }
    }
    return false;
  }

  private boolean isMove(ModifyCheck found, int change) {
    TaskItemDecoder item = modify.change(change);
    int queue = tasks.queue(found.changed(change));
    return !queues.isNamed(queue, modify.buffer(), item.queueOffset(), item.queueLength());
  }

  private int find(TaskItemDecoder item) {
    return queues.find(modify.buffer(), item.queueOffset(), item.queueLength());
  }

  private long size(int queue) {
    return queue == Slab.NONE ? 0 : queues.taskCount(queue);
  }
}

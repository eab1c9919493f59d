package io.entroq.engine.state;

import io.entroq.codec.command.ModifyDecoder;
import io.entroq.codec.command.TaskItemDecoder;
import io.entroq.codec.result.ItemKinds;
import io.entroq.engine.memory.Mix;
import io.entroq.engine.memory.Slab;
import io.entroq.engine.queue.QueueStore;
import io.entroq.engine.task.Bytes;
import io.entroq.engine.task.TaskStore;
import org.agrona.collections.IntArrayList;
import org.agrona.collections.Long2LongHashMap;
import org.agrona.collections.LongArrayList;

/**
 * Whether a Modify would make a queue larger than it says that a queue may be: each queue that it
 * puts tasks into is looked at as it would be after all of it, so that what leaves the queue in the
 * same Modify makes room. What does not make a queue larger is never too much. Changes nothing.
 *
 * <p>Mostly no queue comes near the limit, and then one look at each is enough. Only else are the
 * items counted by queue.
 */
final class QueueLimit {

  private static final long NONE = -1;

  // What is known of a queue that tasks go into, in the order in which they first do.
  private static final int QUEUE = 0;
  private static final int NET = 1;
  private static final int ITEM_KIND = 2;
  private static final int ITEM_INDEX = 3;
  private static final int NAME_OFFSET = 4;
  private static final int NAME_LENGTH = 5;
  private static final int NEXT_OF_HASH = 6;
  private static final int TARGET_INTS = 7;

  private final TaskStore tasks;
  private final QueueStore queues;
  private final ModifyDecoder modify;
  private final Bytes name = new Bytes();
  private final IntArrayList targets = new IntArrayList();
  private final LongArrayList hashes = new LongArrayList();

  /** The latest of the queues whose names have a hash. */
  private final Long2LongHashMap latest = new Long2LongHashMap(NONE);

  private int fullItemKind;
  private int fullItemIndex;
  private long fullTasks;

  QueueLimit(Stores stores, ModifyDecoder modify) {
    this.tasks = stores.tasks;
    this.queues = stores.queues;
    this.modify = modify;
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
    for (int i = 0; i < modify.insertCount(); i++) {
      comes(ItemKinds.INSERT, i, modify.insert(i));
    }
    for (int i = 0; i < modify.changeCount(); i++) {
      if (isMove(found, i)) {
        comes(ItemKinds.CHANGE, i, modify.change(i));
      }
    }
    for (int i = 0; i < modify.changeCount(); i++) {
      if (isMove(found, i)) {
        goes(tasks.queue(found.changed(i)));
      }
    }
    for (int i = 0; i < modify.deleteCount(); i++) {
      goes(tasks.queue(found.deleted(i)));
    }
    boolean isExceeded = findFull();
    forget();
    return isExceeded;
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

  private void comes(int kind, int index, TaskItemDecoder item) {
    long hash = Mix.bytes(modify.buffer(), item.queueOffset(), item.queueLength());
    int target = (int) latest.get(hash);
    while (target != NONE && !isTarget(target, item)) {
      target = targets.getInt(target + NEXT_OF_HASH);
    }
    count(target == NONE ? add(hash, kind, index, item) : target, 1);
  }

  private boolean isTarget(int target, TaskItemDecoder item) {
    name.set(
        modify.buffer(),
        targets.getInt(target + NAME_OFFSET),
        targets.getInt(target + NAME_LENGTH));
    return name.matches(modify.buffer(), item.queueOffset(), item.queueLength());
  }

  private int add(long hash, int kind, int index, TaskItemDecoder item) {
    int target = targets.size();
    targets.addInt(find(item));
    targets.addInt(0);
    targets.addInt(kind);
    targets.addInt(index);
    targets.addInt(item.queueOffset());
    targets.addInt(item.queueLength());
    targets.addInt((int) latest.put(hash, target));
    hashes.addLong(hash);
    return target;
  }

  private void goes(int queue) {
    int target = (int) latest.get(queues.nameHash(queue));
    while (target != NONE && targets.getInt(target + QUEUE) != queue) {
      target = targets.getInt(target + NEXT_OF_HASH);
    }
    if (target != NONE) {
      count(target, -1);
    }
  }

  private void count(int target, int by) {
    targets.setInt(target + NET, targets.getInt(target + NET) + by);
  }

  private boolean findFull() {
    for (int target = 0; target < targets.size(); target += TARGET_INTS) {
      long before = size(targets.getInt(target + QUEUE));
      int net = targets.getInt(target + NET);
      if (net > 0 && before + net > modify.queueTasksMax()) {
        fullItemKind = targets.getInt(target + ITEM_KIND);
        fullItemIndex = targets.getInt(target + ITEM_INDEX);
        fullTasks = before;
        return true;
      }
    }
    return false;
  }

  /** One by one: emptying the map takes as long as the largest Modify that there was. */
  private void forget() {
    for (int i = 0; i < hashes.size(); i++) {
      latest.remove(hashes.getLong(i));
    }
    hashes.clear();
    targets.clear();
  }
}

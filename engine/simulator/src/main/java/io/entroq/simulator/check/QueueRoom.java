package io.entroq.simulator.check;

import io.entroq.codec.command.ModifyDecoder;
import io.entroq.codec.command.TaskItem;
import io.entroq.codec.result.ItemKinds;
import io.entroq.codec.result.ResultCodes;
import io.entroq.simulator.undo.Cells;
import java.util.Arrays;

/**
 * Whether a modify that is right otherwise makes a queue larger than it may be. Each queue is
 * looked at as it would be after all of it. Where already the modify's own tasks are too many, that
 * is another answer.
 */
final class QueueRoom {
  private static final int LEVEL = 3;

  private final Account account;
  private final Cells cells;

  /** By the numbers of their names: a queue that a modify would make is not there yet. */
  private int[] queues = new int[16];

  private int[] kinds = new int[16];
  private int[] indexes = new int[16];
  private int queueCount;
  private int code;
  private int item;
  private long queueTasks;

  QueueRoom(Account account) {
    this.account = account;
    this.cells = account.cells;
  }

  /** Whether there is too little room; then the rest says where. */
  boolean isShort(ModifyDecoder modify, ModifyCheck check) {
    if (modify.queueTasksMax() == 0 || account.level() < LEVEL) {
      return false;
    }
    findQueues(modify, check);
    code = ResultCodes.OK;
    for (int i = 0; i < queueCount && code != ResultCodes.NEVER_FITS; i++) {
      look(i, modify, check);
    }
    return code != ResultCodes.OK;
  }

  private void findQueues(ModifyDecoder modify, ModifyCheck check) {
    queueCount = 0;
    for (int i = 0; i < modify.insertCount(); i++) {
      add(target(modify, modify.insert(i)), ItemKinds.INSERT, i);
    }
    for (int i = 0; i < modify.changeCount(); i++) {
      int queue = target(modify, modify.change(i));
      if (queue != queueOf(check.changed(i))) {
        add(queue, ItemKinds.CHANGE, i);
      }
    }
  }

  private int target(ModifyDecoder modify, TaskItem item) {
    return account.names.number(modify.buffer(), item.queueOffset(), item.queueLength());
  }

  private int queueOf(int task) {
    return cells.ref(cells.ref(task + Tasks.QUEUE) + Queues.NAME);
  }

  private long tasks(int queue) {
    int block = account.queues.find(queue);
    return block == Cells.NONE ? 0 : cells.get(block + Queues.TASKS);
  }

  private void add(int queue, int kind, int index) {
    for (int i = 0; i < queueCount; i++) {
      if (queues[i] == queue) {
        return;
      }
    }
    if (queueCount == queues.length) {
      queues = Arrays.copyOf(queues, queueCount * 2);
      kinds = Arrays.copyOf(kinds, queueCount * 2);
      indexes = Arrays.copyOf(indexes, queueCount * 2);
    }
    queues[queueCount] = queue;
    kinds[queueCount] = kind;
    indexes[queueCount++] = index;
  }

  private void look(int place, ModifyDecoder modify, ModifyCheck check) {
    int queue = queues[place];
    long max = modify.queueTasksMax();
    long before = tasks(queue);
    if (before + modify.insertCount() + modify.changeCount() <= max) {
      return;
    }
    long own = 0;
    long net = 0;
    for (int i = 0; i < modify.insertCount(); i++) {
      if (target(modify, modify.insert(i)) == queue) {
        own++;
        net++;
      }
    }
    for (int i = 0; i < modify.changeCount(); i++) {
      boolean wasThere = queueOf(check.changed(i)) == queue;
      boolean isThere = target(modify, modify.change(i)) == queue;
      own += isThere ? 1 : 0;
      net += (isThere ? 1 : 0) - (wasThere ? 1 : 0);
    }
    for (int i = 0; i < modify.deleteCount(); i++) {
      net -= queueOf(check.deleted(i)) == queue ? 1 : 0;
    }
    for (int i = 0; i < modify.dependCount(); i++) {
      own += queueOf(check.depended(i)) == queue ? 1 : 0;
    }
    if (net > 0 && before + net > max) {
      decide(place, own > max ? ResultCodes.NEVER_FITS : ResultCodes.QUEUE_FULL, own, before);
    }
  }

  /** The first queue that can never be right counts before one that is full only now. */
  private void decide(int place, int why, long own, long before) {
    if (why == ResultCodes.NEVER_FITS || code == ResultCodes.OK) {
      code = why;
      item = place;
      queueTasks = why == ResultCodes.NEVER_FITS ? own : before;
    }
  }

  int code() {
    return code;
  }

  int itemKind() {
    return kinds[item];
  }

  int itemIndex() {
    return indexes[item];
  }

  /** How many tasks the queue has, or would have of the modify's own. */
  long queueTasks() {
    return queueTasks;
  }
}

package io.entroq.engine.queue;

import io.entroq.codec.message.FieldLimits;
import io.entroq.engine.memory.ChunkReader;
import io.entroq.engine.memory.ImageException;
import io.entroq.engine.memory.Slab;
import io.entroq.engine.memory.SlotMap;
import io.entroq.engine.task.Bytes;
import io.entroq.engine.task.Holds;
import io.entroq.engine.task.TaskStore;

/**
 * Loads the queues of an image and fills their indexes with tasks: {@link #load} for each item;
 * after all queues and tasks, {@link #beginLinks}, {@link #place} for each task, {@link #endLinks}.
 */
public final class QueueLoader {

  private final QueueStore queues;
  private final TaskStore tasks;
  private final ReadyIndex ready;
  private final ArrivalIndex arrivals;
  private final ClaimsCounts claimsCounts;
  private final SlotMap slots = new SlotMap("queue");

  /** The next younger neighbor of each ready task, compact for the walk along the lists. */
  private int[] younger = {};

  /** The queue of each task, compact for the same walk. */
  private int[] queueOf = {};

  public QueueLoader(
      QueueStore queues,
      TaskStore tasks,
      ReadyIndex ready,
      ArrivalIndex arrivals,
      ClaimsCounts claimsCounts) {
    this.queues = queues;
    this.tasks = tasks;
    this.ready = ready;
    this.arrivals = arrivals;
    this.claimsCounts = claimsCounts;
  }

  /** Adds the queue of an item; its task slots are still those of the image. */
  public void load(ChunkReader in) {
    int old = in.getInt();
    int readySize = size(in, "ready tasks");
    int waitingSize = size(in, "waiting tasks");
    int oldest = in.getInt();
    int toServe = in.getInt();
    in.require((toServe & ~1) == 0, "mark of a queue to be served", toServe);
    int nextToServe = in.getInt();
    int length = in.getInt();
    in.require(length > 0, "bytes of name", length);
    int name = in.takeText(length, FieldLimits.TEXT_BYTES_MAX);
    in.require(
        queues.find(in.buffer(), name, length) == Slab.NONE, "name known already, queue", old);
    int queue = queues.add(in.buffer(), name, length);
    slots.add(old, queue);
    queues.slab.putInt(queue, QueueStore.READY_SIZE, readySize);
    queues.slab.putInt(queue, QueueStore.WAITING_SIZE, waitingSize);
    queues.slab.putInt(queue, QueueStore.OLDEST, oldest);
    queues.isToServe(queue, toServe != 0);
    queues.nextToServe(queue, nextToServe);
  }

  private static int size(ChunkReader in, String what) {
    int size = in.getInt();
    in.require(size >= 0, what, size);
    return size;
  }

  public SlotMap slots() {
    return slots;
  }

  /** Makes room for the tasks, after checking that the sizes of the queues add up. */
  public void beginLinks() {
    long expected = 0;
    for (int queue = 0; queue < queues.highWater(); queue++) {
      expected += queues.readyCount(queue);
      expected += queues.waitingCount(queue);
    }
    if (expected != tasks.size()) {
      throw new ImageException(
          "its queues have " + expected + " tasks, and it has " + tasks.size());
    }
    for (int queue = 0; queue < queues.highWater(); queue++) {
      ready.arrays.create(queue, queues.readyCount(queue));
      arrivals.arrays.create(queue, queues.waitingCount(queue));
    }
    younger = new int[tasks.size()];
    queueOf = new int[tasks.size()];
  }

  /** Puts a task, whose queue is already the new slot, at its position. */
  public void place(int task, SlotMap taskSlots) {
    int queue = tasks.queue(task);
    int position = tasks.position(task);
    boolean isWaiting = tasks.isWaiting(task);
    int size = isWaiting ? queues.waitingCount(queue) : queues.readyCount(queue);
    if (position < 0 || position >= size) {
      throw wrong(queue, "has no place " + position);
    }
    // Write only: reading these scattered positions would wait for memory.
    if (isWaiting) {
      arrivals.arrays.put(queue, position, task);
    } else {
      ready.arrays.put(queue, position, task);
    }
    queueOf[task] = queue;
    claimsCounts.add(queue, tasks.claims(task));
    queues.addBytes(queue, tasks.contentLength(task));
    queues.addInFlight(queue, Holds.isInFlight(tasks.hold(task)) ? 1 : 0);
    if (isWaiting) {
      arrivals.count(queue, task, 1);
      younger[task] = task;
    } else {
      int next = taskSlots.link(tasks.next(task));
      younger[task] = next;
      tasks.next(task, next);
    }
  }

  /** Links the ready tasks and checks the order of the waiting ones, after the last task. */
  public void endLinks(SlotMap taskSlots) {
    for (int queue = 0; queue < queues.highWater(); queue++) {
      checkPlaces(queue);
      linkReady(queue, taskSlots.link(queues.slab.getInt(queue, QueueStore.OLDEST)));
      if (!arrivals.isInOrder(queue)) {
        throw wrong(queue, "has waiting tasks that are not in order");
      }
    }
    younger = new int[0];
    queueOf = new int[0];
  }

  /** There are as many tasks as positions: if none is empty, no two tasks share one. */
  private void checkPlaces(int queue) {
    if (ready.arrays.hasEmpty(queue, queues.readyCount(queue))
        || arrivals.arrays.hasEmpty(queue, queues.waitingCount(queue))) {
      throw wrong(queue, "has a place with no task and one with two");
    }
  }

  /**
   * Walks along the list of one queue. A visited task becomes its own younger neighbor, as a
   * waiting task is from the start, so no task can be visited twice.
   */
  private void linkReady(int queue, int oldest) {
    int size = queues.readyCount(queue);
    int previous = Slab.NONE;
    int task = oldest;
    for (int i = 0; i < size; i++) {
      int next = task == Slab.NONE ? task : younger[task];
      if (task == Slab.NONE || next == task || queueOf[task] != queue) {
        throw wrong(queue, "has a list of ready tasks that ends after " + i + " of " + size);
      }
      younger[task] = task;
      tasks.previous(task, previous);
      ready.late.add(queue, task, i == 0);
      previous = task;
      task = next;
    }
    if (task != Slab.NONE) {
      throw wrong(queue, "has a list of more ready tasks than " + size);
    }
    queues.slab.putInt(queue, QueueStore.OLDEST, size == 0 ? Slab.NONE : oldest);
    queues.slab.putInt(queue, QueueStore.YOUNGEST, previous);
  }

  /** An exception that names a queue. */
  public ImageException wrong(int queue, String what) {
    Bytes name = new Bytes();
    queues.name(queue, name);
    String text = name.buffer().getStringWithoutLengthUtf8(name.offset(), name.length());
    return new ImageException("queue " + text + " " + what);
  }
}

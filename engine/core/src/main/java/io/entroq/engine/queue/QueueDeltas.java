package io.entroq.engine.queue;

import io.entroq.codec.command.ModifyDecoder;
import io.entroq.codec.command.TaskItem;
import io.entroq.engine.memory.Mix;
import io.entroq.engine.memory.Slab;
import io.entroq.engine.task.Bytes;
import org.agrona.collections.IntArrayList;
import org.agrona.collections.Long2LongHashMap;
import org.agrona.collections.LongArrayList;

/**
 * Counts by queue what one Modify would do, for the queues that it puts tasks into; they need not
 * be there yet. First say what comes, then the rest. Allocates nothing once it is large enough.
 */
public final class QueueDeltas {

  private static final long NONE = -1;

  // What is known of a queue.
  private static final int SLOT = 0;
  private static final int NET = 1;
  private static final int OWN = 2;
  private static final int ITEM_KIND = 3;
  private static final int ITEM_INDEX = 4;
  private static final int NAME_OFFSET = 5;
  private static final int NAME_LENGTH = 6;
  private static final int NEXT_OF_HASH = 7;
  private static final int QUEUE_INTS = 8;

  private final QueueStore queues;
  private final ModifyDecoder modify;
  private final Bytes name = new Bytes();
  private final IntArrayList entries = new IntArrayList();
  private final LongArrayList hashes = new LongArrayList();

  /** The latest of the queues whose names have a hash. */
  private final Long2LongHashMap latest = new Long2LongHashMap(NONE);

  public QueueDeltas(QueueStore queues, ModifyDecoder modify) {
    this.queues = queues;
    this.modify = modify;
  }

  /** A task comes into the queue that an item of the Modify names. */
  public void comes(int kind, int index, TaskItem item) {
    long hash = Mix.bytes(modify.buffer(), item.queueOffset(), item.queueLength());
    int entry = (int) latest.get(hash);
    while (entry != NONE && !isNamedBy(entry, item)) {
      entry = entries.getInt(entry + NEXT_OF_HASH);
    }
    if (entry == NONE) {
      entry = add(hash, kind, index, item);
    }
    increase(entry, NET, 1);
    increase(entry, OWN, 1);
  }

  private boolean isNamedBy(int entry, TaskItem item) {
    name.set(
        modify.buffer(), entries.getInt(entry + NAME_OFFSET), entries.getInt(entry + NAME_LENGTH));
    return name.matches(modify.buffer(), item.queueOffset(), item.queueLength());
  }

  private int add(long hash, int kind, int index, TaskItem item) {
    int entry = entries.size();
    entries.addInt(queues.find(modify.buffer(), item.queueOffset(), item.queueLength()));
    entries.addInt(0);
    entries.addInt(0);
    entries.addInt(kind);
    entries.addInt(index);
    entries.addInt(item.queueOffset());
    entries.addInt(item.queueLength());
    entries.addInt((int) latest.put(hash, entry));
    hashes.addLong(hash);
    return entry;
  }

  /** A task leaves a queue. */
  public void goes(int queue) {
    int entry = find(queue);
    if (entry != NONE) {
      increase(entry, NET, -1);
    }
  }

  /** A task of the Modify is in a queue and stays there. */
  public void stays(int queue) {
    int entry = find(queue);
    if (entry != NONE) {
      increase(entry, OWN, 1);
    }
  }

  private int find(int queue) {
    int entry = (int) latest.get(queues.nameHash(queue));
    while (entry != NONE && entries.getInt(entry + SLOT) != queue) {
      entry = entries.getInt(entry + NEXT_OF_HASH);
    }
    return entry;
  }

  private void increase(int entry, int field, int by) {
    entries.setInt(entry + field, entries.getInt(entry + field) + by);
  }

  /** How many queues tasks come into. */
  public int size() {
    return hashes.size();
  }

  /** The slot of a queue, from 0 in the order in which tasks first come; or {@link Slab#NONE}. */
  public int queue(int index) {
    return get(index, SLOT);
  }

  /** How many more tasks come into a queue than leave it. */
  public int net(int index) {
    return get(index, NET);
  }

  /** How many of the Modify's own tasks are in a queue after it: what comes and what stays. */
  public int own(int index) {
    return get(index, OWN);
  }

  /** The list of the first item that puts a task into a queue. */
  public int itemKind(int index) {
    return get(index, ITEM_KIND);
  }

  /** Where that item stands in its list, from 0. */
  public int itemIndex(int index) {
    return get(index, ITEM_INDEX);
  }

  private int get(int index, int field) {
    return entries.getInt(index * QUEUE_INTS + field);
  }

  /** One by one: emptying the map takes as long as the largest Modify that there was. */
  public void clear() {
    for (int i = 0; i < hashes.size(); i++) {
      latest.remove(hashes.getLong(i));
    }
    hashes.clear();
    entries.clear();
  }
}

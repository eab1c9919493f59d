package io.entroq.engine.queue;

import io.entroq.codec.command.ModifyDecoder;
import io.entroq.codec.command.TaskItem;
import io.entroq.engine.memory.Mix;
import io.entroq.engine.memory.Slab;
import io.entroq.engine.task.Bytes;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.collections.IntArrayList;
import org.agrona.collections.Long2LongHashMap;
import org.agrona.collections.LongArrayList;

/**
 * Counts the effect of one Modify on each queue that it puts tasks into, existing or new. Call
 * {@link #added} for all tasks first, then {@link #removed} and {@link #kept}. Allocates nothing
 * once it is large enough.
 */
public final class QueueDeltas {

  private static final long NONE = -1;

  // The fields of a queue's entry.
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
  private final Bytes otherName = new Bytes();

  /** The names of queues that no item names: those of groups. */
  private final ExpandableArrayBuffer copiedNames = new ExpandableArrayBuffer();

  private int copiedBytes;
  private final IntArrayList entries = new IntArrayList();
  private final LongArrayList hashes = new LongArrayList();

  /**
   * By entry: bytes that enter a queue minus those that leave it, and bytes of the Modify in it.
   */
  private final LongArrayList bytes = new LongArrayList();

  /** The latest entry for a hash of a name. */
  private final Long2LongHashMap latest = new Long2LongHashMap(NONE);

  public QueueDeltas(QueueStore queues, ModifyDecoder modify) {
    this.queues = queues;
    this.modify = modify;
  }

  /** Counts a task that enters the queue named by an item. */
  public void added(int kind, int index, TaskItem item) {
    name.set(modify.buffer(), item.queueOffset(), item.queueLength());
    added(kind, index, item, name);
  }

  /** Counts a task of an item that enters another queue than it names. */
  public void added(int kind, int index, TaskItem item, Bytes queueName) {
    int entry = entryOf(kind, index, queueName);
    increase(entry, NET, 1);
    increase(entry, OWN, 1);
    grow(entry, length(item), length(item));
  }

  /**
   * Counts a task that is changed in its queue.
   *
   * @param formerBytes of its value and error text
   */
  public void rewritten(int kind, int index, TaskItem item, int formerBytes) {
    name.set(modify.buffer(), item.queueOffset(), item.queueLength());
    int entry = entryOf(kind, index, name);
    increase(entry, OWN, 1);
    grow(entry, length(item) - (long) formerBytes, length(item));
  }

  private static long length(TaskItem item) {
    return (long) item.valueLength() + item.errLength();
  }

  private void grow(int entry, long net, long own) {
    int at = entry / QUEUE_INTS * 2;
    bytes.setLong(at, bytes.getLong(at) + net);
    bytes.setLong(at + 1, bytes.getLong(at + 1) + own);
  }

  private int entryOf(int kind, int index, Bytes queueName) {
    long hash = Mix.bytes(queueName.buffer(), queueName.offset(), queueName.length());
    int entry = (int) latest.get(hash);
    while (entry != NONE && !isNamed(entry, queueName)) {
      entry = entries.getInt(entry + NEXT_OF_HASH);
    }
    return entry == NONE ? add(hash, kind, index, queueName) : entry;
  }

  private boolean isNamed(int entry, Bytes queueName) {
    name(entries.getInt(entry + NAME_OFFSET), entries.getInt(entry + NAME_LENGTH), otherName);
    return otherName.matches(queueName.buffer(), queueName.offset(), queueName.length());
  }

  private int add(long hash, int kind, int index, Bytes queueName) {
    int entry = entries.size();
    entries.addInt(queues.find(queueName.buffer(), queueName.offset(), queueName.length()));
    entries.addInt(0);
    entries.addInt(0);
    entries.addInt(kind);
    entries.addInt(index);
    entries.addInt(keep(queueName));
    entries.addInt(queueName.length());
    entries.addInt((int) latest.put(hash, entry));
    hashes.addLong(hash);
    bytes.addLong(0);
    bytes.addLong(0);
    return entry;
  }

  /** The offset of a name in the buffer of the Modify, or the complement of one in our own. */
  private int keep(Bytes queueName) {
    if (queueName == name) {
      return queueName.offset();
    }
    int offset = copiedBytes;
    copiedNames.putBytes(offset, queueName.buffer(), queueName.offset(), queueName.length());
    copiedBytes += queueName.length();
    return ~offset;
  }

  /**
   * Points to a name.
   *
   * @param offset as {@link #nameOffset}; valid until names are added after {@link #clear}
   */
  public void name(int offset, int length, Bytes into) {
    if (offset >= 0) {
      into.set(modify.buffer(), offset, length);
    } else {
      into.set(copiedNames, ~offset, length);
    }
  }

  /** Counts a task with bytes of value and error text that leaves a queue. */
  public void removed(int queue, int length) {
    int entry = find(queue);
    if (entry != NONE) {
      grow(entry, -length, 0);
      increase(entry, NET, -1);
    }
  }

  /** Counts a task of the Modify that stays in its queue. */
  public void kept(int queue) {
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

  /** Number of queues that tasks enter. */
  public int size() {
    return hashes.size();
  }

  /** The slot of a queue, or {@link Slab#NONE}; indexed in the order of first entry. */
  public int queue(int index) {
    return get(index, SLOT);
  }

  /** Tasks that enter a queue minus those that leave it. */
  public int net(int index) {
    return get(index, NET);
  }

  /** Tasks of the Modify that are in a queue afterwards. */
  public int own(int index) {
    return get(index, OWN);
  }

  /** Where a queue's name is, for {@link #name}. */
  public int nameOffset(int index) {
    return get(index, NAME_OFFSET);
  }

  public int nameLength(int index) {
    return get(index, NAME_LENGTH);
  }

  /** Bytes of values and error texts that enter a queue minus those that leave it. */
  public long netBytes(int index) {
    return bytes.getLong(2 * index);
  }

  /** Such bytes of the tasks that the Modify inserts, moves or changes there. */
  public long ownBytes(int index) {
    return bytes.getLong(2 * index + 1);
  }

  /** The kind of the first item that puts a task into a queue. */
  public int itemKind(int index) {
    return get(index, ITEM_KIND);
  }

  /** The position of that item in its list, from 0. */
  public int itemIndex(int index) {
    return get(index, ITEM_INDEX);
  }

  private int get(int index, int field) {
    return entries.getInt(index * QUEUE_INTS + field);
  }

  /** Removes entries one by one: clearing the map would cost as much as the largest Modify ever. */
  public void clear() {
    for (int i = 0; i < hashes.size(); i++) {
      latest.remove(hashes.getLong(i));
    }
    hashes.clear();
    bytes.clear();
    entries.clear();
    copiedBytes = 0;
  }
}

package io.entroq.engine.task;

import io.entroq.codec.message.FieldLimits;
import io.entroq.codec.message.MalformedMessageException;
import io.entroq.engine.memory.ChunkReader;
import io.entroq.engine.memory.HashFill;
import io.entroq.engine.memory.ImageException;
import io.entroq.engine.memory.Mix;
import io.entroq.engine.memory.Slab;
import io.entroq.engine.memory.SlotMap;
import org.agrona.UnsafeApi;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Loads the tasks of an image: {@link #load} for each item, which leaves the slots of its queue and
 * neighbor as in the image; after all tasks, {@link #beginLinks}, {@link #link} for each, which
 * replaces the slots, and {@link #endLinks}.
 */
public final class TaskLoader {

  private static final int KNOWN_FLAGS =
      TaskStore.KIND_MASK
          | TaskStore.WAITING
          | TaskStore.CLAIMANT_TEXT
          | TaskImage.ATTRIBUTES_FOLLOW
          | TaskImage.HOLD_MASK
          | TaskImage.SHARES_CONTENT
          | TaskImage.SHARES_VALUE;
  private static final int RECORD_FLAGS =
      TaskStore.KIND_MASK | TaskStore.WAITING | TaskStore.CLAIMANT_TEXT;
  private static final int VALUE_KIND_MAX = 2;

  private final TaskStore tasks;
  private final ExpiryIndex expiries;
  private final SharedContents.Loader shared;
  private final TaskAttributes content = new TaskAttributes();
  private final SlotMap slots = new SlotMap("task");
  private final Bytes value = new Bytes();
  private final Bytes attributes = new Bytes();
  private final Bytes err = new Bytes();
  private final Bytes idText = new Bytes();
  private HashFill fill;

  public TaskLoader(TaskStore tasks, ExpiryIndex expiries) {
    this.tasks = tasks;
    this.expiries = expiries;
    this.shared = new SharedContents.Loader(tasks);
  }

  /** Loads the contents that tasks share. */
  public SharedContents.Loader shared() {
    return shared;
  }

  /**
   * Adds the task of an item.
   *
   * @param sequenceMax the sequence of the image: no task was inserted later
   * @param orderMax the order number assigned last to a waiting task
   */
  public void load(ChunkReader in, long sequenceMax, long orderMax) {
    int slot = tasks.slab.allocate();
    slots.add(in.getInt(), slot);
    long record = tasks.slab.writable(slot);
    int flags = in.getInt();
    in.require((flags & ~KNOWN_FLAGS) == 0, "flags", flags);
    int kind = flags & TaskStore.KIND_MASK;
    in.require(kind <= VALUE_KIND_MAX, "kind of value", kind);
    loadFields(record, in, sequenceMax);
    int valueBytes = in.getInt();
    int errBytes = in.getInt();
    int idTextBytes = in.getInt();
    boolean sharesContent = (flags & TaskImage.SHARES_CONTENT) != 0;
    boolean sharesValue = (flags & TaskImage.SHARES_VALUE) != 0;
    in.require(
        (kind != 0 && !sharesContent && !sharesValue) || valueBytes == 0,
        "bytes of a value that is absent",
        valueBytes);
    long order = in.getLong();
    int hold = (flags & TaskImage.HOLD_MASK) >>> TaskImage.HOLD_SHIFT;
    boolean isWaiting = (flags & TaskStore.WAITING) != 0;
    in.require(
        hold <= Holds.RESTING && (hold == Holds.NONE || isWaiting == (hold != Holds.LAPSED)),
        "hold",
        hold);
    UnsafeApi.putInt(
        record + TaskStore.FLAGS, (flags & RECORD_FLAGS) | (hold << TaskStore.HOLD_SHIFT));
    if (isWaiting) {
      in.require(order > 0 && order <= orderMax, "order", order);
      UnsafeApi.putLong(record + TaskStore.ORDER, order);
    } else {
      in.require(order >= SlotMap.NONE && order <= Integer.MAX_VALUE, "next task", order);
      UnsafeApi.putInt(record + TaskStore.NEXT, (int) order);
    }
    int old = 0;
    if (sharesContent || sharesValue) {
      old = in.getInt();
      in.require(old >= 0, "slot of a shared content", old);
    }
    if (sharesContent) {
      int others = flags & (TaskImage.SHARES_VALUE | TaskImage.ATTRIBUTES_FOLLOW);
      in.require(errBytes + idTextBytes + others == 0, "own parts of a shared content", others);
      tasks.referTo(slot, kind, old);
      return;
    }
    UnsafeBuffer buffer = in.buffer();
    value.set(buffer, in.take(valueBytes), valueBytes);
    long expiresMs = loadAttributes(in, (flags & TaskImage.ATTRIBUTES_FOLLOW) != 0);
    err.set(buffer, in.takeText(errBytes, FieldLimits.UNBOUNDED), errBytes);
    idText.set(buffer, in.takeText(idTextBytes, FieldLimits.TEXT_BYTES_MAX), idTextBytes);
    if (sharesValue) {
      tasks.referToValue(slot, kind, old, attributes, err, idText);
    } else {
      tasks.content(slot, kind, value, attributes, err, idText);
    }
    expiries.set(slot, expiresMs);
  }

  /** Reads and checks the attributes; returns when the task expires, as they say it. */
  private long loadAttributes(ChunkReader in, boolean follow) {
    attributes.clear();
    if (!follow) {
      return 0;
    }
    int bytes = in.getInt();
    in.require(bytes > 0, "bytes of attributes", bytes);
    attributes.set(in.buffer(), in.take(bytes), bytes);
    try {
      content.read(attributes);
    } catch (MalformedMessageException e) {
      throw new ImageException("attributes of a task: " + e.getMessage());
    }
    in.require(content.expiresMs() >= TaskAttributes.NEVER, "expires", content.expiresMs());
    return content.expiresMs();
  }

  private static void loadFields(long record, ChunkReader in, long sequenceMax) {
    UnsafeApi.putLong(record + TaskStore.ID_HIGH, in.getLong());
    UnsafeApi.putLong(record + TaskStore.ID_LOW, in.getLong());
    long inserted = in.getLong();
    in.require(inserted > 0 && inserted <= sequenceMax, "sequence of the insert", inserted);
    UnsafeApi.putLong(record + TaskStore.INSERT_SEQUENCE, inserted);
    UnsafeApi.putLong(record + TaskStore.ARRIVAL, in.getLong());
    UnsafeApi.putLong(record + TaskStore.CLAIMANT_HIGH, in.getLong());
    UnsafeApi.putLong(record + TaskStore.CLAIMANT_LOW, in.getLong());
    UnsafeApi.putLong(record + TaskStore.CREATED, in.getLong());
    UnsafeApi.putLong(record + TaskStore.MODIFIED, in.getLong());
    int version = in.getInt();
    in.require(version >= 0, "version", version);
    UnsafeApi.putInt(record + TaskStore.VERSION, version);
    int claims = in.getInt();
    in.require(claims >= 0, "claims", claims);
    UnsafeApi.putInt(record + TaskStore.CLAIMS, claims);
    UnsafeApi.putInt(record + TaskStore.ATTEMPT, in.getInt());
    UnsafeApi.putInt(record + TaskStore.QUEUE, in.getInt());
    UnsafeApi.putInt(record + TaskStore.POSITION, in.getInt());
  }

  public SlotMap slots() {
    return slots;
  }

  /** Makes room in the index, after the last task. */
  public void beginLinks() {
    fill = new HashFill(tasks.index, tasks.size(), this::haveEqualIds);
  }

  private boolean haveEqualIds(int a, int b) {
    return tasks.idLow(a) == tasks.idLow(b) && tasks.idHigh(a) == tasks.idHigh(b);
  }

  /** Sets the new queue slot of a task and indexes its id. Call for all slots from 0 up. */
  public void link(int slot, SlotMap queues) {
    long record = tasks.slab.writable(slot);
    int queue = queues.get(UnsafeApi.getInt(record + TaskStore.QUEUE));
    UnsafeApi.putInt(record + TaskStore.QUEUE, queue);
    linkContent(slot);
    long idHigh = UnsafeApi.getLong(record + TaskStore.ID_HIGH);
    fill.add(Mix.key(idHigh, UnsafeApi.getLong(record + TaskStore.ID_LOW)), slot);
  }

  private void linkContent(int slot) {
    if (tasks.linkShared(slot, shared.slots())) {
      expiries.set(slot, content.read(tasks, slot).expiresMs());
    }
  }

  /** Completes the index and checks that ids are unique. */
  public void endLinks() {
    shared.end();
    int duplicate = fill.finish();
    fill = null;
    if (duplicate != Slab.NONE) {
      throw new ImageException(
          "two tasks have the id "
              + Long.toHexString(tasks.idHigh(duplicate))
              + ":"
              + Long.toHexString(tasks.idLow(duplicate)));
    }
  }
}

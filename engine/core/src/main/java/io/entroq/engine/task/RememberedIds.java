package io.entroq.engine.task;

import io.entroq.codec.snapshot.ChunkKinds;
import io.entroq.engine.memory.ChunkReader;
import io.entroq.engine.memory.ChunkWriter;
import io.entroq.engine.memory.DeadlineSource;
import io.entroq.engine.memory.Digest;
import io.entroq.engine.memory.Freeze;
import io.entroq.engine.memory.FrozenSlab;
import io.entroq.engine.memory.HashIndex;
import io.entroq.engine.memory.Mix;
import io.entroq.engine.memory.Slab;
import io.entroq.engine.memory.SlotHeap;
import org.agrona.UnsafeApi;

/**
 * Ids that stay taken for a time after their task is gone from a queue, so that a producer's retry
 * inserts nothing twice.
 */
public final class RememberedIds extends SlotHeap implements DeadlineSource {

  private static final int ID_HIGH = 0;
  private static final int ID_LOW = 8;

  /** Until when, exclusive, in milliseconds since the epoch; never 0 in a live record. */
  private static final int UNTIL = 16;

  private static final int POSITION = 24;
  private static final int RECORD_BYTES = 32;

  /** Size of an item of an image. */
  public static final int ITEM_BYTES = 24;

  private static final int INDEX_SHARD_BITS = 6;

  private final Slab slab;
  private final HashIndex index = new HashIndex(INDEX_SHARD_BITS);

  /**
   * Creates an empty store.
   *
   * @param chunkShift binary logarithm of the number of records in a chunk
   */
  public RememberedIds(int chunkShift) {
    this.slab = new Slab(RECORD_BYTES, chunkShift, UNTIL);
  }

  private int find(long high, long low) {
    return size() == 0 ? Slab.NONE : index.find(slab, ID_HIGH, high, low);
  }

  /** Whether the id of a task to insert is still taken, though its task is gone. */
  public boolean isTaken(long high, long low, long nowMs) {
    int known = find(high, low);
    return known != Slab.NONE && untilMs(known) > nowMs;
  }

  /** Keeps an id taken until a time, exclusive, or as long as it is already. */
  public void remember(long high, long low, long untilMs, Digest digest) {
    int known = find(high, low);
    if (known == Slab.NONE) {
      known = add(high, low, untilMs);
    } else {
      digest.remove(hash(known));
      untilMs(known, Math.max(untilMs, untilMs(known)));
    }
    digest.add(hash(known));
  }

  /** Forgets ids that are free again, up to a number. */
  public void forget(int most, long nowMs, Digest digest) {
    for (int i = 0; i < most && firstDeadlineMs() <= nowMs; i++) {
      digest.remove(hash(root()));
      remove(root());
    }
  }

  private int add(long high, long low, long untilMs) {
    int slot = slab.allocate();
    slab.putLong(slot, ID_HIGH, high);
    slab.putLong(slot, ID_LOW, low);
    slab.putLong(slot, UNTIL, untilMs);
    index.insert(Mix.key(high, low), slot);
    add(slot);
    return slot;
  }

  private void untilMs(int slot, long untilMs) {
    slab.putLong(slot, UNTIL, untilMs);
    updateAt(slab.getInt(slot, POSITION));
  }

  /** Until when an id is taken, exclusive. */
  private long untilMs(int slot) {
    return slab.getLong(slot, UNTIL);
  }

  private void remove(int slot) {
    index.remove(Mix.key(slab.getLong(slot, ID_HIGH), slab.getLong(slot, ID_LOW)), slot);
    removeAt(slab.getInt(slot, POSITION));
    slab.free(slot);
  }

  /** A hash of an id and its time. */
  public long hash(int slot) {
    return Mix.share(0, slab.getLong(slot, ID_HIGH))
        + Mix.share(1, slab.getLong(slot, ID_LOW))
        + Mix.share(2, slab.getLong(slot, UNTIL));
  }

  @Override
  protected boolean before(int a, int b) {
    long timeA = untilMs(a);
    long timeB = untilMs(b);
    if (timeA != timeB) {
      return timeA < timeB;
    }
    int high = Long.compare(slab.getLong(a, ID_HIGH), slab.getLong(b, ID_HIGH));
    return high != 0 ? high < 0 : slab.getLong(a, ID_LOW) < slab.getLong(b, ID_LOW);
  }

  @Override
  protected void moved(int slot, int position) {
    slab.putInt(slot, POSITION, position);
  }

  /** When the first id is free again. */
  @Override
  public long firstDeadlineMs() {
    return size() == 0 ? Long.MAX_VALUE : untilMs(root());
  }

  /** The id at a position from 0 to {@link #size} - 1, in an order that is not state. */
  public int idAt(int position) {
    return at(position);
  }

  /** Writes an id of a frozen slab. */
  public static void write(int slot, long record, ChunkWriter out) {
    out.begin(ChunkKinds.REMEMBERED_IDS, ITEM_BYTES);
    out.putLong(UnsafeApi.getLong(record + ID_HIGH));
    out.putLong(UnsafeApi.getLong(record + ID_LOW));
    out.putLong(UnsafeApi.getLong(record + UNTIL));
  }

  /** Adds the id of an item and returns its slot. */
  public int load(ChunkReader in) {
    long high = in.getLong();
    long low = in.getLong();
    long untilMs = in.getLong();
    in.require((high | low) != 0, "id that is nobody, until", untilMs);
    in.require(untilMs > 0, "until", untilMs);
    in.require(find(high, low) == Slab.NONE, "id known already, until", untilMs);
    return add(high, low, untilMs);
  }

  public FrozenSlab freeze(Freeze freeze, int id) {
    return slab.freeze(freeze, id);
  }

  public void thaw() {
    slab.thaw();
  }

  public long memoryBytes() {
    return slab.memoryBytes() + index.memoryBytes();
  }

  /** Frees all memory; the store must not be used afterwards. */
  public void closeAll() {
    close();
    index.close();
    slab.close();
  }
}

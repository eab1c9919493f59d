package io.entroq.engine.task;

import io.entroq.engine.memory.Arena;
import io.entroq.engine.memory.Freeze;
import io.entroq.engine.memory.FrozenSlab;
import io.entroq.engine.memory.HashIndex;
import io.entroq.engine.memory.ImageException;
import io.entroq.engine.memory.Invariant;
import io.entroq.engine.memory.Mix;
import io.entroq.engine.memory.Slab;
import io.entroq.engine.memory.SlotMap;
import org.agrona.DirectBuffer;
import org.agrona.UnsafeApi;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * All tasks by slot and by id. A record takes 104 bytes and holds the fields of the task and its
 * position in the indexes of its queue. Value, attributes, error text and the text of an id that
 * its key does not determine share one block. Attributes are what few tasks have, in tagged form; a
 * change that does not name them keeps them.
 *
 * <p>Copies of one insert share their content, or, once their attributes or error texts differ, its
 * value: {@link SharedContents}. Nobody else sees that: lengths, hashes and digests are the same.
 *
 * <p>The two words that link a ready task to its neighbors hold the order number of a waiting one.
 */
public final class TaskStore {

  /** The position in the ready array or the waiting heap of the queue. */
  static final int POSITION = 0;

  static final int QUEUE = 4;
  static final int ID_HIGH = 8;
  static final int ID_LOW = 16;
  static final int ARRIVAL = 24;
  static final int CLAIMANT_HIGH = 32;
  static final int CLAIMANT_LOW = 40;
  static final int CREATED = 48;
  static final int MODIFIED = 56;
  static final int BLOCK = 64;
  static final int VERSION = 72;
  static final int CLAIMS = 76;
  static final int PREVIOUS = 80;
  static final int NEXT = 84;
  static final int ORDER = 80;
  static final int ATTEMPT = 88;
  static final int FLAGS = 92;

  /** Never 0 in a live record. */
  static final int INSERT_SEQUENCE = 96;

  static final int RECORD_BYTES = 104;

  static final int KIND_MASK = 3;
  static final int EXTRAS = 1 << 2;
  static final int WAITING = 1 << 3;
  static final int CLAIMANT_TEXT = 1 << 4;

  /** Three bits: one of {@link Holds}. */
  static final int HOLD_SHIFT = 5;

  static final int HOLD_MASK = 7 << HOLD_SHIFT;

  /** The bits above: 1 + the position of a ready task among the late ones, 0 if it is not late. */
  static final int LATE_SHIFT = 8;

  static final int FLAGS_MASK = (1 << LATE_SHIFT) - 1;

  /** The most late tasks of one queue. */
  public static final int LATE_MAX = Integer.MAX_VALUE >>> (LATE_SHIFT - 1);

  /** Value length and content hash, before the value. */
  static final int BLOCK_HEADER_BYTES = 8;

  /** The sign of the reference to a block: instead, its lower half is a shared content. */
  static final long SHARED = 1L << 63;

  /**
   * The sign of a value length: the value is that of a shared content, whose slot stands in place
   * of the value.
   */
  static final int SHARED_VALUE = 1 << 31;

  /** Shorter values are not worth a reference. */
  static final int SHARED_VALUE_BYTES_MIN = 16;

  /**
   * Lengths of error text and id text, after the value, if there are any of them or attributes. If
   * the second has the bit {@link #ATTRIBUTES}, length and bytes of the attributes follow, padded
   * to a multiple of 4, before error and id text.
   */
  static final int EXTRAS_HEADER_BYTES = 8;

  static final int ATTRIBUTES = 1 << 31;

  static final int INDEX_SHARD_BITS = 6;

  final Slab slab;
  private final Arena arena;
  private final Bytes attributes = new Bytes();
  private final Bytes value = new Bytes();
  private final Bytes err = new Bytes();
  private final Bytes idText = new Bytes();
  final HashIndex index = new HashIndex(INDEX_SHARD_BITS);
  private final SharedContents shared;

  /**
   * Creates an empty store.
   *
   * @param arena holds values and texts
   * @param chunkShift binary logarithm of the number of records in a chunk
   */
  public TaskStore(Arena arena, int chunkShift) {
    this.arena = arena;
    this.slab = new Slab(RECORD_BYTES, chunkShift, INSERT_SEQUENCE);
    this.shared = new SharedContents(arena, chunkShift);
  }

  /** The slot of a task, or {@link Slab#NONE}. */
  public int find(long idHigh, long idLow) {
    return index.find(slab, ID_HIGH, idHigh, idLow);
  }

  /** Adds a task with a new id; every other field is zero. */
  public int add(long idHigh, long idLow) {
    int slot = slab.allocate();
    slab.putLong(slot, ID_HIGH, idHigh);
    slab.putLong(slot, ID_LOW, idLow);
    index.insert(Mix.key(idHigh, idLow), slot);
    Invariant.check(index.size() == slab.size(), "each task is in the index", slot, index.size());
    return slot;
  }

  /** Removes a task and its content. */
  public void remove(int slot) {
    index.remove(Mix.key(idHigh(slot), idLow(slot)), slot);
    free(slab.getLong(slot, BLOCK));
    slab.free(slot);
    Invariant.check(index.size() == slab.size(), "each task is in the index", slot, index.size());
  }

  /** The first task of a queue in slots {@code from} (inclusive) to {@code to}, or {@code to}. */
  public int nextIn(int queue, int from, int to) {
    int slot = from;
    while (slot < to) {
      int run = Math.min(to, slab.chunkEnd(slot));
      for (long at = slab.address(slot); slot < run; slot++, at += RECORD_BYTES) {
        // A free slot still names the queue of its last task.
        if (UnsafeApi.getInt(at + QUEUE) == queue && UnsafeApi.getLong(at + INSERT_SEQUENCE) != 0) {
          return slot;
        }
      }
    }
    return to;
  }

  /** One more than the highest slot ever taken. */
  public int highWater() {
    return slab.highWater();
  }

  /**
   * Reads a word of everything besides its record that a claim and deletion of a ready task touch:
   * its block, its neighbors, its index entry.
   *
   * @return a value that only keeps the compiler from removing the reads
   */
  public long readAhead(int slot) {
    long at = slab.address(slot);
    int previous = UnsafeApi.getInt(at + PREVIOUS);
    int next = UnsafeApi.getInt(at + NEXT);
    long block = block(slot);
    long idHigh = UnsafeApi.getLong(at + ID_HIGH);
    long seen = index.readAhead(Mix.key(idHigh, UnsafeApi.getLong(at + ID_LOW)));
    if (previous != Slab.NONE) {
      seen += slab.getInt(previous, NEXT);
    }
    if (next != Slab.NONE) {
      seen += slab.getInt(next, PREVIOUS);
    }
    if (block != Arena.NONE) {
      seen += UnsafeApi.getInt(arena.address(block));
    }
    return seen;
  }

  /** Does so for the place of an id in the index. */
  public long readAhead(long idHigh, long idLow) {
    return index.readAhead(Mix.key(idHigh, idLow));
  }

  /** Does so for the record of a task, which spans two or three cache lines. */
  public long readRecord(int slot) {
    long at = slab.address(slot);
    return UnsafeApi.getInt(at + POSITION)
        + UnsafeApi.getLong(at + BLOCK)
        + UnsafeApi.getLong(at + INSERT_SEQUENCE);
  }

  public int size() {
    return slab.size();
  }

  /** Bytes of records and index, without values. */
  public long memoryBytes() {
    return slab.memoryBytes() + index.memoryBytes() + shared.memoryBytes();
  }

  /** The contents that several tasks share. */
  public SharedContents shared() {
    return shared;
  }

  /** Freezes the records for another thread until {@link #thaw}. */
  public FrozenSlab freeze(Freeze freeze, int id) {
    return slab.freeze(freeze, id);
  }

  public void thaw() {
    slab.thaw();
    shared.thaw();
  }

  /** Frees all memory; the store must not be used afterwards. */
  public void close() {
    index.close();
    slab.close();
    shared.close();
  }

  /** Whether this many tasks can be added without allocating memory for their records. */
  public boolean hasSpareRecords(long tasks) {
    return slab.spareSlots() >= tasks;
  }

  /** Whether content of this size can be set {@code contents} times without allocating memory. */
  public boolean hasSpareContents(
      int valueBytes, int attributesBytes, int errBytes, int idTextBytes, int contents) {
    int bytes = contentBytes(valueBytes, attributesBytes, errBytes, idTextBytes);
    return bytes == 0 || arena.spareBlocks(bytes) >= contents;
  }

  /** Whether content of this size fits the block size of a task, or needs no block. */
  public boolean keepsBlockSize(int slot, int valueBytes, int errBytes, int idTextBytes) {
    if (sharedOf(slot) != Slab.NONE) {
      // Usually it is the same value, which then stays shared.
      value(slot, value);
      return valueBytes == value.length();
    }
    int bytes = contentBytes(valueBytes, attributesLength(slot), errBytes, idTextBytes);
    return bytes == 0 || arena.isOfSize(slab.getLong(slot, BLOCK), bytes);
  }

  // The content of a task: value, error text, id text.

  /**
   * Replaces value, error text and id text, and keeps the attributes. The parts are copied.
   *
   * @param kind 0 absent, 1 bytes, 2 a serialized protobuf Value
   */
  public void content(int slot, int kind, Bytes value, Bytes err, Bytes idText) {
    attributes(slot, attributes);
    content(slot, kind, value, attributes, err, idText);
  }

  /** Replaces the attributes, too. */
  public void content(
      int slot, int kind, Bytes value, Bytes newAttributes, Bytes err, Bytes idText) {
    long old = slab.getLong(slot, BLOCK);
    boolean extras = newAttributes.length() + err.length() + idText.length() > 0;
    int content = sharedOf(slot);
    if (content != Slab.NONE && isValueOf(content, value)) {
      slab.putLong(slot, BLOCK, sharing(content, value, newAttributes, err, idText, extras));
    } else {
      slab.putLong(slot, BLOCK, own(value, newAttributes, err, idText, extras));
    }
    int flags = slab.getInt(slot, FLAGS) & ~(KIND_MASK | EXTRAS);
    slab.putInt(slot, FLAGS, flags | kind | (extras ? EXTRAS : 0));
    // Last: attributes and id text may lie in the old block.
    free(old);
  }

  private long own(Bytes value, Bytes newAttributes, Bytes err, Bytes idText, boolean extras) {
    int bytes = contentBytes(value.length(), newAttributes.length(), err.length(), idText.length());
    long block = bytes == 0 ? Arena.NONE : arena.allocate(bytes);
    if (block != Arena.NONE) {
      write(block, value, newAttributes, err, idText, extras);
    }
    return block;
  }

  private void free(long block) {
    if (block < 0) {
      shared.release((int) block);
    } else if (block != Arena.NONE) {
      int content = valueOf(block);
      arena.free(block);
      if (content != Slab.NONE) {
        shared.release(content);
      }
    }
  }

  // Contents that tasks share.

  /**
   * Lets a new task without content share that of another one, whose id has no text.
   *
   * @param from a task whose content is its own, or shared as a whole
   */
  public void share(int from, int slot) {
    long block = slab.getLong(from, BLOCK);
    int flags = slab.getInt(from, FLAGS) & (KIND_MASK | EXTRAS);
    if (block > 0) {
      block = SHARED | shared.add(block, (flags & EXTRAS) != 0);
      slab.putLong(from, BLOCK, block);
    }
    if (block != Arena.NONE) {
      shared.acquire((int) block);
    }
    slab.putLong(slot, BLOCK, block);
    slab.putInt(slot, FLAGS, (slab.getInt(slot, FLAGS) & ~(KIND_MASK | EXTRAS)) | flags);
  }

  /** The shared content that a task refers to, as a whole or for its value, or none. */
  public int sharedOf(int slot) {
    long block = slab.getLong(slot, BLOCK);
    if (block < 0) {
      return (int) block;
    }
    return block == Arena.NONE ? Slab.NONE : valueOf(block);
  }

  /** The shared content with the value of a block, or {@link Slab#NONE}: it has its own. */
  private int valueOf(long block) {
    long at = arena.address(block);
    return UnsafeApi.getInt(at) < 0 ? UnsafeApi.getInt(at + BLOCK_HEADER_BYTES) : Slab.NONE;
  }

  private boolean isValueOf(int content, Bytes value) {
    long block = shared.block(content);
    UnsafeBuffer buffer = arena.buffer(block);
    int at = arena.offset(block);
    int length = buffer.getInt(at);
    at += BLOCK_HEADER_BYTES;
    boolean isSame = value.buffer() == buffer && value.offset() == at && value.length() == length;
    return length >= SHARED_VALUE_BYTES_MIN && (isSame || value.matches(buffer, at, length));
  }

  /** A reference to a shared content, or a block with its value and other extras. */
  private long sharing(
      int content, Bytes value, Bytes newAttributes, Bytes err, Bytes idText, boolean extras) {
    shared.acquire(content);
    if (!extras && !shared.hasExtras(content)) {
      return SHARED | content;
    }
    int hash = contentHash(value, newAttributes, err, idText, extras);
    long block = withSharedValue(content, newAttributes, err, idText, extras);
    seal(block, value.length(), hash);
    return block;
  }

  /** A block with the value of a shared content; {@link #seal} completes it. */
  private long withSharedValue(
      int content, Bytes newAttributes, Bytes err, Bytes idText, boolean extras) {
    int extrasBytes =
        extras
            ? EXTRAS_HEADER_BYTES
                + attributesBytes(newAttributes.length())
                + err.length()
                + idText.length()
            : 0;
    long block = arena.allocate(BLOCK_HEADER_BYTES + Integer.BYTES + extrasBytes);
    UnsafeBuffer buffer = arena.buffer(block);
    int at = arena.offset(block) + BLOCK_HEADER_BYTES;
    buffer.putInt(at, content);
    if (extras) {
      writeExtras(buffer, at + Integer.BYTES, newAttributes, err, idText);
    }
    return block;
  }

  private void seal(long block, int valueLength, int hash) {
    long at = arena.address(block);
    UnsafeApi.putInt(at, valueLength | SHARED_VALUE);
    UnsafeApi.putInt(at + Integer.BYTES, hash);
  }

  /** Adds a content of an image that no task refers to yet, and returns its slot. */
  int addShared(Bytes value, Bytes newAttributes, Bytes err) {
    idText.clear();
    boolean extras = newAttributes.length() + err.length() > 0;
    int content = shared.add(own(value, newAttributes, err, idText, extras), extras);
    shared.unrefer(content);
    return content;
  }

  /**
   * Makes a loaded task refer to a content that may not be loaded yet; {@link #linkShared} follows.
   *
   * @param old the slot of the content in the image
   */
  void referTo(int slot, int kind, int old) {
    slab.putLong(slot, BLOCK, SHARED | old);
    slab.putInt(slot, FLAGS, slab.getInt(slot, FLAGS) | kind);
  }

  /** The same for a task that has only its value from there. */
  void referToValue(int slot, int kind, int old, Bytes newAttributes, Bytes err, Bytes idText) {
    boolean extras = newAttributes.length() + err.length() + idText.length() > 0;
    long block = withSharedValue(old, newAttributes, err, idText, extras);
    seal(block, 0, 0);
    slab.putLong(slot, BLOCK, block);
    slab.putInt(slot, FLAGS, slab.getInt(slot, FLAGS) | kind | (extras ? EXTRAS : 0));
  }

  /**
   * Resolves the reference of a loaded task, if it has one.
   *
   * @return whether it shares its whole content
   */
  boolean linkShared(int slot, SlotMap contents) {
    int old = sharedOf(slot);
    if (old == Slab.NONE) {
      return false;
    }
    int content = contents.get(old);
    shared.acquire(content);
    long from = shared.block(content);
    UnsafeBuffer buffer = arena.buffer(from);
    value.set(buffer, arena.offset(from) + BLOCK_HEADER_BYTES, buffer.getInt(arena.offset(from)));
    if (valueKind(slot) == 0 && value.length() > 0) {
      throw new ImageException("a task without a value shares one of bytes: " + value.length());
    }
    long block = slab.getLong(slot, BLOCK);
    if (block < 0) {
      slab.putLong(slot, BLOCK, SHARED | content);
      int extras = shared.hasExtras(content) ? EXTRAS : 0;
      slab.putInt(slot, FLAGS, slab.getInt(slot, FLAGS) | extras);
      return true;
    }
    attributes(slot, attributes);
    err(slot, err);
    idText(slot, idText);
    boolean extras = (slab.getInt(slot, FLAGS) & EXTRAS) != 0;
    seal(block, value.length(), contentHash(value, attributes, err, idText, extras));
    UnsafeApi.putInt(arena.address(block) + BLOCK_HEADER_BYTES, content);
    return false;
  }

  // How a content is stored.

  /** The block of a task: its own or the one that it shares; {@link Arena#NONE} without content. */
  private long block(int slot) {
    long block = slab.getLong(slot, BLOCK);
    return block < 0 ? shared.block((int) block) : block;
  }

  /** How far the extras are from the start of a block. */
  static int extrasOffset(int valueLength) {
    return valueLength < 0
        ? BLOCK_HEADER_BYTES + Integer.BYTES
        : BLOCK_HEADER_BYTES + align(valueLength);
  }

  private static int contentBytes(int value, int attributes, int err, int idText) {
    if (attributes + err + idText == 0) {
      return value == 0 ? 0 : BLOCK_HEADER_BYTES + value;
    }
    return BLOCK_HEADER_BYTES
        + align(value)
        + EXTRAS_HEADER_BYTES
        + attributesBytes(attributes)
        + err
        + idText;
  }

  /** The bytes that attributes of a length take in a block. */
  private static int attributesBytes(int length) {
    return length == 0 ? 0 : Integer.BYTES + align(length);
  }

  private void write(
      long block, Bytes value, Bytes newAttributes, Bytes err, Bytes idText, boolean extras) {
    UnsafeBuffer buffer = arena.buffer(block);
    int at = arena.offset(block);
    buffer.putInt(at, value.length());
    buffer.putInt(at + 4, contentHash(value, newAttributes, err, idText, extras));
    at += BLOCK_HEADER_BYTES;
    buffer.putBytes(at, value.buffer(), value.offset(), value.length());
    if (extras) {
      writeExtras(buffer, at + align(value.length()), newAttributes, err, idText);
    }
  }

  private static void writeExtras(
      UnsafeBuffer buffer, int offset, Bytes newAttributes, Bytes err, Bytes idText) {
    boolean hasAttributes = newAttributes.length() > 0;
    int at = offset;
    buffer.putInt(at, err.length());
    buffer.putInt(at + 4, idText.length() | (hasAttributes ? ATTRIBUTES : 0));
    at += EXTRAS_HEADER_BYTES;
    if (hasAttributes) {
      buffer.putInt(at, newAttributes.length());
      at += Integer.BYTES;
      buffer.putBytes(at, newAttributes.buffer(), newAttributes.offset(), newAttributes.length());
      at += align(newAttributes.length());
    }
    buffer.putBytes(at, err.buffer(), err.offset(), err.length());
    at += err.length();
    buffer.putBytes(at, idText.buffer(), idText.offset(), idText.length());
  }

  private static int contentHash(
      Bytes value, Bytes attributes, Bytes err, Bytes idText, boolean extras) {
    long hash = Mix.bytes(value.buffer(), value.offset(), value.length());
    if (extras) {
      if (attributes.length() > 0) {
        hash =
            Mix.fold(
                hash, Mix.bytes(attributes.buffer(), attributes.offset(), attributes.length()));
      }
      hash = Mix.fold(hash, Mix.bytes(err.buffer(), err.offset(), err.length()));
      hash = Mix.fold(hash, Mix.bytes(idText.buffer(), idText.offset(), idText.length()));
    }
    return (int) hash;
  }

  static int align(int length) {
    return (length + 3) & ~3;
  }

  /** 0 absent, 1 bytes, 2 a serialized protobuf Value. */
  public int valueKind(int slot) {
    return slab.getInt(slot, FLAGS) & KIND_MASK;
  }

  public void value(int slot, Bytes into) {
    long block = block(slot);
    if (block == Arena.NONE) {
      into.clear();
      return;
    }
    UnsafeBuffer buffer = arena.buffer(block);
    int offset = arena.offset(block);
    int length = buffer.getInt(offset);
    if (length < 0) {
      block = shared.block(buffer.getInt(offset + BLOCK_HEADER_BYTES));
      buffer = arena.buffer(block);
      offset = arena.offset(block);
      length &= ~SHARED_VALUE;
    }
    into.set(buffer, offset + BLOCK_HEADER_BYTES, length);
  }

  /** Bytes of value and error text. */
  public int contentLength(int slot) {
    long block = block(slot);
    if (block == Arena.NONE) {
      return 0;
    }
    long at = arena.address(block);
    int length = UnsafeApi.getInt(at);
    int value = length & ~SHARED_VALUE;
    return hasExtras(slot) ? value + UnsafeApi.getInt(at + extrasOffset(length)) : value;
  }

  /** A hash of kind, value, attributes, error text and id text. */
  public long contentHash(int slot) {
    long block = block(slot);
    int hash = block == Arena.NONE ? 0 : UnsafeApi.getInt(arena.address(block) + 4);
    return (long) valueKind(slot) << 32 | (hash & 0xFFFFFFFFL);
  }

  /** Refers to the attributes; empty if there are none. */
  public void attributes(int slot, Bytes into) {
    int at = extras(slot, into);
    if (at >= 0) {
      DirectBuffer buffer = into.buffer();
      into.set(buffer, at + EXTRAS_HEADER_BYTES + Integer.BYTES, attributesLength(buffer, at));
    }
  }

  /** Replaces only the attributes, in a task that is out of the digest. */
  public void replaceAttributes(int slot, Bytes newAttributes) {
    value(slot, value);
    err(slot, err);
    idText(slot, idText);
    content(slot, valueKind(slot), value, newAttributes, err, idText);
  }

  /** Orders ids of tasks: negative if that of {@code a} comes first. */
  int compareIds(int a, int b) {
    int high = Long.compare(idHigh(a), idHigh(b));
    return high != 0 ? high : Long.compare(idLow(a), idLow(b));
  }

  /** Whether a task has attributes, an error text or an id text: most have none. */
  public boolean hasExtras(int slot) {
    return (slab.getInt(slot, FLAGS) & EXTRAS) != 0;
  }

  /** Bytes of the attributes. */
  public int attributesLength(int slot) {
    attributes(slot, attributes);
    return attributes.length();
  }

  /** From the offset of the header of the extras. */
  private static int attributesLength(DirectBuffer buffer, int at) {
    boolean hasAttributes = (buffer.getInt(at + 4) & ATTRIBUTES) != 0;
    return hasAttributes ? buffer.getInt(at + EXTRAS_HEADER_BYTES) : 0;
  }

  public void err(int slot, Bytes into) {
    int at = extras(slot, into);
    if (at >= 0) {
      DirectBuffer buffer = into.buffer();
      into.set(buffer, texts(buffer, at), buffer.getInt(at));
    }
  }

  /** The offset of error and id text, which follow the attributes. */
  private static int texts(DirectBuffer buffer, int at) {
    return at + EXTRAS_HEADER_BYTES + attributesBytes(attributesLength(buffer, at));
  }

  /** Refers to the text of the id; empty if its key determines it. */
  public void idText(int slot, Bytes into) {
    int at = extras(slot, into);
    if (at >= 0) {
      DirectBuffer buffer = into.buffer();
      int length = buffer.getInt(at + 4) & ~ATTRIBUTES;
      into.set(buffer, texts(buffer, at) + buffer.getInt(at), length);
    }
  }

  private int extras(int slot, Bytes into) {
    into.clear();
    if ((slab.getInt(slot, FLAGS) & EXTRAS) == 0) {
      return -1;
    }
    long block = block(slot);
    UnsafeBuffer buffer = arena.buffer(block);
    int offset = arena.offset(block);
    into.set(buffer, offset, 0);
    return offset + extrasOffset(buffer.getInt(offset));
  }

  // The fields of a task.

  public long idHigh(int slot) {
    return slab.getLong(slot, ID_HIGH);
  }

  public long idLow(int slot) {
    return slab.getLong(slot, ID_LOW);
  }

  /** The sequence of the insert; distinguishes successive tasks with the same id. */
  public long insertSequence(int slot) {
    return slab.getLong(slot, INSERT_SEQUENCE);
  }

  public void insertSequence(int slot, long sequence) {
    slab.putLong(slot, INSERT_SEQUENCE, sequence);
  }

  public int version(int slot) {
    return slab.getInt(slot, VERSION);
  }

  public void version(int slot, int version) {
    slab.putInt(slot, VERSION, version);
  }

  public int queue(int slot) {
    return slab.getInt(slot, QUEUE);
  }

  public void queue(int slot, int queue) {
    slab.putInt(slot, QUEUE, queue);
  }

  public long arrivalMs(int slot) {
    return slab.getLong(slot, ARRIVAL);
  }

  public void arrivalMs(int slot, long arrivalMs) {
    slab.putLong(slot, ARRIVAL, arrivalMs);
  }

  public long claimantHigh(int slot) {
    return slab.getLong(slot, CLAIMANT_HIGH);
  }

  public long claimantLow(int slot) {
    return slab.getLong(slot, CLAIMANT_LOW);
  }

  /** True if {@link Claimants} holds the text of the claimant. */
  public boolean hasClaimantText(int slot) {
    return (slab.getInt(slot, FLAGS) & CLAIMANT_TEXT) != 0;
  }

  /** True if the task has a claimant, whose lease may have expired. */
  public boolean hasClaimant(int slot) {
    return (claimantHigh(slot) | claimantLow(slot)) != 0;
  }

  /** Sets the claimant; zeros for none. */
  public void claimant(int slot, long high, long low, boolean hasText) {
    slab.putLong(slot, CLAIMANT_HIGH, high);
    slab.putLong(slot, CLAIMANT_LOW, low);
    flag(slot, CLAIMANT_TEXT, hasText);
  }

  public long createdMs(int slot) {
    return slab.getLong(slot, CREATED);
  }

  public void createdMs(int slot, long createdMs) {
    slab.putLong(slot, CREATED, createdMs);
  }

  public long modifiedMs(int slot) {
    return slab.getLong(slot, MODIFIED);
  }

  public void modifiedMs(int slot, long modifiedMs) {
    slab.putLong(slot, MODIFIED, modifiedMs);
  }

  public int claims(int slot) {
    return slab.getInt(slot, CLAIMS);
  }

  public void claims(int slot, int claims) {
    slab.putInt(slot, CLAIMS, claims);
  }

  /** Records a claim: increments version and claims, and sets the end of the lease. */
  public void claimed(int slot, long nowMs, long leaseExpiryMs) {
    long at = slab.writable(slot);
    int version = UnsafeApi.getInt(at + VERSION);
    Invariant.check(version < Integer.MAX_VALUE, "a version can go up", slot, version);
    UnsafeApi.putInt(at + VERSION, version + 1);
    UnsafeApi.putInt(at + CLAIMS, UnsafeApi.getInt(at + CLAIMS) + 1);
    UnsafeApi.putLong(at + MODIFIED, nowMs);
    UnsafeApi.putLong(at + ARRIVAL, leaseExpiryMs);
  }

  /** One of {@link Holds}. */
  public int hold(int slot) {
    return (slab.getInt(slot, FLAGS) & HOLD_MASK) >>> HOLD_SHIFT;
  }

  public void hold(int slot, int hold) {
    slab.putInt(slot, FLAGS, (slab.getInt(slot, FLAGS) & ~HOLD_MASK) | (hold << HOLD_SHIFT));
  }

  public int attempt(int slot) {
    return slab.getInt(slot, ATTEMPT);
  }

  public void attempt(int slot, int attempt) {
    slab.putInt(slot, ATTEMPT, attempt);
  }

  // The position of a task in the indexes of its queue.

  /** True if the task is in the waiting heap, false if it is ready. */
  public boolean isWaiting(int slot) {
    return (slab.getInt(slot, FLAGS) & WAITING) != 0;
  }

  public void isWaiting(int slot, boolean waiting) {
    flag(slot, WAITING, waiting);
  }

  public int position(int slot) {
    return slab.getInt(slot, POSITION);
  }

  public void position(int slot, int position) {
    slab.putInt(slot, POSITION, position);
  }

  /** The position among the late tasks of the queue, or {@link Slab#NONE}. */
  public int latePosition(int slot) {
    return (slab.getInt(slot, FLAGS) >>> LATE_SHIFT) - 1;
  }

  public void latePosition(int slot, int position) {
    int flags = slab.getInt(slot, FLAGS) & FLAGS_MASK;
    slab.putInt(slot, FLAGS, flags | (position + 1) << LATE_SHIFT);
  }

  /** The next older ready task. */
  public int previous(int slot) {
    return slab.getInt(slot, PREVIOUS);
  }

  public void previous(int slot, int previous) {
    slab.putInt(slot, PREVIOUS, previous);
  }

  /** The next younger ready task. */
  public int next(int slot) {
    return slab.getInt(slot, NEXT);
  }

  public void next(int slot, int next) {
    slab.putInt(slot, NEXT, next);
  }

  /** Breaks ties between waiting tasks of equal arrival time. */
  public long order(int slot) {
    return slab.getLong(slot, ORDER);
  }

  public void order(int slot, long order) {
    slab.putLong(slot, ORDER, order);
  }

  private void flag(int slot, int flag, boolean on) {
    int flags = slab.getInt(slot, FLAGS);
    slab.putInt(slot, FLAGS, on ? flags | flag : flags & ~flag);
  }

  /** A hash of all fields except content and names. */
  public long fieldsHash(int slot) {
    long at = slab.address(slot);
    return Mix.share(0, UnsafeApi.getLong(at + ID_HIGH))
        + Mix.share(1, UnsafeApi.getLong(at + ID_LOW))
        + Mix.share(2, UnsafeApi.getLong(at + INSERT_SEQUENCE))
        + Mix.share(3, UnsafeApi.getLong(at + ARRIVAL))
        + Mix.share(4, UnsafeApi.getLong(at + CLAIMANT_HIGH))
        + Mix.share(5, UnsafeApi.getLong(at + CLAIMANT_LOW))
        + Mix.share(6, UnsafeApi.getLong(at + CREATED))
        + Mix.share(7, UnsafeApi.getLong(at + MODIFIED))
        + Mix.share(8, UnsafeApi.getInt(at + VERSION))
        + Mix.share(9, UnsafeApi.getInt(at + CLAIMS))
        + Mix.share(10, UnsafeApi.getInt(at + ATTEMPT))
        + Mix.share(11, UnsafeApi.getInt(at + FLAGS) & HOLD_MASK);
  }
}

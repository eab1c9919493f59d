package io.entroq.engine.doc;

import io.entroq.engine.memory.Arena;
import io.entroq.engine.memory.Freeze;
import io.entroq.engine.memory.FrozenSlab;
import io.entroq.engine.memory.HashIndex;
import io.entroq.engine.memory.Invariant;
import io.entroq.engine.memory.Mix;
import io.entroq.engine.memory.Slab;
import io.entroq.engine.task.Bytes;
import org.agrona.DirectBuffer;
import org.agrona.UnsafeApi;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * All docs by slot, and by namespace and id. A record takes 72 bytes; keys, id text and value share
 * one block. A doc belongs to one set of {@link DocSetStore}, and keeps its keys for life.
 */
public final class DocStore {

  static final int SET = 0;
  static final int NAMESPACE = 4;
  static final int ID_HIGH = 8;
  static final int ID_LOW = 16;
  static final int CREATED = 24;
  static final int MODIFIED = 32;

  /** Never {@link Arena#NONE} in a live record. */
  static final int BLOCK = 40;

  static final int INSERT_SEQUENCE = 48;

  /** The block of the namespace's name, so that writing an image needs no lookup. */
  static final int NAMESPACE_NAME = 56;

  static final int FLAGS = 64;
  static final int RECORD_BYTES = 72;

  static final int KIND_MASK = 3;

  // The block: a hash of what follows, the lengths, then keys, id text and value.
  static final int HASH = 0;
  static final int VALUE_LENGTH = 4;
  static final int KEY_LENGTH = 8;
  static final int SECONDARY_LENGTH = 10;
  static final int ID_TEXT_LENGTH = 12;
  static final int BLOCK_HEADER_BYTES = 16;

  private static final int INDEX_SHARD_BITS = 4;

  final Slab slab;
  final Arena arena;
  private final NamespaceStore namespaces;
  final DocSetStore sets;
  private final Bytes scratch = new Bytes();
  private final HashIndex index = new HashIndex(INDEX_SHARD_BITS);

  /**
   * Creates an empty store.
   *
   * @param arena holds keys and values
   * @param namespaces counts the docs of each namespace
   * @param sets counts the docs of each set
   * @param chunkShift binary logarithm of the number of records in a chunk
   */
  public DocStore(Arena arena, NamespaceStore namespaces, DocSetStore sets, int chunkShift) {
    this.arena = arena;
    this.namespaces = namespaces;
    this.sets = sets;
    this.slab = new Slab(RECORD_BYTES, chunkShift, BLOCK);
  }

  /** The slot of a doc, or {@link Slab#NONE}; {@code namespace} may be {@link Slab#NONE}. */
  public int find(int namespace, long idHigh, long idLow) {
    if (namespace == Slab.NONE) {
      return Slab.NONE;
    }
    long hash = hash(namespace, idHigh, idLow);
    for (long at = index.first(hash); at != HashIndex.NONE; at = index.next(hash, at)) {
      int doc = index.slot(at);
      if (idLow(doc) == idLow && idHigh(doc) == idHigh && namespace(doc) == namespace) {
        return doc;
      }
    }
    return Slab.NONE;
  }

  private static long hash(int namespace, long idHigh, long idLow) {
    return Mix.fold(Mix.key(idHigh, idLow), namespace);
  }

  /**
   * Adds a doc with a new id to a set. Call {@link #content} with the key of the set before
   * anything else; every other field is zero.
   */
  public int add(int set, long idHigh, long idLow) {
    int namespace = sets.namespace(set);
    int doc = slab.allocate();
    slab.putInt(doc, SET, set);
    slab.putInt(doc, NAMESPACE, namespace);
    slab.putLong(doc, ID_HIGH, idHigh);
    slab.putLong(doc, ID_LOW, idLow);
    slab.putLong(doc, NAMESPACE_NAME, namespaces.nameBlock(namespace));
    index.insert(hash(namespace, idHigh, idLow), doc);
    Invariant.check(index.size() == slab.size(), "each doc is in the index", doc, index.size());
    sets.docAdded(set);
    namespaces.docAdded(namespace);
    return doc;
  }

  /** Removes a doc and its content. */
  public void remove(int doc) {
    int namespace = namespace(doc);
    int set = set(doc);
    index.remove(hash(namespace, idHigh(doc), idLow(doc)), doc);
    arena.free(slab.getLong(doc, BLOCK));
    slab.free(doc);
    Invariant.check(index.size() == slab.size(), "each doc is in the index", doc, index.size());
    sets.docRemoved(set);
    namespaces.docRemoved(namespace);
  }

  public int size() {
    return slab.size();
  }

  /**
   * One more than the highest slot ever used. To visit all docs, skip those not {@link #isAlive}.
   */
  public int highWater() {
    return slab.highWater();
  }

  /** True if the slot holds a doc. */
  public boolean isAlive(int doc) {
    return slab.getLong(doc, BLOCK) != Arena.NONE;
  }

  /** Whether this many docs can be added without allocating memory for their records. */
  public boolean hasSpareRecords(int added) {
    return slab.spareSlots() >= added;
  }

  /** Whether content of this size can be set {@code contents} times without allocating memory. */
  public boolean hasSpareContents(int bytes, int contents) {
    return arena.spareBlocks(BLOCK_HEADER_BYTES + bytes) >= contents;
  }

  /** Whether a value of this size fits the block size of a doc, which keeps its keys. */
  public boolean keepsBlockSize(int doc, int valueBytes) {
    int bytes = BLOCK_HEADER_BYTES + textLength(doc) + valueBytes;
    return arena.isOfSize(slab.getLong(doc, BLOCK), bytes);
  }

  /** Bytes of records and index, without keys and values. */
  public long memoryBytes() {
    return slab.memoryBytes() + index.memoryBytes();
  }

  /** Freezes the records for another thread until {@link #thaw}. */
  public FrozenSlab freeze(Freeze freeze, int id) {
    return slab.freeze(freeze, id);
  }

  public void thaw() {
    slab.thaw();
  }

  /** Frees all memory; the store must not be used afterwards. */
  public void close() {
    index.close();
    slab.close();
  }

  // The content of a doc: keys, id text, value.

  /**
   * Replaces keys, id text and value. The arguments may refer to the old content.
   *
   * @param kind 0 absent, 1 bytes, 2 a serialized protobuf Value
   */
  public void content(int doc, Bytes key, Bytes secondary, Bytes idText, int kind, Bytes value) {
    long old = slab.getLong(doc, BLOCK);
    int keyBytes = key.length() + secondary.length();
    long block = arena.allocate(BLOCK_HEADER_BYTES + keyBytes + idText.length() + value.length());
    UnsafeBuffer buffer = arena.buffer(block);
    int at = arena.offset(block);
    buffer.putInt(at + VALUE_LENGTH, value.length());
    buffer.putShort(at + KEY_LENGTH, (short) key.length());
    buffer.putShort(at + SECONDARY_LENGTH, (short) secondary.length());
    buffer.putShort(at + ID_TEXT_LENGTH, (short) idText.length());
    int from = at + BLOCK_HEADER_BYTES;
    int end = put(buffer, put(buffer, put(buffer, from, key), secondary), idText);
    end = put(buffer, end, value);
    // The boundaries between the parts count too.
    long lengths = (long) key.length() << 32 | secondary.length() << 16 | idText.length();
    buffer.putInt(at + HASH, (int) Mix.fold(Mix.bytes(buffer, from, end - from), lengths));
    slab.putLong(doc, BLOCK, block);
    int flags = slab.getInt(doc, FLAGS) & ~KIND_MASK;
    slab.putInt(doc, FLAGS, flags | kind);
    // Last: the arguments may refer to it.
    arena.free(old);
  }

  private static int put(UnsafeBuffer buffer, int at, Bytes part) {
    buffer.putBytes(at, part.buffer(), part.offset(), part.length());
    return at + part.length();
  }

  /** 0 absent, 1 bytes, 2 a serialized protobuf Value. */
  public int valueKind(int doc) {
    return slab.getInt(doc, FLAGS) & KIND_MASK;
  }

  public void key(int doc, Bytes into) {
    part(doc, 0, length(doc, KEY_LENGTH), into);
  }

  public void secondaryKey(int doc, Bytes into) {
    part(doc, length(doc, KEY_LENGTH), length(doc, SECONDARY_LENGTH), into);
  }

  /** Refers to the text of the id; empty if its key determines it. */
  public void idText(int doc, Bytes into) {
    int keys = length(doc, KEY_LENGTH) + length(doc, SECONDARY_LENGTH);
    part(doc, keys, length(doc, ID_TEXT_LENGTH), into);
  }

  public boolean hasKeys(int doc, Bytes key, Bytes secondary) {
    key(doc, scratch);
    boolean hasKey = scratch.matches(key.buffer(), key.offset(), key.length());
    secondaryKey(doc, scratch);
    return hasKey && scratch.matches(secondary.buffer(), secondary.offset(), secondary.length());
  }

  public void value(int doc, Bytes into) {
    part(doc, textLength(doc), UnsafeApi.getInt(blockAddress(doc) + VALUE_LENGTH), into);
  }

  private void part(int doc, int from, int length, Bytes into) {
    long block = slab.getLong(doc, BLOCK);
    into.set(arena.buffer(block), arena.offset(block) + BLOCK_HEADER_BYTES + from, length);
  }

  private int length(int doc, int field) {
    return UnsafeApi.getShort(blockAddress(doc) + field);
  }

  private long blockAddress(int doc) {
    return arena.address(slab.getLong(doc, BLOCK));
  }

  /** Compares the key of a doc with another, as unsigned bytes: below 0, 0, or above 0. */
  public int compareKey(int doc, DirectBuffer other, int offset, int length) {
    long key = blockAddress(doc) + BLOCK_HEADER_BYTES;
    int keyLength = length(doc, KEY_LENGTH);
    int common = Math.min(keyLength, length);
    for (int i = 0; i < common; i++) {
      int difference = (UnsafeApi.getByte(key + i) & 0xFF) - (other.getByte(offset + i) & 0xFF);
      if (difference != 0) {
        return difference;
      }
    }
    return keyLength - length;
  }

  /** Bytes of keys and id text. */
  public int textLength(int doc) {
    return length(doc, KEY_LENGTH) + length(doc, SECONDARY_LENGTH) + length(doc, ID_TEXT_LENGTH);
  }

  /** Bytes of keys, id text and value. */
  public int contentLength(int doc) {
    return textLength(doc) + UnsafeApi.getInt(blockAddress(doc) + VALUE_LENGTH);
  }

  /** Refers to the sort key of a doc. */
  void sortKey(int doc, SortKey into) {
    long block = blockAddress(doc);
    int keyLength = UnsafeApi.getShort(block + KEY_LENGTH);
    into.set(
        block + BLOCK_HEADER_BYTES,
        keyLength,
        UnsafeApi.getShort(block + SECONDARY_LENGTH),
        idHigh(doc),
        idLow(doc));
  }

  /** A hash of keys, id text, kind and value. */
  public long contentHash(int doc) {
    int hash = UnsafeApi.getInt(blockAddress(doc) + HASH);
    return (long) valueKind(doc) << 32 | (hash & 0xFFFFFFFFL);
  }

  // The fields of a doc.

  /** The slot of its set. */
  public int set(int doc) {
    return slab.getInt(doc, SET);
  }

  public int namespace(int doc) {
    return slab.getInt(doc, NAMESPACE);
  }

  public long idHigh(int doc) {
    return slab.getLong(doc, ID_HIGH);
  }

  public long idLow(int doc) {
    return slab.getLong(doc, ID_LOW);
  }

  /** The sequence of the insert; distinguishes successive docs with the same id. */
  public long insertSequence(int doc) {
    return slab.getLong(doc, INSERT_SEQUENCE);
  }

  public void insertSequence(int doc, long sequence) {
    slab.putLong(doc, INSERT_SEQUENCE, sequence);
  }

  public long createdMs(int doc) {
    return slab.getLong(doc, CREATED);
  }

  public void createdMs(int doc, long createdMs) {
    slab.putLong(doc, CREATED, createdMs);
  }

  public long modifiedMs(int doc) {
    return slab.getLong(doc, MODIFIED);
  }

  public void modifiedMs(int doc, long modifiedMs) {
    slab.putLong(doc, MODIFIED, modifiedMs);
  }

  /** A hash of all fields except content, names, and those of the set. */
  public long fieldsHash(int doc) {
    long at = slab.address(doc);
    return Mix.share(0, UnsafeApi.getLong(at + ID_HIGH))
        + Mix.share(1, UnsafeApi.getLong(at + ID_LOW))
        + Mix.share(2, UnsafeApi.getLong(at + INSERT_SEQUENCE))
        + Mix.share(3, UnsafeApi.getLong(at + CREATED))
        + Mix.share(4, UnsafeApi.getLong(at + MODIFIED));
  }
}

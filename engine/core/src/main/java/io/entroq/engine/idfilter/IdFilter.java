package io.entroq.engine.idfilter;

import io.entroq.engine.memory.Mix;
import java.nio.ByteOrder;
import org.agrona.BufferUtil;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.UnsafeApi;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A Bloom filter of ids. An id sets eight bits of one block, two in each of its words, so that it
 * touches one cache line. Within {@link #IDS_MAX} ids, about one of ten thousand others is taken
 * for one of them. One thread.
 */
final class IdFilter {
  static final int BLOCK_BYTES = 32;
  private static final int IDS_PER_BLOCK = 10;

  /** A power of two, so that a filter of few ids can be folded. */
  static final int BLOCKS = 8_192;

  /** It is full with so many ids. */
  static final int IDS_MAX = BLOCKS * IDS_PER_BLOCK;

  /** The bits of a hash below these choose bits, the others the block. */
  private static final int BLOCK_SHIFT = 48;

  /**
   * So many ids are written to the words at once: these are seldom in a cache, and the processor
   * then waits for several at a time.
   */
  private static final int PENDING = 256;

  private static final int CACHE_LINE_BYTES = 64;

  // How far the bits of a hash that choose a bit of a word are shifted; six bits for each.
  private static final int WORD_0 = 0;
  private static final int WORD_1 = 12;
  private static final int WORD_2 = 24;
  private static final int WORD_3 = 36;
  private static final int SECOND = 6;

  private final UnsafeBuffer words =
      new UnsafeBuffer(BufferUtil.allocateDirectAligned(BLOCKS * BLOCK_BYTES, CACHE_LINE_BYTES));
  private final long address = words.addressOffset();

  /** Hashes that are not in the words yet. */
  private final long[] pending = new long[PENDING];

  private int pendingCount;
  private int ids;

  /** Adds an id, by the halves of its key. */
  void add(long high, long low) {
    if (pendingCount == PENDING) {
      flush();
    }
    pending[pendingCount++] = Mix.key(high, low);
  }

  private void flush() {
    for (int i = 0; i < pendingCount; i++) {
      add(pending[i]);
    }
    pendingCount = 0;
  }

  private void add(long hash) {
    long at = address + (long) block(hash, BLOCKS) * BLOCK_BYTES;
    long bits0 = bits(hash, WORD_0);
    long bits1 = bits(hash, WORD_1);
    long bits2 = bits(hash, WORD_2);
    long bits3 = bits(hash, WORD_3);
    long word0 = UnsafeApi.getLong(at);
    long word1 = UnsafeApi.getLong(at + 8);
    long word2 = UnsafeApi.getLong(at + 16);
    long word3 = UnsafeApi.getLong(at + 24);
    long missing = (bits0 & ~word0) | (bits1 & ~word1) | (bits2 & ~word2) | (bits3 & ~word3);
    if (missing != 0) {
      UnsafeApi.putLong(at, word0 | bits0);
      UnsafeApi.putLong(at + 8, word1 | bits1);
      UnsafeApi.putLong(at + 16, word2 | bits2);
      UnsafeApi.putLong(at + 24, word3 | bits3);
      ids++;
    }
  }

  private static int block(long hash, int blocks) {
    return (int) (hash >>> BLOCK_SHIFT) & (blocks - 1);
  }

  /** Two bits of a word. */
  private static long bits(long hash, int shift) {
    return 1L << (hash >>> shift) | 1L << (hash >>> (shift + SECOND));
  }

  /** Whether so many ids were added, a few of them perhaps twice. */
  boolean hasIds(int count) {
    return ids + pendingCount >= count;
  }

  /** How many ids were added, each once, but for a few that seemed to be there. */
  int ids() {
    flush();
    return ids;
  }

  /** Forgets all ids. */
  void clear() {
    words.setMemory(0, words.capacity(), (byte) 0);
    pendingCount = 0;
    ids = 0;
  }

  // Stored filters: a power of two of blocks, words in little-endian order.

  /** The least blocks that so many ids need. */
  static int blocksFor(int ids) {
    int needed = Math.max(1, (ids + IDS_PER_BLOCK - 1) / IDS_PER_BLOCK);
    return needed >= BLOCKS ? BLOCKS : Integer.highestOneBit(2 * needed - 1);
  }

  /**
   * Stores this, folded to fewer blocks.
   *
   * @param into has zeros there
   */
  void store(MutableDirectBuffer into, int offset, int blocks) {
    flush();
    int bytes = blocks * BLOCK_BYTES;
    for (int from = 0; from < BLOCKS * BLOCK_BYTES; from += Long.BYTES) {
      int to = offset + (from & (bytes - 1));
      long word = words.getLong(from) | into.getLong(to, ByteOrder.LITTLE_ENDIAN);
      into.putLong(to, word, ByteOrder.LITTLE_ENDIAN);
    }
  }

  /** Whether a stored filter may have an id; if not, it has not. */
  static boolean mayHave(DirectBuffer stored, int offset, int blocks, long high, long low) {
    long hash = Mix.key(high, low);
    int at = offset + block(hash, blocks) * BLOCK_BYTES;
    return hasBits(stored, at, bits(hash, WORD_0))
        && hasBits(stored, at + 8, bits(hash, WORD_1))
        && hasBits(stored, at + 16, bits(hash, WORD_2))
        && hasBits(stored, at + 24, bits(hash, WORD_3));
  }

  private static boolean hasBits(DirectBuffer stored, int offset, long bits) {
    return (bits & ~stored.getLong(offset, ByteOrder.LITTLE_ENDIAN)) == 0;
  }
}

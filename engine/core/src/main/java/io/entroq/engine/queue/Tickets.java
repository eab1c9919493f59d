package io.entroq.engine.queue;

import io.entroq.engine.memory.Invariant;
import io.entroq.engine.memory.Slab;
import io.entroq.engine.memory.SparseRecords;

/**
 * The ready tasks of one queue, numbered in the order in which they became ready, so that the rank
 * of each takes logarithmic time. A number is kept by the position of its task in the ready array.
 * Which numbers are taken is a ring of bitmaps, one for 1,024 numbers, with a Fenwick tree over
 * their counts.
 */
final class Tickets {

  private static final int CHUNK_SHIFT = 10;
  private static final int WORD_SHIFT = 6;
  private static final int CHUNK_WORDS = 1 << (CHUNK_SHIFT - WORD_SHIFT);
  private static final int CAPACITY_FIRST = 16;

  /** Up to this capacity, in chunks, it does not matter how few of their numbers are taken. */
  private static final int SPARSE_CAPACITY = 64;

  /** Fewer tasks than this per chunk are not worth a larger ring. */
  private static final int SPARSE_TASKS = 1 << (CHUNK_SHIFT - 3);

  /** The next task to number, {@link Slab#NONE} once all are. */
  int cursor;

  /** Changes of the queue since the last question. */
  long changes;

  /** Orders questions: the number of the last one about this queue. */
  long lastAsked;

  /** By array position: one more than the number, 0 if the task has none yet. */
  private final SparseRecords numbers = new SparseRecords(Long.BYTES);

  private int capacity = CAPACITY_FIRST;
  private long[] words = new long[CAPACITY_FIRST * CHUNK_WORDS];
  private int[] counts = new int[CAPACITY_FIRST];

  /** Sums of the counts, by place in the ring; from 1, as usual. */
  private int[] sums = new int[CAPACITY_FIRST + 1];

  private long firstChunk;
  private long next;
  private int size;

  Tickets(int oldest) {
    cursor = oldest;
  }

  boolean isComplete() {
    return cursor == Slab.NONE;
  }

  /** How many tasks are numbered. */
  int size() {
    return size;
  }

  /**
   * Numbers a task as the youngest.
   *
   * @return false if the numbers are so sparse that it is better to start again
   */
  boolean append(int position) {
    long chunk = next >>> CHUNK_SHIFT;
    while (firstChunk < chunk && counts[place(firstChunk)] == 0) {
      firstChunk++;
    }
    if (chunk - firstChunk == capacity && !grow()) {
      return false;
    }
    int place = place(chunk);
    words[word(next)] |= 1L << next;
    counts[place]++;
    addToSum(place, 1);
    size++;
    next++;
    numbers.add(position);
    numbers.putLong(position, 0, next);
    return true;
  }

  /** Follows the ready array: the last task moves to the position of one that is removed. */
  void remove(int position, int last) {
    long removed = numberAt(position);
    if (removed >= 0) {
      take(position, removed);
    }
    long moved = position == last ? -1 : numberAt(last);
    if (moved >= 0) {
      numbers.remove(last);
      numbers.add(position);
      numbers.putLong(position, 0, moved + 1);
    }
  }

  private void take(int position, long number) {
    int place = place(number >>> CHUNK_SHIFT);
    words[word(number)] &= ~(1L << number);
    counts[place]--;
    addToSum(place, -1);
    size--;
    numbers.remove(position);
  }

  /** How many tasks are older than the one at a position, which is numbered. */
  int rank(int position) {
    long number = numberAt(position);
    Invariant.check(number >= 0, "a ready task has a number", position, size);
    int place = place(number >>> CHUNK_SHIFT);
    int first = place(firstChunk);
    int rank = sum(place) - sum(first) + (place < first ? size : 0);
    int word = word(number);
    for (int before = place * CHUNK_WORDS; before < word; before++) {
      rank += Long.bitCount(words[before]);
    }
    return rank + Long.bitCount(words[word] & ((1L << number) - 1));
  }

  /** The number of the task at an array position, -1 if it has none. */
  private long numberAt(int position) {
    return numbers.mayHave(position) ? numbers.getLong(position, 0) - 1 : -1;
  }

  private int place(long chunk) {
    return (int) chunk & capacity - 1;
  }

  private int word(long number) {
    return place(number >>> CHUNK_SHIFT) * CHUNK_WORDS
        + ((int) (number >>> WORD_SHIFT) & CHUNK_WORDS - 1);
  }

  private boolean grow() {
    if (capacity >= SPARSE_CAPACITY && size < capacity * (long) SPARSE_TASKS) {
      return false;
    }
    long[] formerWords = words;
    int[] formerCounts = counts;
    int former = capacity;
    capacity = 2 * former;
    words = new long[capacity * CHUNK_WORDS];
    counts = new int[capacity];
    sums = new int[capacity + 1];
    for (long chunk = firstChunk; chunk < firstChunk + former; chunk++) {
      int from = (int) chunk & former - 1;
      int to = place(chunk);
      System.arraycopy(formerWords, from * CHUNK_WORDS, words, to * CHUNK_WORDS, CHUNK_WORDS);
      counts[to] = formerCounts[from];
      addToSum(to, counts[to]);
    }
    return true;
  }

  private void addToSum(int place, int by) {
    for (int i = place + 1; i <= capacity; i += i & -i) {
      sums[i] += by;
    }
  }

  /** The sum of the counts at the places before one. */
  private int sum(int place) {
    int sum = 0;
    for (int i = place; i > 0; i -= i & -i) {
      sum += sums[i];
    }
    return sum;
  }

  long memoryBytes() {
    return numbers.memoryBytes();
  }

  void close() {
    numbers.close();
  }
}

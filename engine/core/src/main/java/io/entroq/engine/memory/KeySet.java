package io.entroq.engine.memory;

import java.util.Arrays;

/** A set of 128-bit keys that is emptied in constant time. Not thread-safe. */
public final class KeySet {

  private static final int CAPACITY_MIN = 64;

  private long[] keys = new long[CAPACITY_MIN * 2];
  private int[] stamps = new int[CAPACITY_MIN];
  private int stamp = 1;
  private int size;

  /** Empties the set. */
  public void clear() {
    size = 0;
    if (++stamp == 0) {
      Arrays.fill(stamps, 0);
      stamp = 1;
    }
  }

  /**
   * Adds a key.
   *
   * @return false if it was there already
   */
  public boolean add(long high, long low) {
    if (size >= stamps.length / 2) {
      grow();
    }
    int position = find(high, low);
    if (stamps[position] == stamp) {
      return false;
    }
    set(position, high, low);
    return true;
  }

  private int find(long high, long low) {
    int mask = stamps.length - 1;
    int position = (int) Mix.key(high, low) & mask;
    while (stamps[position] == stamp
        && (keys[2 * position] != high || keys[2 * position + 1] != low)) {
      position = (position + 1) & mask;
    }
    return position;
  }

  private void set(int position, long high, long low) {
    keys[2 * position] = high;
    keys[2 * position + 1] = low;
    stamps[position] = stamp;
    size++;
  }

  private void grow() {
    long[] oldKeys = keys;
    int[] oldStamps = stamps;
    int oldStamp = stamp;
    keys = new long[oldKeys.length * 2];
    stamps = new int[oldStamps.length * 2];
    stamp = 1;
    size = 0;
    for (int i = 0; i < oldStamps.length; i++) {
      if (oldStamps[i] == oldStamp) {
        set(find(oldKeys[2 * i], oldKeys[2 * i + 1]), oldKeys[2 * i], oldKeys[2 * i + 1]);
      }
    }
  }
}

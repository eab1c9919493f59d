package io.entroq.engine.memory;

import java.util.Arrays;

/** A set of 128-bit keys that clears in constant time. Not thread-safe. */
public final class KeySet {

  private static final int CAPACITY_MIN = 64;

  private long[] keys = new long[CAPACITY_MIN * 2];
  private int[] epochs = new int[CAPACITY_MIN];
  private int epoch = 1;
  private int size;

  public void clear() {
    size = 0;
    if (++epoch == 0) {
      Arrays.fill(epochs, 0);
      epoch = 1;
    }
  }

  /**
   * Adds a key.
   *
   * @return false if the set had it already
   */
  public boolean add(long high, long low) {
    if (size >= epochs.length / 2) {
      grow();
    }
    int position = find(high, low);
    if (epochs[position] == epoch) {
      return false;
    }
    set(position, high, low);
    return true;
  }

  public boolean contains(long high, long low) {
    return epochs[find(high, low)] == epoch;
  }

  private int find(long high, long low) {
    int mask = epochs.length - 1;
    int position = (int) Mix.key(high, low) & mask;
    while (epochs[position] == epoch
        && (keys[2 * position] != high || keys[2 * position + 1] != low)) {
      position = (position + 1) & mask;
    }
    return position;
  }

  private void set(int position, long high, long low) {
    keys[2 * position] = high;
    keys[2 * position + 1] = low;
    epochs[position] = epoch;
    size++;
  }

  private void grow() {
    long[] oldKeys = keys;
    int[] oldEpochs = epochs;
    int oldEpoch = epoch;
    keys = new long[oldKeys.length * 2];
    epochs = new int[oldEpochs.length * 2];
    epoch = 1;
    size = 0;
    for (int i = 0; i < oldEpochs.length; i++) {
      if (oldEpochs[i] == oldEpoch) {
        set(find(oldKeys[2 * i], oldKeys[2 * i + 1]), oldKeys[2 * i], oldKeys[2 * i + 1]);
      }
    }
  }
}

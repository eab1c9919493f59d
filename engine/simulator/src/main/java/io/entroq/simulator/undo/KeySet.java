package io.entroq.simulator.undo;

import java.util.Arrays;

/** The ids that one modify names, to tell when one comes twice. */
public final class KeySet {
  private long[] keys = new long[32];
  private boolean[] used = new boolean[16];
  private int size;

  public void clear() {
    if (size > 0) {
      Arrays.fill(used, false);
      size = 0;
    }
  }

  /** Adds a key; false if it was there. */
  public boolean add(long high, long low) {
    if (size * 2 >= used.length) {
      grow();
    }
    int mask = used.length - 1;
    int place = (int) Hashes.key(high, low) & mask;
    while (used[place]) {
      if (keys[2 * place] == high && keys[2 * place + 1] == low) {
        return false;
      }
      place = (place + 1) & mask;
    }
    used[place] = true;
    keys[2 * place] = high;
    keys[2 * place + 1] = low;
    size++;
    return true;
  }

  private void grow() {
    long[] formerKeys = keys;
    boolean[] formerUsed = used;
    keys = new long[formerKeys.length * 2];
    used = new boolean[formerUsed.length * 2];
    size = 0;
    for (int i = 0; i < formerUsed.length; i++) {
      if (formerUsed[i]) {
        add(formerKeys[2 * i], formerKeys[2 * i + 1]);
      }
    }
  }
}

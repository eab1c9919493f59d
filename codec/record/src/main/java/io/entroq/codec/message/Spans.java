package io.entroq.codec.message;

import java.util.Arrays;
import java.util.Objects;

/** Where repeated byte strings stand in a buffer: a list of (offset, length) that is reused. */
public final class Spans {
  /** What is kept for the next message, however large the last one was. */
  private static final int KEPT_MAX = 4096;

  private int[] offsetsAndLengths = new int[16];
  private int count;

  /** An empty list. */
  public Spans() {}

  /** Forgets all. */
  public void clear() {
    count = 0;
    if (offsetsAndLengths.length > 2 * KEPT_MAX) {
      offsetsAndLengths = new int[2 * KEPT_MAX];
    }
  }

  /** Adds one at the end. */
  public void add(int offset, int length) {
    int at = 2 * count;
    if (at == offsetsAndLengths.length) {
      offsetsAndLengths = Arrays.copyOf(offsetsAndLengths, 2 * at);
    }
    offsetsAndLengths[at] = offset;
    offsetsAndLengths[at + 1] = length;
    count++;
  }

  /** How many there are. */
  public int count() {
    return count;
  }

  /** Where the one at an index from 0 begins. */
  public int offset(int index) {
    return offsetsAndLengths[2 * Objects.checkIndex(index, count)];
  }

  /** Bytes of the one at an index from 0. */
  public int length(int index) {
    return offsetsAndLengths[2 * Objects.checkIndex(index, count) + 1];
  }
}

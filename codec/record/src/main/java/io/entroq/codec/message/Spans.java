package io.entroq.codec.message;

import java.util.Arrays;
import java.util.Objects;

/** A reusable list of offsets and lengths, for the elements of a repeated byte string. */
public final class Spans {
  /** Elements kept after a large message. */
  private static final int KEPT_MAX = 4096;

  private int[] offsetsAndLengths = new int[16];
  private int count;

  public void clear() {
    count = 0;
    if (offsetsAndLengths.length > 2 * KEPT_MAX) {
      offsetsAndLengths = new int[2 * KEPT_MAX];
    }
  }

  public void add(int offset, int length) {
    int at = 2 * count;
    if (at == offsetsAndLengths.length) {
      offsetsAndLengths = Arrays.copyOf(offsetsAndLengths, 2 * at);
    }
    offsetsAndLengths[at] = offset;
    offsetsAndLengths[at + 1] = length;
    count++;
  }

  public int count() {
    return count;
  }

  /** Offset of the element at an index from 0. */
  public int offset(int index) {
    return offsetsAndLengths[2 * Objects.checkIndex(index, count)];
  }

  /** Bytes of the element at an index from 0. */
  public int length(int index) {
    return offsetsAndLengths[2 * Objects.checkIndex(index, count) + 1];
  }
}

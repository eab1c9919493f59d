package io.entroq.engine.policy;

import io.entroq.codec.message.FieldLimits;
import java.util.Arrays;

/** The lengths of prefixes that have a policy, the longest first. */
final class PrefixLengths {

  private final int[] counts = new int[FieldLimits.TEXT_BYTES_MAX + 1];
  private int[] lengths = {};

  void add(int length) {
    if (counts[length]++ == 0) {
      int at = 0;
      while (at < lengths.length && lengths[at] > length) {
        at++;
      }
      int[] more = Arrays.copyOf(lengths, lengths.length + 1);
      System.arraycopy(lengths, at, more, at + 1, lengths.length - at);
      more[at] = length;
      lengths = more;
    }
  }

  void remove(int length) {
    if (--counts[length] == 0) {
      int[] fewer = new int[lengths.length - 1];
      int count = 0;
      for (int other : lengths) {
        if (other != length) {
          fewer[count++] = other;
        }
      }
      lengths = fewer;
    }
  }

  /** Number of different lengths. */
  int size() {
    return lengths.length;
  }

  /** The length at a position, from 0 for the longest. */
  int get(int position) {
    return lengths[position];
  }
}

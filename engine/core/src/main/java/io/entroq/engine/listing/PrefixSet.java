package io.entroq.engine.listing;

import io.entroq.codec.result.NameQuery;
import java.util.Arrays;
import org.agrona.DirectBuffer;

/**
 * Sorted prefixes of names, none a prefix of another: at most one can match a name, and a binary
 * search finds it.
 */
final class PrefixSet {

  private final byte[][] prefixes;

  PrefixSet(NameQuery query) {
    byte[][] sorted = new byte[query.matchPrefixCount()][];
    for (int i = 0; i < sorted.length; i++) {
      sorted[i] = new byte[query.matchPrefixLength(i)];
      query.buffer().getBytes(query.matchPrefixOffset(i), sorted[i]);
    }
    Arrays.sort(sorted, Arrays::compareUnsigned);
    int kept = 0;
    for (byte[] prefix : sorted) {
      // A prefix sorts directly before the names that begin with it.
      if (kept == 0 || !beginsWith(prefix, sorted[kept - 1])) {
        sorted[kept++] = prefix;
      }
    }
    prefixes = Arrays.copyOf(sorted, kept);
  }

  private static boolean beginsWith(byte[] name, byte[] prefix) {
    return name.length >= prefix.length
        && Arrays.equals(name, 0, prefix.length, prefix, 0, prefix.length);
  }

  boolean isEmpty() {
    return prefixes.length == 0;
  }

  /** Whether a name begins with one of these. */
  boolean matches(DirectBuffer name, int offset, int length) {
    int low = 0;
    int high = prefixes.length - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      int order = compare(name, offset, length, prefixes[middle]);
      if (order == 0) {
        return true;
      }
      if (order < 0) {
        high = middle - 1;
      } else {
        low = middle + 1;
      }
    }
    return false;
  }

  /** 0 if the name begins with the prefix, otherwise the order of the two. */
  private static int compare(DirectBuffer name, int offset, int length, byte[] prefix) {
    int common = Math.min(length, prefix.length);
    for (int i = 0; i < common; i++) {
      int order = Byte.compareUnsigned(name.getByte(offset + i), prefix[i]);
      if (order != 0) {
        return order;
      }
    }
    return length < prefix.length ? -1 : 0;
  }
}

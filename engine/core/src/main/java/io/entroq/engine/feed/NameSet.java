package io.entroq.engine.feed;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import org.agrona.DirectBuffer;

/** Names, to be compared with bytes. Immutable; makes no objects when asked. */
final class NameSet {
  private final byte[][] names;

  NameSet(Collection<String> names) {
    this.names =
        names.stream()
            .map(name -> name.getBytes(StandardCharsets.UTF_8))
            .sorted(Arrays::compareUnsigned)
            .toArray(byte[][]::new);
  }

  boolean isEmpty() {
    return names.length == 0;
  }

  boolean has(DirectBuffer buffer, int offset, int length) {
    int low = 0;
    int high = names.length - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      int order = compare(names[middle], buffer, offset, length);
      if (order == 0) {
        return true;
      }
      if (order < 0) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return false;
  }

  /** Whether some name is the begin of the bytes. */
  boolean hasPrefixOf(DirectBuffer buffer, int offset, int length) {
    for (byte[] name : names) {
      if (name.length <= length && compare(name, buffer, offset, name.length) == 0) {
        return true;
      }
    }
    return false;
  }

  private static int compare(byte[] name, DirectBuffer buffer, int offset, int length) {
    int common = Math.min(name.length, length);
    for (int i = 0; i < common; i++) {
      int difference = (name[i] & 0xff) - (buffer.getByte(offset + i) & 0xff);
      if (difference != 0) {
        return difference;
      }
    }
    return name.length - length;
  }
}

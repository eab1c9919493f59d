package io.entroq.simulator.check;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.agrona.DirectBuffer;

/** Names of queues by number, from 1. A name once heard keeps its number for ever. */
final class Names {
  private byte[][] names = new byte[64][];
  private long[] hashes = new long[64];
  private int[] table = new int[256];
  private int count;

  /** The number of a name, which is given one if it is new. */
  int number(DirectBuffer buffer, int offset, int length) {
    long hash = Hashes.bytes(buffer, offset, length);
    int mask = table.length - 1;
    int place = (int) hash & mask;
    while (table[place] != 0) {
      int number = table[place];
      if (hashes[number] == hash && isEqual(names[number], buffer, offset, length)) {
        return number;
      }
      place = (place + 1) & mask;
    }
    return add(hash, buffer, offset, length);
  }

  private static boolean isEqual(byte[] name, DirectBuffer buffer, int offset, int length) {
    if (name.length != length) {
      return false;
    }
    for (int i = 0; i < length; i++) {
      if (name[i] != buffer.getByte(offset + i)) {
        return false;
      }
    }
    return true;
  }

  private int add(long hash, DirectBuffer buffer, int offset, int length) {
    count++;
    if (count == names.length) {
      names = Arrays.copyOf(names, count * 2);
      hashes = Arrays.copyOf(hashes, count * 2);
    }
    names[count] = new byte[length];
    buffer.getBytes(offset, names[count]);
    hashes[count] = hash;
    if (count * 2 > table.length) {
      table = new int[table.length * 2];
      for (int i = 1; i < count; i++) {
        put(i);
      }
    }
    put(count);
    return count;
  }

  private void put(int number) {
    int mask = table.length - 1;
    int place = (int) hashes[number] & mask;
    while (table[place] != 0) {
      place = (place + 1) & mask;
    }
    table[place] = number;
  }

  /** The highest number so far. */
  int count() {
    return count;
  }

  byte[] bytes(int number) {
    return names[number];
  }

  String text(int number) {
    return new String(names[number], StandardCharsets.UTF_8);
  }
}

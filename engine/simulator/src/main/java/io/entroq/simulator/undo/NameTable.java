package io.entroq.simulator.undo;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.agrona.DirectBuffer;
import org.agrona.collections.IntArrayList;

/** Names by number, from 1. A name keeps its number until it is forgotten. */
public final class NameTable {
  private byte[][] names = new byte[64][];
  private long[] hashes = new long[64];
  private int[] table = new int[256];
  private int count;
  private int live;
  private final IntArrayList unused = new IntArrayList();

  /** The number of a name; a new name gets a number. */
  public int number(DirectBuffer buffer, int offset, int length) {
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
    int number = unused.isEmpty() ? ++count : unused.popInt();
    if (number == names.length) {
      names = Arrays.copyOf(names, number * 2);
      hashes = Arrays.copyOf(hashes, number * 2);
    }
    names[number] = new byte[length];
    buffer.getBytes(offset, names[number]);
    hashes[number] = hash;
    live++;
    if (live * 2 > table.length) {
      table = new int[table.length * 2];
      for (int i = 1; i <= count; i++) {
        if (names[i] != null && i != number) {
          put(i);
        }
      }
    }
    put(number);
    return number;
  }

  /** Forgets a name. Its number may be reused. */
  public void forget(int number) {
    int mask = table.length - 1;
    int hole = (int) hashes[number] & mask;
    while (table[hole] != number) {
      hole = (hole + 1) & mask;
    }
    for (int next = (hole + 1) & mask; table[next] != 0; next = (next + 1) & mask) {
      int home = (int) hashes[table[next]] & mask;
      if (((next - home) & mask) >= ((next - hole) & mask)) {
        table[hole] = table[next];
        hole = next;
      }
    }
    table[hole] = 0;
    names[number] = null;
    live--;
    unused.addInt(number);
  }

  /** Whether a name has this number. */
  public boolean isUsed(int number) {
    return names[number] != null;
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
  public int count() {
    return count;
  }

  public long hash(int number) {
    return hashes[number];
  }

  public byte[] bytes(int number) {
    return names[number];
  }

  public String text(int number) {
    return new String(names[number], StandardCharsets.UTF_8);
  }
}

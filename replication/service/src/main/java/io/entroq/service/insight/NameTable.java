package io.entroq.service.insight;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.agrona.DirectBuffer;

/** Finds entries by the bytes of their names, without allocation. Not thread-safe. */
final class NameTable {
  private static final int SLOTS_MIN = 1 << 10;
  private static final long MIX = 0x9E3779B97F4A7C15L;

  /** So that nobody can choose names that all have the same place. */
  private final long seed = new SplittableRandom().nextLong();

  private RateEntry[] slots = new RateEntry[SLOTS_MIN];
  private int size;

  int size() {
    return size;
  }

  /** Null if there is none. */
  RateEntry find(DirectBuffer buffer, int offset, int length) {
    int mask = slots.length - 1;
    int slot = hash(buffer, offset, length) & mask;
    while (slots[slot] != null && !equals(slots[slot].name, buffer, offset, length)) {
      slot = (slot + 1) & mask;
    }
    return slots[slot];
  }

  /** Adds an entry whose name is not there yet. */
  void add(RateEntry entry) {
    if (2 * (size + 1) > slots.length) {
      rebuild(slots.length * 2, found -> true);
    }
    put(entry);
  }

  private void put(RateEntry entry) {
    int mask = slots.length - 1;
    int slot = hash(entry.name, 0, entry.name.capacity()) & mask;
    while (slots[slot] != null) {
      slot = (slot + 1) & mask;
    }
    slots[slot] = entry;
    size++;
  }

  /** Removes all others. */
  void retain(Predicate<RateEntry> kept) {
    rebuild(slots.length, kept);
  }

  private void rebuild(int length, Predicate<RateEntry> kept) {
    RateEntry[] former = slots;
    slots = new RateEntry[length];
    size = 0;
    Arrays.stream(former).filter(entry -> entry != null && kept.test(entry)).forEach(this::put);
  }

  void forEach(Consumer<RateEntry> each) {
    for (RateEntry entry : slots) {
      if (entry != null) {
        each.accept(entry);
      }
    }
  }

  /** Whether a name has these bytes. */
  static boolean equals(DirectBuffer name, DirectBuffer buffer, int offset, int length) {
    if (name.capacity() != length) {
      return false;
    }
    int i = 0;
    for (; i + Long.BYTES <= length; i += Long.BYTES) {
      if (name.getLong(i) != buffer.getLong(offset + i)) {
        return false;
      }
    }
    for (; i < length; i++) {
      if (name.getByte(i) != buffer.getByte(offset + i)) {
        return false;
      }
    }
    return true;
  }

  private int hash(DirectBuffer buffer, int offset, int length) {
    long hash = seed ^ length;
    int i = 0;
    for (; i + Long.BYTES <= length; i += Long.BYTES) {
      hash = mix(hash ^ buffer.getLong(offset + i));
    }
    for (; i < length; i++) {
      hash = mix(hash ^ buffer.getByte(offset + i));
    }
    return (int) hash;
  }

  private static long mix(long hash) {
    long product = hash * MIX;
    return product ^ product >>> 32;
  }
}

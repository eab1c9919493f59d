package io.entroq.service.insight;

import java.util.function.Consumer;
import java.util.function.Predicate;

/** Finds things by the 128-bit keys of ids, without allocation. Not thread-safe. */
final class IdTable<T> {
  private static final int SLOTS_MIN = 1 << 8;
  private static final long MIX = 0x9E3779B97F4A7C15L;

  private long[] highs = new long[SLOTS_MIN];
  private long[] lows = new long[SLOTS_MIN];

  /** Null where there is nothing. */
  private Object[] values = new Object[SLOTS_MIN];

  private int size;

  int size() {
    return size;
  }

  // Filled by put() alone.
  @SuppressWarnings("unchecked")
  private T at(int slot) {
    return (T) values[slot];
  }

  /** Null if there is none. */
  T get(long high, long low) {
    return at(find(high, low));
  }

  /** Adds or replaces; the value is not null. */
  void put(long high, long low, T value) {
    int slot = find(high, low);
    if (values[slot] == null) {
      if (2 * (size + 1) > values.length) {
        rebuild(values.length * 2, found -> true);
        slot = find(high, low);
      }
      size++;
    }
    set(slot, high, low, value);
  }

  private void set(int slot, long high, long low, Object value) {
    highs[slot] = high;
    lows[slot] = low;
    values[slot] = value;
  }

  /** Removes what there is; null if there is none. */
  T remove(long high, long low) {
    int slot = find(high, low);
    T found = at(slot);
    if (found != null) {
      size--;
      close(slot);
    }
    return found;
  }

  /** Empties a slot, and moves into it what would not be found otherwise. */
  private void close(int emptied) {
    int mask = values.length - 1;
    int empty = emptied;
    values[empty] = null;
    for (int slot = (empty + 1) & mask; values[slot] != null; slot = (slot + 1) & mask) {
      int best = hash(highs[slot], lows[slot]) & mask;
      if (((slot - best) & mask) >= ((slot - empty) & mask)) {
        set(empty, highs[slot], lows[slot], values[slot]);
        values[slot] = null;
        empty = slot;
      }
    }
  }

  void retain(Predicate<T> kept) {
    rebuild(values.length, kept);
  }

  private void rebuild(int count, Predicate<T> kept) {
    long[] formerHighs = highs;
    long[] formerLows = lows;
    Object[] former = values;
    highs = new long[count];
    lows = new long[count];
    values = new Object[count];
    size = 0;
    for (int slot = 0; slot < former.length; slot++) {
      // Put there by put() alone.
      @SuppressWarnings("unchecked")
      T value = (T) former[slot];
      if (value != null && kept.test(value)) {
        long high = formerHighs[slot];
        long low = formerLows[slot];
        set(find(high, low), high, low, value);
        size++;
      }
    }
  }

  void forEach(Consumer<T> each) {
    for (int slot = 0; slot < values.length; slot++) {
      T value = at(slot);
      if (value != null) {
        each.accept(value);
      }
    }
  }

  /** The slot of an id, or the empty one where it goes. */
  private int find(long high, long low) {
    int mask = values.length - 1;
    int slot = hash(high, low) & mask;
    while (values[slot] != null && !(lows[slot] == low && highs[slot] == high)) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  private static int hash(long high, long low) {
    long product = (high * MIX ^ low) * MIX;
    return (int) (product ^ product >>> 32);
  }
}

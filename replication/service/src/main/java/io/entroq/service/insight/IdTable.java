package io.entroq.service.insight;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** Finds things by the 128-bit keys of ids, without allocation. Not thread-safe. */
final class IdTable<T> {
  private static final int SLOTS_MIN = 1 << 8;
  private static final long MIX = 0x9E3779B97F4A7C15L;

  private record Entry<T>(long high, long low, T value) {}

  private List<Entry<T>> slots = slots(SLOTS_MIN);
  private int size;

  private static <T> List<Entry<T>> slots(int count) {
    List<Entry<T>> slots = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      slots.add(null);
    }
    return slots;
  }

  int size() {
    return size;
  }

  /** Null if there is none. */
  T get(long high, long low) {
    Entry<T> entry = slots.get(find(high, low));
    return entry == null ? null : entry.value;
  }

  /** Adds or replaces. */
  void put(long high, long low, T value) {
    int slot = find(high, low);
    if (slots.get(slot) == null) {
      if (2 * (size + 1) > slots.size()) {
        rebuild(slots.size() * 2, found -> true);
        slot = find(high, low);
      }
      size++;
    }
    slots.set(slot, new Entry<>(high, low, value));
  }

  /** Removes what there is; null if there is none. */
  T remove(long high, long low) {
    int slot = find(high, low);
    Entry<T> entry = slots.get(slot);
    if (entry == null) {
      return null;
    }
    size--;
    close(slot);
    return entry.value;
  }

  /** Empties a slot, and moves into it what would not be found otherwise. */
  private void close(int emptied) {
    int mask = slots.size() - 1;
    int empty = emptied;
    slots.set(empty, null);
    for (int slot = (empty + 1) & mask; slots.get(slot) != null; slot = (slot + 1) & mask) {
      Entry<T> entry = slots.get(slot);
      int best = hash(entry.high, entry.low) & mask;
      if (((slot - best) & mask) >= ((slot - empty) & mask)) {
        slots.set(empty, entry);
        slots.set(slot, null);
        empty = slot;
      }
    }
  }

  void retain(Predicate<T> kept) {
    rebuild(slots.size(), kept);
  }

  private void rebuild(int count, Predicate<T> kept) {
    List<Entry<T>> former = slots;
    slots = slots(count);
    size = 0;
    for (Entry<T> entry : former) {
      if (entry != null && kept.test(entry.value)) {
        slots.set(find(entry.high, entry.low), entry);
        size++;
      }
    }
  }

  void forEach(Consumer<T> each) {
    for (Entry<T> entry : slots) {
      if (entry != null) {
        each.accept(entry.value);
      }
    }
  }

  /** The slot of an id, or the empty one where it goes. */
  private int find(long high, long low) {
    int mask = slots.size() - 1;
    int slot = hash(high, low) & mask;
    for (Entry<T> entry = slots.get(slot);
        entry != null && !(entry.low == low && entry.high == high);
        entry = slots.get(slot)) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  private static int hash(long high, long low) {
    long product = (high * MIX ^ low) * MIX;
    return (int) (product ^ product >>> 32);
  }
}

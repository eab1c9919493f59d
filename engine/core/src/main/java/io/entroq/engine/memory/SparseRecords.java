package io.entroq.engine.memory;

import java.util.Arrays;
import org.agrona.UnsafeApi;

/**
 * Small records beside those of a slab, by the same slots, of which few have one. Pages of them
 * exist while they are in use. Zeros at first. Not thread-safe.
 */
public final class SparseRecords {

  private static final int PAGE_SHIFT = 10;
  private static final int PAGE_SLOTS = 1 << PAGE_SHIFT;

  private final int recordBytes;
  private Memory[] pages = new Memory[16];
  private int[] used = new int[16];

  /** Kept, so that a single record that comes and goes takes no memory each time; may be null. */
  private Memory spare;

  private int pageCount;

  /**
   * Creates an empty array.
   *
   * @param recordBytes size of a record, a multiple of 8
   */
  public SparseRecords(int recordBytes) {
    this.recordBytes = recordBytes;
  }

  /** Makes room for the record of a slot, which has none. */
  public void add(int slot) {
    int page = slot >>> PAGE_SHIFT;
    if (page >= pages.length) {
      int wanted = Math.max(page + 1, pages.length * 2);
      pages = Arrays.copyOf(pages, wanted);
      used = Arrays.copyOf(used, wanted);
    }
    if (pages[page] == null) {
      pages[page] = takePage();
    }
    used[page]++;
    Invariant.check(used[page] <= PAGE_SLOTS, "records of a page", slot, used[page]);
  }

  /** Clears the record of a slot, which has one. */
  public void remove(int slot) {
    int page = slot >>> PAGE_SHIFT;
    Invariant.check(mayHave(slot) && used[page] > 0, "a record that is removed is there", slot, 0);
    UnsafeApi.setMemory(address(slot), recordBytes, (byte) 0);
    if (--used[page] == 0) {
      giveBack(pages[page]);
      pages[page] = null;
    }
  }

  private Memory takePage() {
    if (spare == null) {
      pageCount++;
      return Memory.allocate(recordBytes << PAGE_SHIFT);
    }
    Memory page = spare;
    spare = null;
    return page;
  }

  /** All its records are cleared. */
  private void giveBack(Memory page) {
    if (spare == null) {
      spare = page;
    } else {
      page.free();
      pageCount--;
    }
  }

  /** Whether the page of a slot exists: otherwise it has no record. */
  public boolean mayHave(int slot) {
    int page = slot >>> PAGE_SHIFT;
    return page < pages.length && pages[page] != null;
  }

  private long address(int slot) {
    return pages[slot >>> PAGE_SHIFT].address() + (long) (slot & PAGE_SLOTS - 1) * recordBytes;
  }

  /** A field of a slot whose page exists, by its byte offset in the record. */
  public int getInt(int slot, int field) {
    return UnsafeApi.getInt(address(slot) + field);
  }

  public void putInt(int slot, int field, int value) {
    UnsafeApi.putInt(address(slot) + field, value);
  }

  public long getLong(int slot, int field) {
    return UnsafeApi.getLong(address(slot) + field);
  }

  public void putLong(int slot, int field, long value) {
    UnsafeApi.putLong(address(slot) + field, value);
  }

  public long memoryBytes() {
    return (long) pageCount * (recordBytes << PAGE_SHIFT);
  }

  /** Frees all memory; the array must not be used afterwards. */
  public void close() {
    for (Memory page : pages) {
      if (page != null) {
        page.free();
      }
    }
    Arrays.fill(pages, null);
    if (spare != null) {
      spare.free();
      spare = null;
    }
    pageCount = 0;
  }
}

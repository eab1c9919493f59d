package io.entroq.engine.memory;

import java.util.Arrays;

/**
 * Maps the slots of records in an image to their new slots. Its size depends on the number of
 * records, not on the highest slot.
 */
public final class SlotMap {

  /** No slot, also in an image. */
  public static final int NONE = -1;

  private static final int PAGE_SHIFT = 10;
  private static final int PAGE_MASK = (1 << PAGE_SHIFT) - 1;

  private final String what;
  private int[][] pages = new int[16][];

  /**
   * Creates an empty map.
   *
   * @param what the kind of record, for messages
   */
  public SlotMap(String what) {
    this.what = what;
  }

  /** Adds a record; its old slot must be new to the map. */
  public void add(int old, int slot) {
    if (old < 0) {
      throw new ImageException("the slot of a " + what + " is " + old);
    }
    int[] page = page(old >>> PAGE_SHIFT);
    if (page[old & PAGE_MASK] != 0) {
      throw new ImageException("two " + what + "s have slot " + old);
    }
    page[old & PAGE_MASK] = slot + 1;
  }

  private int[] page(int index) {
    if (index >= pages.length) {
      pages = Arrays.copyOf(pages, Math.max(index + 1, pages.length * 2));
    }
    if (pages[index] == null) {
      pages[index] = new int[1 << PAGE_SHIFT];
    }
    return pages[index];
  }

  /**
   * The new slot of a record.
   *
   * @throws ImageException if the image has no such record
   */
  public int get(int old) {
    int page = old >>> PAGE_SHIFT;
    int slot = page < pages.length && pages[page] != null ? pages[page][old & PAGE_MASK] - 1 : NONE;
    if (slot == NONE) {
      throw new ImageException(
          "something refers to a " + what + " in slot " + old + ", which is missing");
    }
    return slot;
  }

  /** Like {@link #get} for a link that may be {@link #NONE}. */
  public int link(int old) {
    return old == NONE ? NONE : get(old);
  }
}

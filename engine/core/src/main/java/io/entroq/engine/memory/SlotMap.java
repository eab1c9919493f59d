package io.entroq.engine.memory;

import java.util.Arrays;

/**
 * Where the records of an image have gone: from the slots they had to the slots they have got. Its
 * size depends on the number of records and not on how high the slots were.
 */
public final class SlotMap {

  /** No slot, in an image too. */
  public static final int NONE = -1;

  private static final int PAGE_SHIFT = 10;
  private static final int PAGE_MASK = (1 << PAGE_SHIFT) - 1;

  private final String what;
  private int[][] pages = new int[16][];

  /**
   * Creates an empty map.
   *
   * @param what the records are, for people
   */
  public SlotMap(String what) {
    this.what = what;
  }

  /** Adds a record, which must not be there yet. */
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
   * The slot that a record has got.
   *
   * @throws ImageException if the image has no such record
   */
  public int get(int old) {
    int page = old >>> PAGE_SHIFT;
    int slot = page < pages.length && pages[page] != null ? pages[page][old & PAGE_MASK] - 1 : NONE;
    if (slot == NONE) {
      throw new ImageException(
          "something leads to a " + what + " in slot " + old + ", and none is there");
    }
    return slot;
  }

  /** The same for a link that may lead nowhere. */
  public int link(int old) {
    return old == NONE ? NONE : get(old);
  }
}

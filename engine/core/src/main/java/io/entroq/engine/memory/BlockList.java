package io.entroq.engine.memory;

import java.util.Arrays;
import org.agrona.UnsafeApi;

/** A stack of block references in off-heap pages. Not thread-safe. */
final class BlockList {

  private static final int PAGE_SHIFT = 13;
  private static final int PAGE_MASK = (1 << PAGE_SHIFT) - 1;

  private Memory[] pages = new Memory[4];
  private int pageCount;
  private int size;

  void push(long reference) {
    if (size == pageCount << PAGE_SHIFT) {
      addPage();
    }
    UnsafeApi.putLong(address(size++), reference);
  }

  private void addPage() {
    if (pageCount == pages.length) {
      pages = Arrays.copyOf(pages, pageCount * 2);
    }
    pages[pageCount++] = Memory.allocate(Long.BYTES << PAGE_SHIFT);
  }

  /** Removes the top; the list must not be empty. */
  long pop() {
    long reference = UnsafeApi.getLong(address(--size));
    if ((size & PAGE_MASK) == 0) {
      pages[--pageCount].free();
    }
    return reference;
  }

  private long address(int index) {
    return pages[index >>> PAGE_SHIFT].address() + (long) (index & PAGE_MASK) * Long.BYTES;
  }

  boolean isEmpty() {
    return size == 0;
  }

  long memoryBytes() {
    return (long) pageCount * (Long.BYTES << PAGE_SHIFT);
  }

  void close() {
    while (pageCount > 0) {
      pages[--pageCount].free();
    }
    size = 0;
  }
}

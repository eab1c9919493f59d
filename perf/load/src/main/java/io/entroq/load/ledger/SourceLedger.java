package io.entroq.load.ledger;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The state of the tasks of one source, which numbers them from 0. Each must be settled once: when
 * its deletion is committed, or when it remains at the end.
 *
 * <p>One bit for each task, in pages of 65,536. A page takes 8 KiB until all its tasks are settled,
 * and some forty bytes until all earlier ones are. An engine returns old tasks first half of the
 * time, so the pages cover about twice the backlog, however long a run is.
 *
 * <p>The source adds, on one thread; any thread settles, without locks.
 */
final class SourceLedger {
  private static final int PAGE_SHIFT = 16;
  static final int PAGE_TASKS = 1 << PAGE_SHIFT;
  static final int PAGE_BYTES = PAGE_TASKS / Byte.SIZE;

  private final AtomicLong begun = new AtomicLong();
  private final AtomicLong inserted = new AtomicLong();
  private volatile Window window = new Window(0, new Page[0]);

  /** The result of settling a task. */
  enum Settlement {
    /** For the first time. */
    FIRST,
    /** Settled before. */
    AGAIN,
    /** Never inserted. */
    UNKNOWN
  }

  long next() {
    return begun.getPlain();
  }

  /** Called before tasks are inserted, since others may claim them from then on. */
  void begin(int tasks) {
    long end = begun.getPlain() + tasks;
    Window now = window;
    long page = (end - 1) >>> PAGE_SHIFT;
    if (page >= now.first + now.pages.length) {
      window = now.reachingTo(page);
    }
    begun.lazySet(end);
  }

  /** All begun tasks are inserted. */
  void acknowledge() {
    inserted.lazySet(begun.getPlain());
  }

  Settlement settle(long number) {
    if (number < 0 || number >= begun.get()) {
      return Settlement.UNKNOWN;
    }
    Window now = window;
    long page = (number >>> PAGE_SHIFT) - now.first;
    boolean isFirst = page >= 0 && now.pages[(int) page].set((int) number & (PAGE_TASKS - 1));
    return isFirst ? Settlement.FIRST : Settlement.AGAIN;
  }

  /** Tasks that the queue acknowledged. */
  long inserted() {
    return inserted.get();
  }

  /** Tasks that were sent to the queue without an answer. */
  long unanswered() {
    return begun.get() - inserted.get();
  }

  /** Tasks that are not settled, including unanswered ones. */
  long unsettled() {
    Window now = window;
    long settled = now.first << PAGE_SHIFT;
    for (Page page : now.pages) {
      settled += PAGE_TASKS - page.left.get();
    }
    return begun.get() - settled;
  }

  /** The memory of the bits. */
  long bytes() {
    return Arrays.stream(window.pages).filter(page -> !page.isComplete()).count() * PAGE_BYTES;
  }

  /** The retained pages. Immutable except for their contents. */
  private static final class Window {
    /** The number of the first page; all earlier ones are complete. */
    final long first;

    final Page[] pages;

    Window(long first, Page[] pages) {
      this.first = first;
      this.pages = pages;
    }

    /** Extends it to a page, without complete pages at the start. */
    Window reachingTo(long last) {
      int complete = 0;
      while (complete < pages.length && pages[complete].isComplete()) {
        complete++;
      }
      long newFirst = first + complete;
      Page[] kept = Arrays.copyOfRange(pages, complete, (int) (last + 1 - first));
      for (int i = pages.length - complete; i < kept.length; i++) {
        kept[i] = new Page();
      }
      return new Window(newFirst, kept);
    }
  }

  /** A bit for each task. */
  private static final class Page {
    private static final VarHandle WORDS = MethodHandles.arrayElementVarHandle(long[].class);

    final AtomicInteger left = new AtomicInteger(PAGE_TASKS);

    private volatile long[] words = new long[PAGE_TASKS / Long.SIZE];

    boolean isComplete() {
      return words == null;
    }

    /** Sets a bit; returns whether it was clear. */
    boolean set(int index) {
      long[] present = words;
      if (present == null) {
        return false;
      }
      long mask = 1L << index;
      long before = (long) WORDS.getAndBitwiseOr(present, index / Long.SIZE, mask);
      if ((before & mask) != 0) {
        return false;
      }
      if (left.decrementAndGet() == 0) {
        words = null;
      }
      return true;
    }
  }
}

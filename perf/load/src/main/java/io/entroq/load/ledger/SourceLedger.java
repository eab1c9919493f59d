package io.entroq.load.ledger;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What has become of the tasks that one source has inserted, which it numbers from 0. Each is to be
 * settled once: when its deletion is committed, or when it is found to be there at the end.
 *
 * <p>One bit for each task, in pages of 65,536. A page takes 8 KiB until all its tasks are settled,
 * and some forty bytes from then on until all before it are. As an engine gives out old tasks first
 * half of the time, the pages reach back to about twice the backlog, however long a run is.
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

  /** How a task came to be settled. */
  enum Settlement {
    /** It was not settled before. */
    FIRST,
    /** It was. */
    AGAIN,
    /** Nobody has inserted it. */
    UNKNOWN
  }

  /** The number of the task that is inserted next. */
  long next() {
    return begun.getPlain();
  }

  /** The next tasks are about to be inserted: from here on somebody may have them. */
  void begin(int tasks) {
    long end = begun.getPlain() + tasks;
    Window now = window;
    long page = (end - 1) >>> PAGE_SHIFT;
    if (page >= now.first + now.pages.length) {
      window = now.reachingTo(page);
    }
    begun.lazySet(end);
  }

  /** All that were begun are inserted. */
  void acknowledge() {
    inserted.lazySet(begun.getPlain());
  }

  /** A task is settled, for good. */
  Settlement settle(long number) {
    if (number < 0 || number >= begun.get()) {
      return Settlement.UNKNOWN;
    }
    Window now = window;
    long page = (number >>> PAGE_SHIFT) - now.first;
    boolean isFirst = page >= 0 && now.pages[(int) page].set((int) number & (PAGE_TASKS - 1));
    return isFirst ? Settlement.FIRST : Settlement.AGAIN;
  }

  /** How many tasks the queue has said to have taken. */
  long inserted() {
    return inserted.get();
  }

  /** How many tasks were handed to the queue without an answer. */
  long unanswered() {
    return begun.get() - inserted.get();
  }

  /** How many tasks are not settled, unanswered ones included. */
  long unsettled() {
    Window now = window;
    long settled = now.first << PAGE_SHIFT;
    for (Page page : now.pages) {
      settled += PAGE_TASKS - page.left.get();
    }
    return begun.get() - settled;
  }

  /** How many bytes the bits take. */
  long bytes() {
    return Arrays.stream(window.pages).filter(page -> !page.isComplete()).count() * PAGE_BYTES;
  }

  /** The pages that are kept. Immutable but for what is in them. */
  private static final class Window {
    /** Number of the first of them; all before it are complete. */
    final long first;

    final Page[] pages;

    Window(long first, Page[] pages) {
      this.first = first;
      this.pages = pages;
    }

    /** The same up to a page, without those at the beginning that are complete. */
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

  /** A bit for each of so many tasks. */
  private static final class Page {
    private static final VarHandle WORDS = MethodHandles.arrayElementVarHandle(long[].class);

    final AtomicInteger left = new AtomicInteger(PAGE_TASKS);

    /** Null when all are set. */
    private volatile long[] words = new long[PAGE_TASKS / Long.SIZE];

    boolean isComplete() {
      return words == null;
    }

    /** Sets a bit; says whether it was not set. */
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

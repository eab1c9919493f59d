package io.entroq.engine.result;

import io.entroq.codec.result.ResultCodes;
import io.entroq.codec.result.ResultEncoder;
import io.entroq.engine.state.StateMachine;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;

/**
 * One listing and its current page. While a page is being filled it belongs to the thread that owns
 * the state machine, otherwise to the reader; the two hand it over.
 *
 * <p>The reader allocates the memory. Filling a page allocates only for an item longer than a page.
 */
public abstract class Page {

  /** The first page is small, as most listings are; later ones grow. */
  static final int FIRST_BYTES = 4 << 10;

  static final int GROWTH = 16;
  static final int BYTES_MAX = 1 << 20;
  static final int ITEMS_MAX = 4_096;

  private final ResultEncoder encoder = new ResultEncoder();
  private ExpandableArrayBuffer buffer = new ExpandableArrayBuffer(FIRST_BYTES);
  private int bytesMax = FIRST_BYTES;
  private boolean isBegun;
  private int items;

  Page() {}

  /** Makes room for the next page and discards the current one. For the reader. */
  public final void next() {
    if (isBegun) {
      isBegun = false;
      if (bytesMax < BYTES_MAX || buffer.capacity() > 2 * BYTES_MAX) {
        bytesMax = Math.min(BYTES_MAX, bytesMax * GROWTH);
        buffer = new ExpandableArrayBuffer(bytesMax);
      }
    }
  }

  /**
   * Fills a part of the page, between commands. On the thread that owns the state machine.
   *
   * @param effort how much to do, in units of the listers of {@link io.entroq.engine.listing}
   * @return false if the page is complete
   */
  public final boolean fill(StateMachine machine, long nowMs, int effort) {
    if (!isBegun) {
      isBegun = true;
      items = 0;
      encoder.wrap(buffer, 0).code(ResultCodes.OK).sequence(machine.sequence()).logTimeMs(nowMs);
    }
    return go(machine, nowMs, effort);
  }

  abstract boolean go(StateMachine machine, long nowMs, int effort);

  /** Whether no page follows. */
  public abstract boolean isLast();

  /** Where to write an item of at most {@code bytes}; null if it goes on the next page. */
  final ResultEncoder room(int bytes) {
    if (items > 0 && (items == ITEMS_MAX || encoder.length() + bytes > bytesMax)) {
      return null;
    }
    items++;
    return encoder;
  }

  /** The page, an encoded Result at the start of the buffer. */
  public final DirectBuffer buffer() {
    return buffer;
  }

  /** Length of the page, in bytes. */
  public final int length() {
    return encoder.length();
  }
}

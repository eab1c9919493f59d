package io.entroq.engine.result;

import io.entroq.codec.result.ResultCodes;
import io.entroq.codec.result.ResultEncoder;
import io.entroq.engine.state.StateMachine;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;

/**
 * One listing and its present page. Belongs to whoever asks between pages, and to the thread that
 * owns the state machine while it fills one; handing it over is up to them.
 *
 * <p>Whoever asks brings the memory: only an item that is longer than a page makes a page grow.
 */
public abstract class Page {

  /** The first page is small, since most listings are; the second is larger, and so on. */
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

  /** Makes room for the next page; the present one is lost. Whoever asks. */
  public final void turn() {
    if (isBegun) {
      isBegun = false;
      if (bytesMax < BYTES_MAX || buffer.capacity() > 2 * BYTES_MAX) {
        bytesMax = Math.min(BYTES_MAX, bytesMax * GROWTH);
        buffer = new ExpandableArrayBuffer(bytesMax);
      }
    }
  }

  /**
   * Fills the page by a slice, between commands. The thread that owns the state machine.
   *
   * @param effort how much to do, as the listers of {@link io.entroq.engine.listing} count it
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

  /** Where an item of no more than so many bytes goes; null if it has to wait for the next page. */
  final ResultEncoder room(int bytes) {
    if (items > 0 && (items == ITEMS_MAX || encoder.length() + bytes > bytesMax)) {
      return null;
    }
    items++;
    return encoder;
  }

  /** The page, from the start of this: a Result. */
  public final DirectBuffer buffer() {
    return buffer;
  }

  /** How long the page is, in bytes. */
  public final int length() {
    return encoder.length();
  }
}

package io.entroq.engine.replica;

import io.entroq.engine.request.Lane;
import io.entroq.engine.request.RequestSlot;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * A command on its way to be put in order, with bytes of its own: the slot may have its answer, and
 * be in use again, while this is still being sent.
 *
 * <p>Written by the proposing thread; the applying thread reads the slot and the lane, and settles
 * it, after which it is the proposing thread's alone.
 */
final class Proposal {
  private static final int BUFFER_BYTES_FIRST = 512;
  private static final int BUFFER_BYTES_KEPT = 8 * 1024;

  private ExpandableArrayBuffer buffer = new ExpandableArrayBuffer(BUFFER_BYTES_FIRST);
  private int length;
  private long number;
  private RequestSlot slot;
  private Lane lane;

  /** The claim that this cancels because its caller leaves it here, else null. */
  private RequestSlot left;

  /** What a Modify was let in with; 0 of what was not asked. */
  private int bytesLetIn;

  private int itemsLetIn;
  private long beganNs;
  private long sentNs;
  private boolean isTold;
  private volatile boolean isSettled;

  /**
   * Begins another one.
   *
   * @param nowNs as {@link System#nanoTime()} tells time
   * @param slot who asks; null: nobody waits for an answer
   * @param lane whose identity goes in front of the command; null: it has one, or needs none
   */
  Proposal begin(long number, long nowNs, RequestSlot slot, Lane lane) {
    this.number = number;
    beganNs = nowNs;
    this.slot = slot;
    this.lane = lane;
    left = null;
    bytesLetIn = 0;
    itemsLetIn = 0;
    length = ProposalFrame.HEADER_BYTES;
    isTold = false;
    isSettled = false;
    return this;
  }

  /** Where the command goes, from {@link #length} on. */
  MutableDirectBuffer buffer() {
    return buffer;
  }

  int length() {
    return length;
  }

  /** So many bytes of the command have been written. */
  void extend(int bytes) {
    length += bytes;
  }

  void append(DirectBuffer source, int offset, int bytes) {
    buffer.putBytes(length, source, offset, bytes);
    length += bytes;
  }

  long number() {
    return number;
  }

  RequestSlot slot() {
    return slot;
  }

  /** The identity that the proposer has lent it, else null. */
  Lane lane() {
    return lane;
  }

  /** It cancels a claim that its caller leaves here, and perhaps not elsewhere. */
  void leaves(RequestSlot slot) {
    left = slot;
  }

  /** The claim that this cancels because its caller leaves it here, else null. */
  RequestSlot left() {
    return left;
  }

  /** It is of a Modify of such a length, which has been promised room for so many items. */
  void letIn(int bytes, int items) {
    bytesLetIn = bytes;
    itemsLetIn = items;
  }

  int bytesLetIn() {
    return bytesLetIn;
  }

  int itemsLetIn() {
    return itemsLetIn;
  }

  /** The applying thread is told of it now, and will settle it. */
  void tell() {
    if (isTold || isSettled) {
      throw new IllegalStateException("proposal " + number + " was passed on before");
    }
    isTold = true;
  }

  boolean isTold() {
    return isTold;
  }

  /** It has its whole command. */
  void seal() {
    ProposalFrame.commandBytes(buffer, length - ProposalFrame.HEADER_BYTES);
  }

  /** When it was begun. */
  long beganNs() {
    return beganNs;
  }

  /** It has been passed on. */
  void sent(long nowNs) {
    sentNs = nowNs;
  }

  /** When it was passed on last, as {@link System#nanoTime()} tells time. */
  long sentNs() {
    return sentNs;
  }

  /** It has come out in order, and has been applied here. */
  void settle() {
    if (isSettled) {
      throw new IllegalStateException("proposal " + number + " has come out twice");
    }
    isSettled = true;
  }

  boolean isSettled() {
    return isSettled;
  }

  /** Lets go of all but a small buffer. */
  void clear() {
    slot = null;
    lane = null;
    left = null;
    if (buffer.capacity() > BUFFER_BYTES_KEPT) {
      buffer = new ExpandableArrayBuffer(BUFFER_BYTES_FIRST);
    }
  }
}

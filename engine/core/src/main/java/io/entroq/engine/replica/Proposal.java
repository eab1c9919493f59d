package io.entroq.engine.replica;

import io.entroq.engine.request.Lane;
import io.entroq.engine.request.RequestSlot;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * A command to be ordered, with a buffer of its own: the caller's slot may be answered and reused
 * while this is still being sent.
 *
 * <p>The proposing thread writes it. The applying thread reads slot and lane and settles it; after
 * that it belongs to the proposing thread alone.
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

  /** What a Modify was admitted with; 0 if it needed no admission. */
  private int bytesAdmitted;

  private int itemsAdmitted;
  private long beganNs;
  private long sentNs;
  private boolean isLastOfMessage;
  private boolean isAnnounced;
  private volatile boolean isSettled;

  /**
   * Reuses this for another command.
   *
   * @param nowNs as {@link System#nanoTime()}
   * @param slot of the caller; null: nobody waits for an answer
   * @param lane whose identity precedes the command; null: it has one, or needs none
   */
  Proposal begin(long number, long nowNs, RequestSlot slot, Lane lane) {
    this.number = number;
    beganNs = nowNs;
    this.slot = slot;
    this.lane = lane;
    left = null;
    bytesAdmitted = 0;
    itemsAdmitted = 0;
    length = ProposalFrame.HEADER_BYTES;
    isAnnounced = false;
    isSettled = false;
    return this;
  }

  /** The buffer for the command, from {@link #length} on. */
  MutableDirectBuffer buffer() {
    return buffer;
  }

  int length() {
    return length;
  }

  /** Counts bytes of the command that have been written. */
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

  /** The lane that the proposer has supplied, else null. */
  Lane lane() {
    return lane;
  }

  /** Marks it as the cancel of a claim that its caller leaves here, and perhaps not elsewhere. */
  void leaves(RequestSlot slot) {
    left = slot;
  }

  /** The claim that this cancels because its caller leaves it here, else null. */
  RequestSlot left() {
    return left;
  }

  /** Notes the length of an admitted Modify, and for how many items it was promised room. */
  void letIn(int bytes, int items) {
    bytesAdmitted = bytes;
    itemsAdmitted = items;
  }

  int bytesAdmitted() {
    return bytesAdmitted;
  }

  int itemsAdmitted() {
    return itemsAdmitted;
  }

  /** Notes that the applying thread knows of it and will settle it. */
  void announce() {
    if (isAnnounced || isSettled) {
      throw new IllegalStateException("proposal " + number + " was announced before");
    }
    isAnnounced = true;
  }

  boolean isAnnounced() {
    return isAnnounced;
  }

  /** Completes the command: writes its length. */
  void seal() {
    ProposalFrame.commandBytes(buffer, length - ProposalFrame.HEADER_BYTES);
  }

  /** When it was begun. */
  long beganNs() {
    return beganNs;
  }

  /** Notes when it was sent, and whether others followed in the same message. */
  void sent(long nowNs, boolean isLast) {
    sentNs = nowNs;
    isLastOfMessage = isLast;
  }

  /** Whether it was the last one in its message when it was last sent. */
  boolean isLastOfMessage() {
    return isLastOfMessage;
  }

  /** When it was last sent, as {@link System#nanoTime()}. */
  long sentNs() {
    return sentNs;
  }

  /** It has been committed and applied here. */
  void settle() {
    if (isSettled) {
      throw new IllegalStateException("proposal " + number + " has come out twice");
    }
    isSettled = true;
  }

  boolean isSettled() {
    return isSettled;
  }

  /** Clears everything but a small buffer. */
  void clear() {
    slot = null;
    lane = null;
    left = null;
    if (buffer.capacity() > BUFFER_BYTES_KEPT) {
      buffer = new ExpandableArrayBuffer(BUFFER_BYTES_FIRST);
    }
  }
}

package io.entroq.engine.listing;

import org.agrona.DirectBuffer;

/** Takes the queues of a listing, on the thread that owns the state machine. */
public interface QueueVisitor {

  /**
   * A queue; nothing of it is valid after the call.
   *
   * @return false if it is not taken for want of room: the listing stops in front of it
   */
  boolean onQueue(DirectBuffer name, int offset, int length, QueueCounts figures);
}

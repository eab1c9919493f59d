package io.entroq.engine.listing;

import org.agrona.DirectBuffer;

/** Receives the queues of a listing, on the applying thread. */
public interface QueueVisitor {

  /**
   * Visits a queue; the arguments are valid only during the call.
   *
   * @return false if there is no room for it: the listing stops before it
   */
  boolean onQueue(DirectBuffer name, int offset, int length, QueueCounts figures);
}

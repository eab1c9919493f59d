package io.entroq.engine.listing;

import io.entroq.codec.result.ListQueuesDecoder;
import io.entroq.engine.memory.Slab;
import io.entroq.engine.queue.DueCount;

/**
 * One listing of queues: the query and the position.
 *
 * <p>Every queue that has tasks from the first slice to the last is listed once. A queue that is
 * emptied and filled again meanwhile counts as a new queue with the same name. The counts of a
 * queue are from one moment, unless very many of its tasks are due: those are counted while
 * commands continue.
 */
public final class QueueCursor {

  final ListQueuesDecoder query;
  final NameFilter names;
  boolean isBegun;

  int nextQueue;
  int endQueue;

  /** How many queues may still be listed. */
  int left;

  /** The queue whose due tasks are being counted. */
  int counting = Slab.NONE;

  /** The hash of its name, to detect another queue in the same slot. */
  long countingName;

  int duePosition;
  long countingNowMs;
  final DueCount due = new DueCount();

  /**
   * Begins a listing.
   *
   * @param query must not change until the listing is done, nor must its buffer
   */
  public QueueCursor(ListQueuesDecoder query) {
    this.query = query;
    this.names = new NameFilter(query);
    this.left = query.limit() > 0 ? query.limit() : Integer.MAX_VALUE;
  }

  /** Whether the listing is complete. */
  public boolean isDone() {
    boolean isAtEnd = !names.hasNext() && nextQueue >= endQueue;
    return isBegun && (left == 0 || (isAtEnd && counting == Slab.NONE));
  }
}

package io.entroq.engine.listing;

import io.entroq.codec.result.ListQueuesDecoder;
import io.entroq.engine.memory.Slab;
import io.entroq.engine.queue.DueCount;

/**
 * One listing of queues: what is asked, and where it stands.
 *
 * <p>Every queue that has tasks from the first slice to the last is shown once. A queue that is
 * emptied and filled again in between is another one, with the same name. A queue's numbers are
 * those of one moment, unless very many of its tasks have come due and were not yet claimed since:
 * those are counted while commands go on.
 */
public final class QueueCursor {

  final ListQueuesDecoder query;
  final NameFilter names;
  boolean isBegun;

  int nextQueue;
  int endQueue;

  /** How many queues may still be shown. */
  int left;

  /** The queue whose due tasks are being counted, and where that stands. */
  int counting = Slab.NONE;

  /** A hash of its name, by which another one in its place is known. */
  long countingName;

  int duePosition;
  long countingNowMs;
  final DueCount due = new DueCount();

  /**
   * A listing that has not begun.
   *
   * @param query and the buffer that it reads must stay as they are until the listing is done
   */
  public QueueCursor(ListQueuesDecoder query) {
    this.query = query;
    this.names = new NameFilter(query);
    this.left = query.limit() > 0 ? query.limit() : Integer.MAX_VALUE;
  }

  /** Whether everything has been shown. */
  public boolean isDone() {
    boolean isThrough = !names.hasNext() && nextQueue >= endQueue;
    return isBegun && (left == 0 || (isThrough && counting == Slab.NONE));
  }
}

package io.entroq.engine.listing;

import io.entroq.codec.result.ListTasksDecoder;
import io.entroq.engine.memory.Slab;

/**
 * One listing of tasks: what is asked, and where it stands.
 *
 * <p>Every task that is in the queue from the first slice to the last is shown once. A task that
 * comes, goes or returns in between is shown once or not at all, and no id is shown twice: what was
 * inserted after the first slice is left out.
 */
public final class TaskCursor {

  /** A queue of so many tasks is listed without looking at the slots of others. */
  public static final int CAPTURED_MAX = 4_096;

  /** Where candidates come from. */
  enum Source {
    /** The ids of the query, in their order. */
    IDS,
    /** The slots that were in the queue at the first slice, in their order there. */
    CAPTURED,
    /** Every slot there was at the first slice. */
    ALL
  }

  final ListTasksDecoder query;
  final int[] captured;

  Source source = Source.IDS;
  boolean isBegun;

  /** The queue that is asked for; none if none is. */
  int queue = Slab.NONE;

  /** What was inserted after this is not shown. */
  long firstSequence;

  int next;
  int end;

  /** How many tasks may still be shown. */
  int left;

  /**
   * A listing that has not begun.
   *
   * @param query and the buffer that it reads must stay as they are until the listing is done
   */
  public TaskCursor(ListTasksDecoder query) {
    this(query, CAPTURED_MAX);
  }

  /**
   * A listing that has not begun.
   *
   * @param capturedMax how many tasks a queue may have to be listed without a walk over all slots
   */
  public TaskCursor(ListTasksDecoder query, int capturedMax) {
    this.query = query;
    this.captured = new int[query.idCount() > 0 ? 0 : capturedMax];
    this.left = query.limit() > 0 ? query.limit() : Integer.MAX_VALUE;
  }

  /** Whether everything has been shown. */
  public boolean isDone() {
    return isBegun && (next >= end || left == 0);
  }

  /** Where the ids end, the slots that were captured, or all slots. */
  void begin(Source from, int newEnd) {
    source = from;
    next = 0;
    end = newEnd;
  }

  void finish() {
    next = end;
  }
}

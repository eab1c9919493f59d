package io.entroq.engine.listing;

import io.entroq.codec.result.ListTasksDecoder;
import io.entroq.engine.memory.Slab;

/**
 * One listing of tasks: the query and the position.
 *
 * <p>Every task that is in the queue from the first slice to the last is listed once. A task that
 * enters, leaves or returns meanwhile is listed once or not at all. No id is listed twice: tasks
 * inserted after the first slice are left out.
 */
public final class TaskCursor {

  /** A queue of up to this size is listed without visiting the slots of other queues. */
  public static final int CAPTURED_MAX = 4_096;

  /** Where candidates come from. */
  enum Source {
    /** The ids of the query, in their order. */
    IDS,
    /** The slots in the queue at the first slice, in queue order. */
    CAPTURED,
    /** All slots at the first slice. */
    ALL
  }

  final ListTasksDecoder query;
  final int[] captured;

  Source source = Source.IDS;
  boolean isBegun;

  /** The queue to list, or {@link Slab#NONE}. */
  int queue = Slab.NONE;

  /** Items inserted after this sequence are left out. */
  long firstSequence;

  int next;
  int end;

  /** How many tasks may still be listed. */
  int left;

  /**
   * Begins a listing.
   *
   * @param query must not change until the listing is done, nor must its buffer
   */
  public TaskCursor(ListTasksDecoder query) {
    this(query, CAPTURED_MAX);
  }

  /**
   * Begins a listing.
   *
   * @param capturedMax how many tasks a queue may have to be listed without a walk over all slots
   */
  public TaskCursor(ListTasksDecoder query, int capturedMax) {
    this.query = query;
    this.captured = new int[query.idCount() > 0 ? 0 : capturedMax];
    this.left = query.limit() > 0 ? query.limit() : Integer.MAX_VALUE;
  }

  /** Whether the listing is complete. */
  public boolean isDone() {
    return isBegun && (next >= end || left == 0);
  }

  void begin(Source from, int newEnd) {
    source = from;
    next = 0;
    end = newEnd;
  }

  void finish() {
    next = end;
  }
}

package io.entroq.engine.listing;

import io.entroq.codec.result.TaskPositionDecoder;
import io.entroq.engine.memory.Slab;
import io.entroq.engine.queue.DueCount;

/** One question about the position of a task, and its answer. */
public final class PositionCursor {

  final TaskPositionDecoder query;
  final DueCount dueBefore = new DueCount();

  /** The due task for which others are being counted. */
  int counting = Slab.NONE;

  int duePosition;
  boolean isDone;
  boolean exists;
  boolean isReady;
  long position = PositionFinder.NO_POSITION;
  long expectedStartMs;

  /**
   * Begins a question.
   *
   * @param query must not change until it is answered, nor must its buffer
   */
  public PositionCursor(TaskPositionDecoder query) {
    this.query = query;
  }

  /** Whether it is answered. */
  public boolean isDone() {
    return isDone;
  }

  /** Whether there is such a task. */
  public boolean exists() {
    return exists;
  }

  /** Whether the task is ready. */
  public boolean isReady() {
    return isReady;
  }

  /** How many ready tasks start before it; -1 if it is not ready or its queue has no order. */
  public long position() {
    return position;
  }

  /**
   * When it is expected to start, in milliseconds since the epoch; of a task that is not ready,
   * when it is due. 0 if unknown, or never.
   */
  public long expectedStartMs() {
    return expectedStartMs;
  }
}

package io.entroq.engine.result;

import io.entroq.codec.result.TaskPositionDecoder;
import io.entroq.engine.listing.PositionCursor;
import io.entroq.engine.state.StateMachine;
import org.agrona.DirectBuffer;

/** The position of a task, a listing of one page. */
public final class PositionPage extends Page {

  /** An upper bound on the bytes of the answer. */
  private static final int ANSWER_BYTES = 24;

  private final PositionCursor cursor;

  /**
   * Begins a question.
   *
   * @param query a TaskPosition, which must not change until it is answered
   * @throws io.entroq.codec.message.MalformedMessageException if it cannot be read
   */
  public PositionPage(DirectBuffer query, int offset, int length) {
    TaskPositionDecoder decoder = new TaskPositionDecoder();
    decoder.wrap(query, offset, length);
    cursor = new PositionCursor(decoder);
  }

  @Override
  boolean go(StateMachine machine, long nowMs, int effort) {
    if (machine.findPosition(cursor, nowMs, effort)) {
      return true;
    }
    if (cursor.exists()) {
      room(ANSWER_BYTES)
          .position(cursor.position())
          .isReady(cursor.isReady())
          .expectedStartMs(cursor.expectedStartMs());
    }
    return false;
  }

  @Override
  public boolean isLast() {
    return cursor.isDone();
  }
}

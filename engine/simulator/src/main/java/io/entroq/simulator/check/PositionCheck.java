package io.entroq.simulator.check;

import io.entroq.codec.message.Orders;
import io.entroq.codec.result.ResultDecoder;
import io.entroq.codec.result.TaskPositionDecoder;
import io.entroq.simulator.call.ReadWatcher;
import io.entroq.simulator.undo.Cells;
import org.agrona.DirectBuffer;

/** Compares the answer to a question for the position of a task with the account. One use. */
final class PositionCheck implements ReadWatcher {
  private static final long NONE = -1;

  private final Account account;
  private final Queues queues;
  private final TaskPositionDecoder query = new TaskPositionDecoder();
  private Position answer;
  private long nowMs;

  /**
   * Where a task stands.
   *
   * @param isReady whether it is due
   * @param before how many tasks start before it; {@link #NONE} if it is not due or that is a
   *     matter of chance
   * @param startMs when it is expected to start, or when it is due; 0 if that is not known
   */
  private record Position(boolean isReady, long before, long startMs) {
    static final Position OF_NOTHING = new Position(false, 0, 0);
  }

  PositionCheck(Account account, DirectBuffer command, int offset, int length) {
    this.account = account;
    this.queues = account.queues;
    query.wrap(command, offset, length);
  }

  @Override
  public void onSlice(ResultDecoder page) {
    answer = new Position(page.isReady(), page.position(), page.expectedStartMs());
    nowMs = page.logTimeMs();
  }

  @Override
  public void onPageEnd() {}

  @Override
  public void onEnd() {
    Position expected = expected();
    Invariant.POSITION_EXACT.require(
        answer.equals(expected), Tasks.name(query.idHigh(), query.idLow()), expected, answer);
  }

  private Position expected() {
    Cells cells = account.cells;
    int task = account.tasks.find(query.idHigh(), query.idLow());
    if (task == Cells.NONE || !isInQueue(cells.ref(task + Tasks.QUEUE))) {
      return Position.OF_NOTHING;
    }
    int queue = cells.ref(task + Tasks.QUEUE);
    long dueMs = cells.get(task + Tasks.ARRIVAL_MS);
    if (dueMs > nowMs) {
      return new Position(false, NONE, dueMs == Long.MAX_VALUE ? 0 : dueMs);
    }
    if (queues.order(queue) == Orders.COIN) {
      return new Position(true, NONE, 0);
    }
    int front = queues.front(queue);
    long frontMs = front == Cells.NONE ? nowMs : cells.get(front + Tasks.ARRIVAL_MS);
    int before = queues.startBefore(task, nowMs);
    long startMs = queues.expectedStartMs(queue, before, Math.max(nowMs, frontMs));
    return new Position(true, before, startMs);
  }

  /** Whether the question names no queue, or this one. */
  private boolean isInQueue(int queue) {
    int length = query.queueLength();
    return length == 0
        || nameOf(queue) == account.names.number(query.buffer(), query.queueOffset(), length);
  }

  private int nameOf(int queue) {
    return account.cells.ref(queue + Queues.NAME);
  }
}

package io.entroq.engine.result;

import io.entroq.codec.result.ListTasksDecoder;
import io.entroq.codec.result.ResultEncoder;
import io.entroq.codec.result.TaskFields;
import io.entroq.engine.listing.TaskCursor;
import io.entroq.engine.listing.TaskVisitor;
import io.entroq.engine.state.StateMachine;
import io.entroq.engine.task.TaskView;
import org.agrona.DirectBuffer;

/** A listing of tasks. */
public final class TasksPage extends Page implements TaskVisitor {

  /** An upper bound on the bytes of a task beyond its texts and value. */
  private static final int FIXED_BYTES = 160;

  private final TaskFields fields = new TaskFields();
  private final TaskCursor cursor;

  /**
   * Begins a listing.
   *
   * @param query a ListTasks, which must not change until the listing is done
   * @throws io.entroq.codec.message.MalformedMessageException if it cannot be read
   */
  public TasksPage(DirectBuffer query, int offset, int length) {
    ListTasksDecoder decoder = new ListTasksDecoder();
    decoder.wrap(query, offset, length);
    cursor = new TaskCursor(decoder);
  }

  @Override
  boolean go(StateMachine machine, long nowMs, int effort) {
    return machine.listTasks(cursor, nowMs, effort, this);
  }

  @Override
  public boolean isLast() {
    return cursor.isDone();
  }

  @Override
  public boolean onTask(TaskView task) {
    ResultEncoder encoder = room(FIXED_BYTES + variableBytes(task));
    if (encoder == null) {
      return false;
    }
    TaskContent.describeAll(task, fields);
    encoder.task(fields);
    return true;
  }

  private static int variableBytes(TaskView task) {
    return task.idTextLength()
        + task.claimantTextLength()
        + task.queueLength()
        + task.valueLength()
        + task.errLength();
  }
}

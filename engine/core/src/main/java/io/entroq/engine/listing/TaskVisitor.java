package io.entroq.engine.listing;

import io.entroq.engine.task.TaskView;

/** Takes the tasks of a listing, on the thread that owns the state machine. */
public interface TaskVisitor {

  /**
   * A task; nothing of it is valid after the call.
   *
   * @return false if it is not taken for want of room: the listing stops in front of it
   */
  boolean onTask(TaskView task);
}

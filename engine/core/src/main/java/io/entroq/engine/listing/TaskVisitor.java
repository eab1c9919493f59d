package io.entroq.engine.listing;

import io.entroq.engine.task.TaskView;

/** Receives the tasks of a listing, on the applying thread. */
public interface TaskVisitor {

  /**
   * Visits a task, which is valid only during the call.
   *
   * @return false if there is no room for it: the listing stops before it
   */
  boolean onTask(TaskView task);
}

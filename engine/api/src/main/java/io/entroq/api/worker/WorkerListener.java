package io.entroq.api.worker;

import io.entroq.api.Task;
import java.time.Duration;

/**
 * Receives the events of a worker, on the worker's threads and the thread that renews leases. It
 * must be quick and thread-safe; what it throws is logged and ignored.
 */
public interface WorkerListener {
  /** A task was claimed. */
  default void onClaimed(Task task) {}

  /** What a task has come to is committed; a retry may have become a quarantine. */
  default void onCommitted(Task task, Outcome outcome) {}

  /** A handler threw; the task will be retried or quarantined. */
  default void onHandlerFailed(Task task, Throwable failure) {}

  /** A task is no longer held: others have it, or its lease ran out. Its work was in vain. */
  default void onLeaseLost(Task task, String reason) {}

  /** Nobody knows whether what a task has come to was committed. */
  default void onOutcomeUnknown(Task task, Outcome outcome) {}

  /** A request to the queue failed; the worker goes on after the pause. */
  default void onQueueFailed(Throwable failure, Duration pause) {}

  /** Ignores all events. */
  static WorkerListener none() {
    return new WorkerListener() {};
  }

  /** Logs failures at level WARNING to the {@link System.Logger} of {@link Worker}. */
  static WorkerListener logging() {
    return LoggingListener.LOGGING;
  }
}

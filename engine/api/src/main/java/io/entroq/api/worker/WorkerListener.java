package io.entroq.api.worker;

import io.entroq.api.Task;
import java.time.Duration;

/**
 * Is told what a worker does. Called on the worker's threads and on the thread that renews leases,
 * so it must be quick and safe from any thread; what it throws is ignored.
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

  /** Is told nothing. */
  static WorkerListener none() {
    return new WorkerListener() {};
  }

  /** Logs failures at level WARNING to the {@link System.Logger} of {@link Worker}. */
  static WorkerListener logging() {
    return LoggingListener.LOGGING;
  }
}

package io.entroq.api.worker;

import io.entroq.api.Task;
import java.time.Duration;

/**
 * Receives the events of a worker, on the worker's threads and the thread that renews leases. Must
 * be quick and thread-safe. What it throws is logged and ignored.
 */
public interface WorkerListener {
  /** A task was claimed. */
  default void onClaimed(Task task) {}

  /** An outcome was committed; a retry after the last attempt is reported as a quarantine. */
  default void onCommitted(Task task, Outcome outcome) {}

  /** A handler threw or a value could not be decoded; the task will be retried or quarantined. */
  default void onHandlerFailed(Task task, Throwable failure) {}

  /** A lease was lost: others hold the task, or the lease ran out. Its work is discarded. */
  default void onLeaseLost(Task task, String reason) {}

  /** The outcome may or may not have been committed. */
  default void onOutcomeUnknown(Task task, Outcome outcome) {}

  /** A request to the queue failed; the worker continues after the pause. */
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

package io.entroq.api.worker;

import io.entroq.api.Task;
import java.time.Duration;
import java.util.concurrent.Callable;

/**
 * Receives the events of a worker, on the worker's threads and the thread that renews leases. Must
 * be quick and thread-safe. What it throws is logged and ignored, except by {@link #around}.
 */
public interface WorkerListener {
  /**
   * Runs the handler of a task, for what must be around it: a span, a timer, a logging context.
   * Called on the thread of the handler. The listener that was added first is the outermost.
   *
   * <p>What this returns or throws is what the handler has returned or thrown. It may therefore
   * replace an outcome, for example to give a trace to its inserts.
   *
   * @param work the task; once it {@linkplain WorkContext#isCancelled() is cancelled}, its outcome
   *     does not matter
   * @param handler call it once. It returns the outcome, also one that was thrown as an {@link
   *     OutcomeException}; it throws an {@link IllegalStateException} for one that no worker could
   *     commit.
   */
  default Outcome around(WorkContext<?> work, Callable<Outcome> handler) throws Exception {
    return handler.call();
  }

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

package io.entroq.api.worker;

import io.entroq.api.EntroQ;
import io.entroq.api.Task;
import java.util.concurrent.CancellationException;

/**
 * A task in work. Any thread, until the handler returns.
 *
 * @param <T> what the value of the task was decoded to
 */
public interface WorkContext<T> {
  /** The task as it was claimed. Renewals raise its version; the commit knows the newest one. */
  Task task();

  /** The value of the task, decoded. */
  T value();

  /** Where the task comes from. The worker commits through it when the handler has returned. */
  EntroQ queue();

  /** Whether the work is in vain: its lease is lost, or the worker is closing and waits no more. */
  boolean isCancelled();

  /**
   * Ends work that is in vain.
   *
   * @throws CancellationException if {@link #isCancelled()}
   */
  void throwIfCancelled();

  /**
   * Has something done when the work is cancelled, at once if it is already. It must be quick, as
   * renewals of other tasks wait for it; what it throws is ignored.
   */
  void onCancel(Runnable action);
}

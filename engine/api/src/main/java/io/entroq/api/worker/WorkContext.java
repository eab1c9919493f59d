package io.entroq.api.worker;

import io.entroq.api.DocClaim;
import io.entroq.api.DocClaimResult;
import io.entroq.api.EntroQ;
import io.entroq.api.Task;
import java.util.concurrent.CancellationException;

/**
 * The task that a handler works on. Thread-safe; valid until the handler returns.
 *
 * @param <T> the type of the decoded value
 */
public interface WorkContext<T> {
  /** The task as claimed. Renewals raise its version; the worker commits with the newest one. */
  Task task();

  /**
   * The name by which the worker claimed the task: its queue, or the {@linkplain
   * io.entroq.api.QueuePolicy.Pool pool} that its queue is a member of. Metrics count by it, as the
   * members of a pool may be without number.
   */
  String claimedFrom();

  /** The decoded value of the task. */
  T value();

  /** The EntroQ of the task. The worker commits through it after the handler has returned. */
  EntroQ queue();

  /**
   * Claims doc sets, all or none, until the end of the task's lease. The worker renews them with
   * the task, and ends their leases with it.
   *
   * <p>Handlers of one worker, and workers of one EntroQ, are one claimant, so they do not exclude
   * each other: whoever commits second fails. Give each an EntroQ of its own if that is too late.
   *
   * <p>The commit names the docs claimed here at the newest version of their set, whatever version
   * the outcome says. Docs of a set that was claimed without them are named with version 0.
   *
   * @param claim its lease, task and claimant do not matter
   * @throws CancellationException if the work was cancelled, or the lease is lost
   */
  DocClaimResult claimDocs(DocClaim claim);

  /**
   * Whether the work was cancelled: its lease is lost, or its run time or the worker's drain
   * timeout is over.
   */
  boolean isCancelled();

  /**
   * Ends the handler if its work was cancelled.
   *
   * @throws CancellationException if {@link #isCancelled()}
   */
  void throwIfCancelled();

  /**
   * Runs an action when the work is cancelled, or at once if it already is. The action must be
   * quick, because renewals of other tasks wait for it. What it throws is logged and ignored.
   */
  void onCancel(Runnable action);
}

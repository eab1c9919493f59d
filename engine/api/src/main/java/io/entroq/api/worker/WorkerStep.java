package io.entroq.api.worker;

import io.entroq.api.Claim;
import io.entroq.api.Modification;
import io.entroq.api.Task;
import java.time.Duration;

/**
 * The next step of a worker. The driver performs it and reports the result to {@link WorkerSteps}.
 */
public sealed interface WorkerStep {
  /**
   * Claim a task; cancel the claim if the worker stops. Report to {@link WorkerSteps#claimed} or
   * {@link WorkerSteps#failed}.
   */
  record ClaimTask(Claim claim) implements WorkerStep {}

  /**
   * Start renewing the lease of a task, as with {@link Leases#hold}. Report to {@link
   * WorkerSteps#held}.
   *
   * @param task as just claimed
   */
  record HoldLease(Task task) implements WorkerStep {}

  /**
   * Run the handler; the decoded value is {@link WorkerSteps#value()}. Report to {@link
   * WorkerSteps#handled} or {@link WorkerSteps#threw}.
   *
   * @param task as claimed
   */
  record Handle(Task task) implements WorkerStep {}

  /**
   * Remove the lease from renewal, after any renewal in flight. Report to {@link
   * WorkerSteps#taken}.
   */
  record TakeLease() implements WorkerStep {}

  /**
   * Send this modification. Report to {@link WorkerSteps#answered} or {@link
   * WorkerSteps#notAnswered}.
   */
  record Commit(Modification modification) implements WorkerStep {}

  /**
   * Release a task that was claimed while the worker was stopping. Report to {@link
   * WorkerSteps#released} or {@link WorkerSteps#notReleased}.
   */
  record Release(Modification modification) implements WorkerStep {}

  /**
   * Resume renewal of the taken lease and pause before the commit is retried. Report to {@link
   * WorkerSteps#paused}.
   *
   * @param pause zero or more; ends early if the worker {@linkplain WorkerSteps#abandon() abandons}
   *     its work
   * @param isInDoubt whether the commit may have been applied; see {@link Leases#putBack}
   */
  record PutBack(Duration pause, boolean isInDoubt) implements WorkerStep {}

  /**
   * Pause. Report to {@link WorkerSteps#paused}.
   *
   * @param length how long; ends early if the worker {@linkplain WorkerSteps#stop() stops}
   */
  record Pause(Duration length) implements WorkerStep {}

  /** The worker has ended: it was stopped, or the EntroQ is closed. */
  record End() implements WorkerStep {}
}

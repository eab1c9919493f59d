package io.entroq.api.worker;

import io.entroq.api.Claim;
import io.entroq.api.Modification;
import io.entroq.api.Task;
import java.time.Duration;

/** What a worker does next; {@link WorkerSteps} says which, and wants to hear how it went. */
public sealed interface WorkerStep {
  /**
   * Ask the queue for a task, until there is one or the worker stops. Then {@link
   * WorkerSteps#claimed} or {@link WorkerSteps#failed}.
   *
   * @param claim what to ask for
   */
  record ClaimTask(Claim claim) implements WorkerStep {}

  /**
   * Keep the lease of a task going, as {@link Leases} does. Then {@link WorkerSteps#held}.
   *
   * @param task as it was claimed just now
   */
  record HoldLease(Task task) implements WorkerStep {}

  /**
   * Have the task handled whose lease is held; its value is {@link WorkerSteps#value()}. Then
   * {@link WorkerSteps#handled} or {@link WorkerSteps#threw}.
   *
   * @param task as it was claimed
   */
  record Handle(Task task) implements WorkerStep {}

  /** Take the lease out of renewal, waiting for a renewal of it. Then {@link WorkerSteps#taken}. */
  record TakeLease() implements WorkerStep {}

  /**
   * Have this done, the lease being taken. Then {@link WorkerSteps#answered} or {@link
   * WorkerSteps#notAnswered}.
   *
   * @param modification what to do
   */
  record Commit(Modification modification) implements WorkerStep {}

  /**
   * Give back a task that came too late. Then {@link WorkerSteps#released} or {@link
   * WorkerSteps#notReleased}.
   *
   * @param modification what to do
   */
  record Release(Modification modification) implements WorkerStep {}

  /**
   * Put back the lease that was taken, so that it is renewed, and let some time pass before the
   * commit is tried again. Then {@link WorkerSteps#paused}.
   *
   * @param pause how long, zero or more; less if the worker {@linkplain WorkerSteps#abandon() waits
   *     no more}
   * @param isInDoubt whether the commit may have been done all the same
   */
  record PutBack(Duration pause, boolean isInDoubt) implements WorkerStep {}

  /**
   * Let some time pass. Then {@link WorkerSteps#paused}.
   *
   * @param length how long; less if the worker {@linkplain WorkerSteps#stop() stops}
   */
  record Pause(Duration length) implements WorkerStep {}

  /** Do nothing any more: the worker was stopped, or the queue is closed. */
  record End() implements WorkerStep {}
}

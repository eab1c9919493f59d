package io.entroq.api.worker;

import io.entroq.api.Claim;
import io.entroq.api.EntroQ;
import io.entroq.api.EntroQException;
import io.entroq.api.Modification;
import io.entroq.api.ModifyResult;
import io.entroq.api.Task;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.Function;

/**
 * A simple loop for short work: one request per task, which commits it and claims the next.
 *
 * <p>It runs on the calling thread, without renewals and retries. Use a {@link Worker} for work
 * that may fail or may take longer than a lease.
 *
 * <pre>{@code
 * Claim claim = Claim.from("inbox").withMaxWait(Duration.ofSeconds(1));
 * long done = ClaimLoop.run(queue, claim, task ->
 *     Modification.delete(task).and(Modification.insert("outbox", task.value())));
 * }</pre>
 */
public final class ClaimLoop {
  private ClaimLoop() {}

  /**
   * Claims tasks and commits what a function returns for each, until a claim finds none within its
   * maximum wait.
   *
   * <p>A task that others have taken in the meantime is skipped.
   *
   * @param claim what to claim; with a limit above 1, several tasks are claimed at a time, but each
   *     is committed separately
   * @param step returns a modification that changes or deletes the task and has no then-claim; an
   *     exception ends the loop
   * @return the number of committed tasks
   * @throws InterruptedException if the caller was interrupted while waiting
   * @throws EntroQException.Dependency if a modification fails for a reason other than the task
   *     itself
   * @throws EntroQException.OutcomeUnknown if the reply to a commit was lost
   */
  public static long run(EntroQ queue, Claim claim, Function<Task, Modification> step)
      throws InterruptedException {
    Queue<Task> tasks = new ArrayDeque<>();
    long committed = 0;
    while (true) {
      if (tasks.isEmpty()) {
        tasks.addAll(queue.claimMany(claim));
      }
      Task task = tasks.poll();
      if (task == null) {
        return committed;
      }
      Modification modification = step.apply(task);
      ModifyResult result =
          queue.modify(tasks.isEmpty() ? modification.thenClaim(claim) : modification);
      if (result instanceof ModifyResult.DependencyFailure failure && failure.concerns(task.id())) {
        continue;
      }
      tasks.addAll(result.orThrow().claimed());
      committed++;
    }
  }
}

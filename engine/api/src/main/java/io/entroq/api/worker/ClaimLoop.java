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
 * The plain loop for short work: one request per task, which commits it and claims the next.
 *
 * <p>No renewal, no retry, no threads: what takes longer than a lease, or may fail, is for a {@link
 * Worker}.
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
   * Commits what a function makes of each task until there is none for as long as the claim waits.
   *
   * <p>A task that others have taken meanwhile is left to them.
   *
   * @param claim what to claim; up to its limit at once, each committed by itself
   * @param step from a task to a modification that changes or deletes it and has no then-claim;
   *     what it throws ends the loop
   * @return how many tasks were committed
   * @throws InterruptedException if the caller was interrupted while it waited
   * @throws EntroQException.Dependency if a modification fails for another reason than the task
   *     itself
   * @throws EntroQException.OutcomeUnknown if nobody knows whether a task was committed
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

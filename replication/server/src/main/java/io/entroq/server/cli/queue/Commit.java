package io.entroq.server.cli.queue;

import io.entroq.api.ModifyResult;
import io.entroq.api.Task;
import io.entroq.tools.terminal.CommandException;
import java.util.ArrayList;
import java.util.List;

/** Turns a failed commit of one task into a message. */
final class Commit {
  private Commit() {}

  /**
   * Returns the result if it was committed.
   *
   * @param task the task as read before the modification
   * @param result of a modification that changes or deletes only this task
   * @param remedies what the user can do if the task is claimed or not due
   * @throws CommandException if another claimant has claimed the task, or it has changed
   */
  static ModifyResult.Committed require(Task task, ModifyResult result, String... remedies) {
    if (result instanceof ModifyResult.DependencyFailure failure) {
      throw failure.hasClaims() ? unavailable(task, remedies) : changed(task);
    }
    return result.orThrow();
  }

  /** Why other claimants cannot change the task now. */
  static String reason(Task task) {
    return isUntouched(task)
        ? "task %s is not due until %s".formatted(task.id(), task.arrivalTime())
        : "task %s is claimed by %s until %s"
            .formatted(task.id(), task.claimant(), task.arrivalTime());
  }

  /** Whether it was never claimed or changed. Its claimant is then the one that inserted it. */
  private static boolean isUntouched(Task task) {
    return task.claims() == 0 && task.version() == 0;
  }

  private static CommandException unavailable(Task task, String... remedies) {
    List<String> all = new ArrayList<>();
    if (!isUntouched(task)) {
      all.add("use --claimant " + task.claimant());
    }
    all.addAll(List.of(remedies));
    return new CommandException(reason(task) + ": " + String.join(", or ", all));
  }

  private static CommandException changed(Task task) {
    return new CommandException(
        "task %s has changed since version %d was read: check it and try again"
            .formatted(task.id(), task.version()));
  }
}

package io.entroq.server.cli.queue;

import io.entroq.api.ModifyResult;
import io.entroq.api.Task;
import io.entroq.tools.terminal.CommandException;
import java.util.ArrayList;
import java.util.List;

/** What came of writing to one task that was looked at before, in words if it did not fit. */
final class Commit {
  private Commit() {}

  /**
   * What was done.
   *
   * @param task as it was when it was looked at
   * @param result of a modification that changes or deletes it, and nothing else
   * @param ways what to do besides if somebody else holds it, or if it is not due
   * @throws CommandException if somebody else holds it, or has written to it since
   */
  static ModifyResult.Committed require(Task task, ModifyResult result, String... ways) {
    if (result instanceof ModifyResult.DependencyFailure failure) {
      throw failure.hasClaims() ? unavailable(task, ways) : changed(task);
    }
    return result.orThrow();
  }

  /** Says why nobody else may write to a task now. */
  static String reason(Task task) {
    return isUntouched(task)
        ? "task %s is not due until %s".formatted(task.id(), task.arrivalTime())
        : "task %s is claimed by %s until %s"
            .formatted(task.id(), task.claimant(), task.arrivalTime());
  }

  /** Nobody has claimed it; but it is kept in the name of whoever inserted it. */
  private static boolean isUntouched(Task task) {
    return task.claims() == 0 && task.version() == 0;
  }

  private static CommandException unavailable(Task task, String... ways) {
    List<String> all = new ArrayList<>();
    if (!isUntouched(task)) {
      all.add("use --claimant " + task.claimant());
    }
    all.addAll(List.of(ways));
    return new CommandException(reason(task) + ": " + String.join(", or ", all));
  }

  private static CommandException changed(Task task) {
    return new CommandException(
        "task %s has changed since version %d was read: check it and try again"
            .formatted(task.id(), task.version()));
  }
}

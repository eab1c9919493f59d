package io.entroq.server.cli.queue;

import io.entroq.api.ModifyResult;
import io.entroq.api.Task;
import io.entroq.tools.terminal.CommandException;
import java.util.ArrayList;
import java.util.List;

/** Turns the failed commit of one task into a message. */
final class Commit {
  private Commit() {}

  /**
   * The committed result.
   *
   * @param task as it was read before
   * @param result of a modification that changes or deletes this task and nothing else
   * @param ways what the user can do if the task is claimed or not due
   * @throws CommandException if the task is claimed by somebody else or has changed
   */
  static ModifyResult.Committed require(Task task, ModifyResult result, String... ways) {
    if (result instanceof ModifyResult.DependencyFailure failure) {
      throw failure.hasClaims() ? unavailable(task, ways) : changed(task);
    }
    return result.orThrow();
  }

  /** Why others cannot change the task now. */
  static String reason(Task task) {
    return isUntouched(task)
        ? "task %s is not due until %s".formatted(task.id(), task.arrivalTime())
        : "task %s is claimed by %s until %s"
            .formatted(task.id(), task.claimant(), task.arrivalTime());
  }

  /** Whether it was never claimed; its claimant then is the one that inserted it. */
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

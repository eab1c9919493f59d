package io.entroq.server.cli.queue;

import io.entroq.api.ModifyResult;
import io.entroq.api.Task;
import io.entroq.server.terminal.CommandException;

/** What came of writing to one task that was looked at before, in words if it did not fit. */
final class Commit {
  private Commit() {}

  /**
   * What was done.
   *
   * @param task as it was when it was looked at
   * @param result of a modification that changes or deletes it, and nothing else
   * @param otherwise what to do besides if somebody else holds it, from a comma on; may be empty
   * @throws CommandException if somebody else holds it, or has written to it since
   */
  static ModifyResult.Committed require(Task task, ModifyResult result, String otherwise) {
    if (result instanceof ModifyResult.DependencyFailure failure) {
      throw failure.hasClaims() ? held(task, otherwise) : changed(task);
    }
    return result.orThrow();
  }

  private static CommandException held(Task task, String otherwise) {
    return new CommandException(
        "task %s is held by %s until %s: ask with --claimant %2$s%s"
            .formatted(task.id(), task.claimant(), task.arrivalTime(), otherwise));
  }

  private static CommandException changed(Task task) {
    return new CommandException(
        "task %s was at version %d and has changed meanwhile: look at it, and try again"
            .formatted(task.id(), task.version()));
  }
}

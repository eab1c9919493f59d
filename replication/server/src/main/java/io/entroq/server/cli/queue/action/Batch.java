package io.entroq.server.cli.queue.action;

import io.entroq.api.EntroQ;
import io.entroq.api.Modification;
import io.entroq.api.ModifyResult;
import io.entroq.api.Task;
import java.util.List;
import java.util.function.Function;

/**
 * What came of writing to many tasks in one step, where those that somebody else holds or has
 * written to since were left out.
 *
 * @param done how many were written to, at one moment
 * @param held how many somebody else holds
 * @param changed how many have another version or are gone
 */
record Batch(int done, int held, int changed) {
  /**
   * Writes to as many of the tasks as can be.
   *
   * @param modification changes or deletes each of the tasks that it is given
   * @throws io.entroq.api.EntroQException if nothing was written, or nobody knows whether it was
   */
  static Batch write(
      EntroQ queue, List<Task> tasks, Function<List<Task>, Modification> modification) {
    List<Task> left = tasks;
    int held = 0;
    int changed = 0;
    while (!left.isEmpty()) {
      ModifyResult result = queue.modify(modification.apply(left));
      if (!(result instanceof ModifyResult.DependencyFailure failure)) {
        result.orThrow();
        return new Batch(left.size(), held, changed);
      }
      List<Task> fitting = left.stream().filter(task -> !failure.concerns(task.id())).toList();
      if (fitting.size() == left.size()) {
        // It is not about these tasks.
        failure.orThrow();
      }
      held += failure.claims().size();
      changed += failure.missing().size();
      left = fitting;
    }
    return new Batch(0, held, changed);
  }
}

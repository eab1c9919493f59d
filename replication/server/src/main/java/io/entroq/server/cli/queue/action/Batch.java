package io.entroq.server.cli.queue.action;

import io.entroq.api.EntroQ;
import io.entroq.api.Modification;
import io.entroq.api.ModifyResult;
import io.entroq.api.Task;
import java.util.List;
import java.util.function.Function;

/**
 * The result of changing many tasks in one atomic step, without those that are claimed or have
 * changed.
 *
 * @param done tasks changed, all at once
 * @param held tasks skipped because they are claimed
 * @param changed tasks skipped because they have another version or are gone
 */
record Batch(int done, int held, int changed) {
  /**
   * Changes as many of the tasks as possible.
   *
   * @param modification changes or deletes each given task
   * @throws io.entroq.api.EntroQException if nothing was changed, or the outcome is unknown
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
        // The failure does not concern these tasks.
        failure.orThrow();
      }
      held += failure.claims().size();
      changed += failure.missing().size();
      left = fitting;
    }
    return new Batch(0, held, changed);
  }
}

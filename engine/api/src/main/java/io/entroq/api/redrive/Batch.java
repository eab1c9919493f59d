package io.entroq.api.redrive;

import io.entroq.api.EntroQ;
import io.entroq.api.Modification;
import io.entroq.api.ModifyResult;
import io.entroq.api.Task;
import java.util.List;
import java.util.function.Function;

/**
 * The result of changing many tasks atomically, except those that are claimed or have changed.
 *
 * @param done tasks changed
 * @param held tasks skipped because they are claimed
 * @param changed tasks skipped because they have changed or no longer exist
 */
public record Batch(int done, int held, int changed) {
  /**
   * Changes as many of the tasks as possible.
   *
   * @param modification changes or deletes each given task
   * @throws io.entroq.api.EntroQException if nothing was changed, or the outcome is unknown
   */
  public static Batch write(
      EntroQ queue, List<Task> tasks, Function<List<Task>, Modification> modification) {
    List<Task> remaining = tasks;
    int held = 0;
    int changed = 0;
    while (!remaining.isEmpty()) {
      ModifyResult result = queue.modify(modification.apply(remaining));
      if (!(result instanceof ModifyResult.DependencyFailure failure)) {
        result.orThrow();
        return new Batch(remaining.size(), held, changed);
      }
      List<Task> unaffected =
          remaining.stream().filter(task -> !failure.concerns(task.id())).toList();
      if (unaffected.size() == remaining.size()) {
        // The failure does not concern these tasks.
        failure.orThrow();
      }
      held += failure.claims().size();
      changed += failure.missing().size();
      remaining = unaffected;
    }
    return new Batch(0, held, changed);
  }
}

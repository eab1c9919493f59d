package io.entroq.api.redrive;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * What to do with a batch of tasks that was refused because the queue of some of them is full, or
 * takes fewer at once. Immutable.
 *
 * @param full the queue, if it has no room for a single task
 * @param stay the tasks that stay, because their queue is full
 * @param parts tasks to move separately
 * @param <T> the type of the tasks
 */
public record RefusedMove<T>(Optional<String> full, List<T> stay, List<List<T>> parts) {
  /**
   * Sets the tasks of the full queue apart. The half of them may fit where all do not.
   *
   * @param tasks among them some that go to the queue
   * @param target where each of them goes
   */
  public static <T> RefusedMove<T> of(String queue, List<T> tasks, Function<T, String> target) {
    List<T> own = tasks.stream().filter(task -> target.apply(task).equals(queue)).toList();
    List<List<T>> parts = new ArrayList<>();
    parts.add(tasks.stream().filter(task -> !target.apply(task).equals(queue)).toList());
    if (own.size() > 1) {
      parts.add(own.subList(0, own.size() / 2));
      parts.add(own.subList(own.size() / 2, own.size()));
    }
    parts.removeIf(List::isEmpty);
    return own.size() > 1
        ? new RefusedMove<>(Optional.empty(), List.of(), parts)
        : new RefusedMove<>(Optional.of(queue), own, parts);
  }
}

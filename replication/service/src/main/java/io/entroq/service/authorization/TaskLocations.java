package io.entroq.service.authorization;

import io.entroq.codec.wire.Ids;
import io.entroq.codec.wire.InvalidIdException;
import io.entroq.codec.wire.edge.Task;
import io.entroq.service.translation.Facade;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The tasks that were found, with their real queues.
 *
 * @param tasks by id, in the form of the API
 */
record TaskLocations(Facade facade, Map<String, Task> tasks) {
  static TaskLocations of(Facade facade, List<Task> listed) {
    Map<String, Task> tasks = new HashMap<>();
    listed.forEach(task -> tasks.put(task.getId(), task));
    return new TaskLocations(facade, tasks);
  }

  TaskLocations without(Predicate<Task> hidden) {
    return of(facade, tasks.values().stream().filter(hidden.negate()).toList());
  }

  /** The task with an id; empty if it was not found, or the id is invalid. */
  Optional<Task> find(String id) {
    return Optional.ofNullable(tasks.get(facade == Facade.V0 ? canonical(id) : id));
  }

  /** A UUID can be written in several ways. */
  private static String canonical(String id) {
    try {
      return Ids.ofV0(id).v0Text();
    } catch (InvalidIdException e) {
      return id;
    }
  }
}

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
 * The queue that each task was found in, whatever the caller says.
 *
 * @param facade the API whose ids these are
 * @param tasks by id, as the API shows it
 */
record TaskLocations(Facade facade, Map<String, Task> tasks) {
  /** Of tasks that were listed. */
  static TaskLocations of(Facade facade, List<Task> listed) {
    Map<String, Task> tasks = new HashMap<>();
    listed.forEach(task -> tasks.put(task.getId(), task));
    return new TaskLocations(facade, tasks);
  }

  /** The same as if some of the tasks had not been found. */
  TaskLocations without(Predicate<Task> hidden) {
    return of(facade, tasks.values().stream().filter(hidden.negate()).toList());
  }

  /** Where a task was found; nowhere, if it was not, or if the id is none. */
  Optional<Task> find(String id) {
    return Optional.ofNullable(tasks.get(facade == Facade.V0 ? canonical(id) : id));
  }

  /** One UUID may be written in several ways. */
  private static String canonical(String id) {
    try {
      return Ids.ofV0(id).v0Text();
    } catch (InvalidIdException e) {
      return id;
    }
  }
}

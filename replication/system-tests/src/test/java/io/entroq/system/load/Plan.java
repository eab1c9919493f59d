package io.entroq.system.load;

import io.entroq.api.Change;
import io.entroq.api.Claim;
import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.Task;
import io.entroq.api.TaskRef;
import io.entroq.system.history.TaskVersion;
import io.entroq.system.history.Written;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** A Modify that is being put together, and what it says of itself in a history. One thread. */
final class Plan {
  private final List<Function<String, Insert>> inserts = new ArrayList<>();
  private final List<Function<String, Change>> changes = new ArrayList<>();
  private final List<Written> inserted = new ArrayList<>();
  private final List<Written> changed = new ArrayList<>();
  private final List<TaskRef> deletes = new ArrayList<>();
  private Optional<Claim> next = Optional.empty();

  Plan insert(String id, String queue) {
    inserts.add(op -> Insert.into(queue).withId(id).withValue(Values.of(op)));
    inserted.add(new Written(id, 0, queue));
    return this;
  }

  /** Keeps a task for longer. */
  Plan renew(Task task, Duration lease) {
    changes.add(op -> Change.of(task).withValue(Values.of(op)).availableIn(lease));
    return change(task, task.queue());
  }

  /** Gives a task to whoever claims from a queue. */
  Plan move(Task task, String queue) {
    changes.add(op -> Change.of(task).withValue(Values.of(op)).moveTo(queue));
    return change(task, queue);
  }

  private Plan change(Task task, String queue) {
    changed.add(new Written(task.id().text(), task.version() + 1, queue));
    return this;
  }

  Plan delete(Task task) {
    return delete(task, task.version());
  }

  Plan delete(Task task, int version) {
    deletes.add(TaskRef.of(task.id(), version));
    return this;
  }

  Plan thenClaim(Claim claim) {
    next = Optional.of(claim);
    return this;
  }

  Optional<Claim> next() {
    return next;
  }

  /** In the order of the answer. */
  List<Written> writes() {
    List<Written> writes = new ArrayList<>(inserted);
    writes.addAll(changed);
    return writes;
  }

  List<TaskVersion> deletes() {
    return deletes.stream().map(task -> new TaskVersion(task.id().text(), task.version())).toList();
  }

  /**
   * What is sent.
   *
   * @param op the operation, which the value of all that it writes names
   */
  Modification modification(String op) {
    Modification.Builder modification = Modification.builder();
    inserts.forEach(insert -> modification.insert(insert.apply(op)));
    changes.forEach(change -> modification.change(change.apply(op)));
    deletes.forEach(modification::delete);
    next.ifPresent(modification::thenClaim);
    return modification.build();
  }
}

package io.entroq.system.load;

import io.entroq.api.Change;
import io.entroq.api.Claim;
import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.Task;
import io.entroq.api.TaskRef;
import io.entroq.system.history.TaskVersion;
import io.entroq.system.history.TaskWrite;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** A Modify under construction, and its writes for the history. One thread. */
final class PlannedModify {
  private final List<Function<String, Insert>> inserts = new ArrayList<>();
  private final List<Function<String, Change>> changes = new ArrayList<>();
  private final List<TaskWrite> inserted = new ArrayList<>();
  private final List<TaskWrite> changed = new ArrayList<>();
  private final List<TaskRef> deletes = new ArrayList<>();
  private Optional<Claim> next = Optional.empty();

  PlannedModify insert(String id, String queue) {
    inserts.add(op -> Insert.into(queue).withId(id).withValue(Values.of(op)));
    inserted.add(new TaskWrite(id, 0, queue));
    return this;
  }

  PlannedModify renew(Task task, Duration lease) {
    changes.add(op -> Change.of(task).withValue(Values.of(op)).availableIn(lease));
    return change(task, task.queue());
  }

  PlannedModify move(Task task, String queue) {
    changes.add(op -> Change.of(task).withValue(Values.of(op)).moveTo(queue));
    return change(task, queue);
  }

  private PlannedModify change(Task task, String queue) {
    changed.add(new TaskWrite(task.id().text(), task.version() + 1, queue));
    return this;
  }

  PlannedModify delete(Task task) {
    return delete(task, task.version());
  }

  PlannedModify delete(Task task, int version) {
    deletes.add(new TaskRef(task.id(), version, task.queue()));
    return this;
  }

  PlannedModify thenClaim(Claim claim) {
    next = Optional.of(claim);
    return this;
  }

  Optional<Claim> next() {
    return next;
  }

  /** In the order of the response. */
  List<TaskWrite> writes() {
    List<TaskWrite> writes = new ArrayList<>(inserted);
    writes.addAll(changed);
    return writes;
  }

  List<TaskVersion> deletes() {
    return deletes.stream().map(task -> new TaskVersion(task.id().text(), task.version())).toList();
  }

  /**
   * Builds the Modify.
   *
   * @param op the name of the operation, which all written values contain
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

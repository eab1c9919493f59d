package io.entroq.system.history;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Sorts operations by task. */
final class TaskHistories {
  private final Map<String, TaskHistory> tasks = new HashMap<>();
  private final Map<String, Operation> operations = new HashMap<>();

  static TaskHistories of(History history) {
    TaskHistories tasks = new TaskHistories();
    for (Operation op : history.operations()) {
      tasks.operations.put(op.op(), op);
      tasks.addOperation(op);
    }
    return tasks;
  }

  Collection<TaskHistory> all() {
    return tasks.values();
  }

  /** Null if there is no operation of this name. */
  Operation operation(String name) {
    return operations.get(name);
  }

  private TaskHistory task(String id) {
    return tasks.computeIfAbsent(id, TaskHistory::new);
  }

  private void addOperation(Operation op) {
    for (TaskWrite write : op.invocation().writes()) {
      addWrite(op, write);
    }
    for (TaskVersion delete : op.invocation().deletes()) {
      TaskHistory task = task(delete.id());
      task.deletes.add(new TaskHistory.Step(op, delete.version()));
      if (op.isDone()) {
        add(task.ended, delete.version(), op);
      }
    }
    op.response().ifPresent(response -> addResponse(op, response));
  }

  private void addWrite(Operation op, TaskWrite write) {
    TaskHistory task = task(write.id());
    if (write.isInsert()) {
      task.inserts.add(op);
    } else {
      task.changes.add(new TaskHistory.Step(op, write.version()));
    }
    if (op.isDone()) {
      add(task.created, write.version(), op);
      if (!write.isInsert()) {
        add(task.ended, write.version() - 1, op);
      }
    }
  }

  private void addResponse(Operation op, Response response) {
    boolean isRead =
        op.invocation().kind() == OperationKind.READ
            || op.invocation().kind() == OperationKind.AUDIT;
    for (ObservedTask observed : response.tasks()) {
      TaskHistory task = task(observed.id());
      task.observations.add(new TaskHistory.Observation(op, observed));
      if (!isRead) {
        add(task.created, observed.version(), op);
        add(task.ended, observed.version() - 1, op);
      }
    }
    response
        .written()
        .forEach(
            observed ->
                task(observed.id()).observations.add(new TaskHistory.Observation(op, observed)));
    response
        .missing()
        .forEach(at -> task(at.id()).rejections.add(new TaskHistory.Step(op, at.version())));
  }

  private static void add(Map<Integer, List<Operation>> steps, int version, Operation op) {
    steps.computeIfAbsent(version, unused -> new ArrayList<>()).add(op);
  }
}

package io.entroq.service.validation;

import io.entroq.codec.wire.edge.ModifyRequest;
import io.entroq.codec.wire.edge.TaskChange;
import io.entroq.codec.wire.edge.TaskData;
import io.entroq.codec.wire.edge.TaskID;
import io.entroq.service.call.Protocol;

/** What the tasks of a Modify must have. */
final class TaskRules {
  /** Bytes of an id. */
  private static final int ID_BYTES_MAX = 64;

  private static final String CHANGE = "change of task";

  private TaskRules() {}

  /** The number of operations on tasks. */
  static int count(ModifyRequest modify) {
    return modify.getInsertsCount()
        + modify.getChangesCount()
        + modify.getDeletesCount()
        + modify.getDependsCount()
        + modify.getFailsCount();
  }

  static void check(ModifyRequest modify, Protocol protocol) {
    for (int i = 0; i < modify.getInsertsCount(); i++) {
      insert(modify.getInserts(i), protocol);
    }
    for (int i = 0; i < modify.getChangesCount(); i++) {
      change(modify.getChanges(i), protocol);
    }
    for (int i = 0; i < modify.getDeletesCount(); i++) {
      reference(modify.getDeletes(i), "delete");
    }
    for (int i = 0; i < modify.getDependsCount(); i++) {
      reference(modify.getDepends(i), "depend");
    }
    for (int i = 0; i < modify.getFailsCount(); i++) {
      reference(modify.getFails(i).getId(), "fail");
    }
  }

  private static void insert(TaskData data, Protocol protocol) {
    String id = data.getId();
    if (data.getQueue().isEmpty()) {
      throw Invalid.because("insert of task \"%s\" must name a queue", id);
    }
    Invalid.requireShort("task id", id, ID_BYTES_MAX);
    ArrivalRules.check(protocol, data.getAtMs(), "insert of task", id);
  }

  private static void change(TaskChange change, Protocol protocol) {
    reference(change.getOldId(), "change");
    String id = change.getOldId().getId();
    if (!change.hasNewData()) {
      throw Invalid.because("change of task %s carries no data", id);
    }
    ArrivalRules.checkMode(protocol, change.getMode(), change.getModeValue(), CHANGE, id);
    TaskData data = change.getNewData();
    switch (change.getMode()) {
      case CHANGE_LEASE -> lease(change.getOldId(), data);
      case CHANGE_TAKE_BACK -> takeBack(change.getOldId(), data);
      default -> Invalid.requireShort("task id", id, ID_BYTES_MAX);
    }
    ArrivalRules.check(protocol, data.getAtMs(), CHANGE, id);
  }

  private static void lease(TaskID task, TaskData data) {
    String id = task.getId();
    if (task.getQueue().isEmpty()) {
      throw Invalid.because("arrival of task \"%s\" must name its queue", id);
    }
    if (!data.getQueue().isEmpty() && !data.getQueue().equals(task.getQueue())) {
      throw Invalid.because("arrival of task \"%s\" cannot move it", id);
    }
    if (data.hasValue()
        || data.hasRaw()
        || data.getAttempt() != 0
        || !data.getErr().isEmpty()
        || !data.getId().isEmpty()
        || data.getTtlMs() != 0
        || !data.getTrace().isEmpty()) {
      throw Invalid.because("lease of task %s may set only its arrival time", id);
    }
  }

  private static void takeBack(TaskID task, TaskData data) {
    lease(task, data);
    if (data.getByMs() != 0 || data.getAtMs() > 0) {
      throw Invalid.because(
          "change of task %s takes it back, so it is available at once: leave out by_ms and at_ms",
          task.getId());
    }
  }

  private static void reference(TaskID task, String operation) {
    if (task.getId().isEmpty()) {
      throw Invalid.because("task %s names no task", operation);
    }
    if (task.getVersion() < 0) {
      throw Invalid.because(
          "%s of task %s: version %d is negative", operation, task.getId(), task.getVersion());
    }
  }
}

package io.entroq.engine.result;

import io.entroq.codec.result.TaskFields;
import io.entroq.engine.task.TaskView;

/** Takes over what the engine shows of a task into what is encoded. */
public final class TaskContent {
  private TaskContent() {}

  /** All but what the caller of a Modify has sent himself. */
  public static void describe(TaskView task, TaskFields fields) {
    fields.clear();
    fields.id().set(task.idHigh(), task.idLow());
    fields.id().text().wrap(task.idTextBuffer(), task.idTextOffset(), task.idTextLength());
    fields.claimant().set(task.claimantHigh(), task.claimantLow());
    fields
        .claimant()
        .text()
        .wrap(task.claimantTextBuffer(), task.claimantTextOffset(), task.claimantTextLength());
    fields
        .version(task.version())
        .arrivalMs(task.arrivalMs())
        .createdMs(task.createdMs())
        .modifiedMs(task.modifiedMs())
        .claims(task.claims());
  }

  /** Adds the queue. */
  public static void describeQueue(TaskView task, TaskFields fields) {
    fields.queue().wrap(task.queueBuffer(), task.queueOffset(), task.queueLength());
  }

  /** Adds all that {@link #describe} and {@link #describeQueue} leave out. */
  public static void describeRest(TaskView task, TaskFields fields) {
    fields.valueKind(task.valueKind()).attempt(task.attempt());
    fields.value().wrap(task.valueBuffer(), task.valueOffset(), task.valueLength());
    fields.err().wrap(task.errBuffer(), task.errOffset(), task.errLength());
    fields.inFlight(task.isInFlight());
    if (task.hasExtras()) {
      describeAttributes(task, fields);
    }
  }

  /** All of it. */
  public static void describeAll(TaskView task, TaskFields fields) {
    describe(task, fields);
    describeQueue(task, fields);
    describeRest(task, fields);
  }

  private static void describeAttributes(TaskView task, TaskFields fields) {
    fields
        .lapses(task.lapses())
        .expiresMs(task.expiresMs())
        .reason(task.reason())
        .deadAtMs(task.deadAtMs());
    fields.origin().wrap(task.originBuffer(), task.originOffset(), task.originLength());
    fields.trace().wrap(task.traceBuffer(), task.traceOffset(), task.traceLength());
  }
}

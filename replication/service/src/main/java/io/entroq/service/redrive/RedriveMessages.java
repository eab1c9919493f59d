package io.entroq.service.redrive;

import io.entroq.api.EntroQException;
import io.entroq.api.TaskId;
import io.entroq.api.Value;
import io.entroq.api.redrive.Redrive;
import io.entroq.api.redrive.RedriveBatches;
import io.entroq.api.redrive.RedriveFilter;
import io.entroq.api.redrive.RedriveResult;
import io.entroq.codec.wire.Ids;
import io.entroq.codec.wire.edge.ChangeMode;
import io.entroq.codec.wire.edge.DeadReason;
import io.entroq.codec.wire.edge.ModifyRequest;
import io.entroq.codec.wire.edge.RedriveRequest;
import io.entroq.codec.wire.edge.RedriveResponse;
import io.entroq.codec.wire.edge.Task;
import io.entroq.codec.wire.edge.TaskData;
import io.entroq.codec.wire.edge.TaskID;
import io.entroq.codec.wire.edge.TasksRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Converts the messages of a redrive. */
final class RedriveMessages {
  /** Most tasks that one call moves, and names. */
  private static final int TASKS_MAX = 10_000;

  private static final int TASKS_DEFAULT = 1_000;

  private RedriveMessages() {}

  /**
   * What a request asks for.
   *
   * @throws EntroQException.InvalidArgument if it is out of range
   */
  static Redrive plan(RedriveRequest request) {
    requireInRange("limit", request.getLimit());
    requireInRange("number of task_id", request.getTaskIdCount());
    return new Redrive(
        request.getFrom(),
        text(request.getTo()),
        request.getTaskIdList().stream().map(TaskId::of).toList(),
        new RedriveFilter(
            request.getErr(),
            request.hasShape() ? Optional.of(request.getShape()) : Optional.empty(),
            text(request.getOrigin()),
            reason(request.getReason()),
            request.getWithoutOrigin(),
            request.getAttemptsMin(),
            Optional.of(Duration.ofMillis(request.getOlderThanMs())),
            Optional.of(request.getNewerThanMs()).filter(ms -> ms != 0).map(Duration::ofMillis)),
        request.getLimit() == 0 ? TASKS_DEFAULT : request.getLimit(),
        request.getRate(),
        request.getDryRun(),
        request.getClaimantId().isEmpty() ? Ids.randomV1().v1Text() : request.getClaimantId());
  }

  private static void requireInRange(String what, int value) {
    if (value < 0 || value > TASKS_MAX) {
      throw new EntroQException.InvalidArgument(
          "%s must be from 0 to %,d, is %,d".formatted(what, TASKS_MAX, value));
    }
  }

  private static Optional<String> text(String text) {
    return Optional.of(text).filter(given -> !given.isEmpty());
  }

  private static Optional<io.entroq.api.Task.DeadReason> reason(DeadReason reason) {
    return switch (reason) {
      case DEAD_NONE -> Optional.empty();
      case DEAD_FAILED -> Optional.of(io.entroq.api.Task.DeadReason.FAILED);
      case DEAD_LAPSED -> Optional.of(io.entroq.api.Task.DeadReason.LAPSED);
      case DEAD_EXPIRED -> Optional.of(io.entroq.api.Task.DeadReason.EXPIRED);
      case DEAD_OVERFLOW -> Optional.of(io.entroq.api.Task.DeadReason.OVERFLOW);
      case UNRECOGNIZED -> throw new EntroQException.InvalidArgument("reason: unknown");
    };
  }

  static TasksRequest query(Redrive plan) {
    return TasksRequest.newBuilder()
        .setQueue(plan.from())
        .addAllTaskId(plan.ids().stream().map(TaskId::text).toList())
        .setRawValues(true)
        // A dry run needs none.
        .setOmitValues(plan.isDryRun())
        .build();
  }

  /** The task without its value, for the rules of the redrive. */
  static io.entroq.api.Task task(Task task) {
    return new io.entroq.api.Task(
        TaskId.of(task.getId()),
        task.getVersion(),
        task.getQueue(),
        Instant.ofEpochMilli(task.getAtMs()),
        task.getClaimantId(),
        Value.absent(),
        Instant.ofEpochMilli(task.getCreatedMs()),
        Instant.ofEpochMilli(task.getModifiedMs()),
        task.getClaims(),
        task.getAttempt(),
        task.getErr(),
        new io.entroq.api.Task.Attributes(
            task.getInFlight(), task.getLapses(), Optional.empty(), death(task), task.getTrace()));
  }

  private static Optional<io.entroq.api.Task.Death> death(Task task) {
    return reason(task.getReason())
        .map(
            why ->
                new io.entroq.api.Task.Death(
                    task.getOrigin(), why, Instant.ofEpochMilli(task.getDeadAtMs())));
  }

  static ModifyRequest moves(Redrive plan, List<RedriveBatches.Move<Task>> all) {
    ModifyRequest.Builder moves =
        ModifyRequest.newBuilder().setClaimantId(plan.claimant()).setRawValues(true);
    for (RedriveBatches.Move<Task> move : all) {
      Task task = move.task();
      TaskData.Builder data = TaskData.newBuilder().setQueue(move.target());
      if (task.hasRaw()) {
        data.setRaw(task.getRaw());
      } else if (task.hasValue()) {
        data.setValue(task.getValue());
      }
      moves
          .addChangesBuilder()
          .setOldId(
              TaskID.newBuilder()
                  .setId(task.getId())
                  .setVersion(task.getVersion())
                  .setQueue(task.getQueue()))
          .setNewData(data)
          .setMode(ChangeMode.CHANGE_RESET_CLAIMS);
    }
    return moves.build();
  }

  /**
   * The response.
   *
   * @param isComplete whether all tasks were examined
   */
  static RedriveResponse response(RedriveResult result, boolean isComplete) {
    RedriveResponse.Builder response =
        RedriveResponse.newBuilder()
            .setExamined(result.examined())
            .setMatched(result.matched())
            .setMoved(result.moved())
            .setHeld(result.held())
            .setChanged(result.changed())
            .setUnplaced(result.unplaced())
            .setComplete(isComplete);
    result
        .full()
        .forEach((queue, tasks) -> response.addFullBuilder().setQueue(queue).setTasks(tasks));
    return response.build();
  }
}

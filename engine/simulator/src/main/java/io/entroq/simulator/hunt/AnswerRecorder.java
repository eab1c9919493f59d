package io.entroq.simulator.hunt;

import com.google.protobuf.ByteString;
import io.entroq.codec.wire.log.Failure;
import io.entroq.codec.wire.log.Id;
import io.entroq.codec.wire.log.Item;
import io.entroq.codec.wire.log.ItemKind;
import io.entroq.codec.wire.log.Result;
import io.entroq.codec.wire.log.ResultCode;
import io.entroq.codec.wire.log.Task;
import io.entroq.codec.wire.log.ValueKind;
import io.entroq.engine.state.ResultSink;
import io.entroq.engine.task.TaskView;
import io.entroq.simulator.model.StepAnswers;
import java.nio.charset.StandardCharsets;
import org.agrona.DirectBuffer;

/** Turns what the engine says into messages that can be compared and printed. */
final class AnswerRecorder implements ResultSink {
  private StepAnswers answers = new StepAnswers();
  private long requestSequence;
  private Result.Builder result;

  /** What was said since the last call. */
  StepAnswers take() {
    StepAnswers taken = answers;
    answers = new StepAnswers();
    return taken;
  }

  @Override
  public void onResult(long requestSequence, int code, long stepSequence, long logTimeMs) {
    this.requestSequence = requestSequence;
    result =
        Result.newBuilder()
            .setCode(ResultCode.forNumber(code))
            .setSequence(stepSequence)
            .setLogTimeMs(logTimeMs);
  }

  @Override
  public void onTask(int role, TaskView task) {
    switch (role) {
      case ROLE_CLAIMED -> result.addClaimed(message(task));
      case ROLE_INSERTED -> result.addInserted(message(task));
      case ROLE_CHANGED -> result.addChanged(message(task));
      default -> throw new IllegalArgumentException("role " + role);
    }
  }

  @Override
  public void onFailure(int itemKind, int index, boolean claimed, TaskView existing) {
    Failure.Builder failure =
        Failure.newBuilder()
            .setItemKind(ItemKind.forNumber(itemKind))
            .setIndex(index)
            .setClaimed(claimed);
    if (existing != null) {
      failure.setExistingVersion(existing.version());
      failure.setExistingQueue(
          text(existing.queueBuffer(), existing.queueOffset(), existing.queueLength()));
    }
    result.addFailures(failure);
  }

  @Override
  public void onItem(int itemKind, int index) {
    if (itemKind != ItemKind.ITEM_NONE_VALUE) {
      result.setItem(Item.newBuilder().setItemKind(ItemKind.forNumber(itemKind)).setIndex(index));
    }
  }

  @Override
  public void onQueueFull(long tasks, long tasksMax) {
    result.setQueueTasks(tasks).setQueueTasksMax(tasksMax);
  }

  @Override
  public void onEnd() {
    answers.answered(requestSequence, result.build());
    result = null;
  }

  @Override
  public void onParked(long requestSequence) {
    answers.parked(requestSequence);
  }

  @Override
  public void onAttached(long requestSequence, long parkedSequence) {
    answers.attached(requestSequence, parkedSequence);
  }

  static Task message(TaskView task) {
    return Task.newBuilder()
        .setId(id(task))
        .setVersion(task.version())
        .setQueue(text(task.queueBuffer(), task.queueOffset(), task.queueLength()))
        .setArrivalMs(task.arrivalMs())
        .setClaimant(claimant(task))
        .setValueKind(ValueKind.forNumber(task.valueKind()))
        .setValue(bytes(task.valueBuffer(), task.valueOffset(), task.valueLength()))
        .setCreatedMs(task.createdMs())
        .setModifiedMs(task.modifiedMs())
        .setClaims(task.claims())
        .setAttempt(task.attempt())
        .setErr(text(task.errBuffer(), task.errOffset(), task.errLength()))
        .build();
  }

  private static Id id(TaskView task) {
    return Id.newBuilder()
        .setHigh(task.idHigh())
        .setLow(task.idLow())
        .setText(text(task.idTextBuffer(), task.idTextOffset(), task.idTextLength()))
        .build();
  }

  private static Id claimant(TaskView task) {
    return Id.newBuilder()
        .setHigh(task.claimantHigh())
        .setLow(task.claimantLow())
        .setText(
            text(task.claimantTextBuffer(), task.claimantTextOffset(), task.claimantTextLength()))
        .build();
  }

  private static String text(DirectBuffer buffer, int offset, int length) {
    return new String(copy(buffer, offset, length), StandardCharsets.UTF_8);
  }

  private static ByteString bytes(DirectBuffer buffer, int offset, int length) {
    return ByteString.copyFrom(copy(buffer, offset, length));
  }

  private static byte[] copy(DirectBuffer buffer, int offset, int length) {
    byte[] bytes = new byte[length];
    if (length > 0) {
      buffer.getBytes(offset, bytes);
    }
    return bytes;
  }
}

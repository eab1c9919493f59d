package io.entroq.simulator.hunt;

import com.google.protobuf.ByteString;
import io.entroq.codec.wire.log.Doc;
import io.entroq.codec.wire.log.Failure;
import io.entroq.codec.wire.log.Id;
import io.entroq.codec.wire.log.Item;
import io.entroq.codec.wire.log.ItemKind;
import io.entroq.codec.wire.log.Result;
import io.entroq.codec.wire.log.ResultCode;
import io.entroq.codec.wire.log.Task;
import io.entroq.codec.wire.log.ValueKind;
import io.entroq.engine.doc.DocView;
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
  public void onDoc(DocView doc) {
    result.addDocs(message(doc));
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

  static Doc message(DocView doc) {
    Doc.Builder message =
        Doc.newBuilder()
            .setNamespace(text(doc.namespaceBuffer(), doc.namespaceOffset(), doc.namespaceLength()))
            .setId(
                id(
                    doc.idHigh(),
                    doc.idLow(),
                    doc.idTextBuffer(),
                    doc.idTextOffset(),
                    doc.idTextLength()))
            .setVersion(doc.version())
            .setArrivalMs(doc.arrivalMs())
            .setKey(text(doc.keyBuffer(), doc.keyOffset(), doc.keyLength()))
            .setSecondaryKey(
                text(doc.secondaryKeyBuffer(), doc.secondaryKeyOffset(), doc.secondaryKeyLength()))
            .setValueKind(ValueKind.forNumber(doc.valueKind()))
            .setValue(bytes(doc.valueBuffer(), doc.valueOffset(), doc.valueLength()))
            .setCreatedMs(doc.createdMs())
            .setModifiedMs(doc.modifiedMs());
    if ((doc.claimantHigh() | doc.claimantLow()) != 0) {
      message.setClaimant(
          id(
              doc.claimantHigh(),
              doc.claimantLow(),
              doc.claimantTextBuffer(),
              doc.claimantTextOffset(),
              doc.claimantTextLength()));
    }
    return message.build();
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
    return id(
        task.idHigh(), task.idLow(), task.idTextBuffer(), task.idTextOffset(), task.idTextLength());
  }

  private static Id claimant(TaskView task) {
    return id(
        task.claimantHigh(),
        task.claimantLow(),
        task.claimantTextBuffer(),
        task.claimantTextOffset(),
        task.claimantTextLength());
  }

  private static Id id(long high, long low, DirectBuffer text, int offset, int length) {
    return Id.newBuilder().setHigh(high).setLow(low).setText(text(text, offset, length)).build();
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

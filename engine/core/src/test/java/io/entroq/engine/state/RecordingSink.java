package io.entroq.engine.state;

import io.entroq.engine.doc.DocView;
import io.entroq.engine.policy.PolicyView;
import io.entroq.engine.receipt.FailedItem;
import io.entroq.engine.task.Bytes;
import io.entroq.engine.task.TaskView;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Keeps what one step says. */
final class RecordingSink implements ResultSink {
  /** In the order in which they were given. */
  final List<Answer> answers = new ArrayList<>();

  final List<Long> parked = new ArrayList<>();

  /** Retry to parked claim. */
  final Map<Long, Long> attached = new HashMap<>();

  private Answer open;

  /** The answer of a request, or null if this step has not answered it. */
  Answer of(long requestSequence) {
    for (Answer answer : answers) {
      if (answer.requestSequence == requestSequence) {
        return answer;
      }
    }
    return null;
  }

  @Override
  public void onResult(long requestSequence, int code, long stepSequence, long logTimeMs) {
    open = new Answer(requestSequence, code);
  }

  @Override
  public void onTask(int role, TaskView task) {
    switch (role) {
      case ROLE_CLAIMED -> open.claimed.add(Shot.of(task));
      case ROLE_INSERTED, ROLE_COPIED -> open.inserted.add(Shot.of(task));
      case ROLE_CHANGED, ROLE_LEASED -> open.changed.add(Shot.of(task));
      case ROLE_FAILED -> open.failed.add(Shot.of(task));
      default -> throw new IllegalArgumentException("role " + role);
    }
  }

  @Override
  public void onDoc(DocView doc) {
    open.docs.add(DocShot.of(doc));
  }

  @Override
  public void onSet(DocView set) {
    open.sets.add(DocShot.of(set));
  }

  @Override
  public void onPolicy(PolicyView policy) {}

  @Override
  public void onFailure(FailedItem item) {
    open.failures.add(
        new Answer.Failure(item.kind(), item.index(), item.isClaimed(), item.existingVersion()));
    Bytes name = item.existingName();
    open.existing.add(
        new Answer.Existing(
            name.buffer().getStringWithoutLengthUtf8(name.offset(), name.length()),
            item.existingIdLow()));
  }

  @Override
  public void onItem(int itemKind, int index) {
    open.item = new Answer.Item(itemKind, index);
  }

  @Override
  public void onQueueFull(long tasks, long tasksMax) {
    open.full = new Answer.Full(tasks, tasksMax);
  }

  @Override
  public void onEnd() {
    answers.add(open);
    open = null;
  }

  @Override
  public void onParked(long requestSequence) {
    parked.add(requestSequence);
  }

  @Override
  public void onAttached(long requestSequence, long parkedSequence) {
    attached.put(requestSequence, parkedSequence);
  }
}

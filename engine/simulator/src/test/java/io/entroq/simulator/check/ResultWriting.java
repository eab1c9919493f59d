package io.entroq.simulator.check;

import io.entroq.codec.command.Slice;
import io.entroq.codec.result.ResultDecoder;
import io.entroq.codec.result.ResultDocFields;
import io.entroq.codec.result.ResultEncoder;
import io.entroq.codec.result.ResultTaskFields;
import io.entroq.engine.doc.DocView;
import io.entroq.engine.page.DocContent;
import io.entroq.engine.page.TaskContent;
import io.entroq.engine.state.ResultSink;
import io.entroq.engine.task.TaskView;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;

/** Encodes what a state machine answers and hands it on, decoded again. */
final class ResultWriting implements ResultSink {
  private final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer(1_024);
  private final ExpandableArrayBuffer claimed = new ExpandableArrayBuffer(1_024);
  private final ResultEncoder encoder = new ResultEncoder();
  private final ResultEncoder claimedEncoder = new ResultEncoder();
  private final ResultTaskFields fields = new ResultTaskFields();
  private final ResultDocFields docFields = new ResultDocFields();
  private final Slice existingQueue = new Slice();
  private final ResultDecoder decoder = new ResultDecoder();
  private final Taker taker;
  private final boolean tellsAll;
  private long request;

  /** Takes what was answered; nothing is valid after the call. */
  interface Taker {
    void onResult(long requestSequence, ResultDecoder result, DirectBuffer encoded, int length);

    void onWaiting(long requestSequence, long parkedSequence);
  }

  /**
   * @param tellsAll whether callers are told again what they have sent
   */
  ResultWriting(Taker taker, boolean tellsAll) {
    this.taker = taker;
    this.tellsAll = tellsAll;
  }

  @Override
  public void onResult(long requestSequence, int code, long stepSequence, long logTimeMs) {
    request = requestSequence;
    encoder.wrap(buffer, 0, code, stepSequence, logTimeMs);
    claimedEncoder.wrap(claimed, 0, 0, 0, 0);
  }

  @Override
  public void onTask(int role, TaskView task) {
    if (role == ROLE_CLAIMED) {
      TaskContent.describeAll(task, fields);
      claimedEncoder.claimed(fields);
    } else {
      if (tellsAll) {
        TaskContent.describeAll(task, fields);
      } else {
        TaskContent.describe(task, fields);
      }
      if (role == ROLE_INSERTED) {
        encoder.inserted(fields);
      } else {
        encoder.changed(fields);
      }
    }
  }

  @Override
  public void onDoc(DocView doc) {
    DocContent.describe(doc, docFields);
    encoder.doc(docFields);
  }

  @Override
  public void onFailure(int itemKind, int index, boolean isClaimed, TaskView existing) {
    existingQueue.clear();
    int version = 0;
    if (existing != null) {
      version = existing.version();
      existingQueue.wrap(existing.queueBuffer(), existing.queueOffset(), existing.queueLength());
    }
    encoder.failure(itemKind, index, isClaimed, version, existingQueue);
  }

  @Override
  public void onItem(int itemKind, int index) {
    encoder.item(itemKind, index);
  }

  @Override
  public void onQueueFull(long tasks, long tasksMax) {
    encoder.queueFull(tasks, tasksMax);
  }

  @Override
  public void onEnd() {
    int length = encoder.length();
    buffer.putBytes(length, claimed, 0, claimedEncoder.length());
    decoder.wrap(buffer, 0, length + claimedEncoder.length());
    taker.onResult(request, decoder, buffer, length + claimedEncoder.length());
  }

  @Override
  public void onParked(long requestSequence) {
    taker.onWaiting(requestSequence, requestSequence);
  }

  @Override
  public void onAttached(long requestSequence, long parkedSequence) {
    taker.onWaiting(requestSequence, parkedSequence);
  }
}

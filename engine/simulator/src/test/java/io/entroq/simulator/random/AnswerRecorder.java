package io.entroq.simulator.random;

import com.google.protobuf.InvalidProtocolBufferException;
import io.entroq.codec.message.IdFields;
import io.entroq.codec.message.Slice;
import io.entroq.codec.result.DocFields;
import io.entroq.codec.result.PolicyStateEncoder;
import io.entroq.codec.result.ResultEncoder;
import io.entroq.codec.result.TaskFields;
import io.entroq.codec.wire.log.Result;
import io.entroq.engine.doc.DocView;
import io.entroq.engine.policy.PolicyView;
import io.entroq.engine.receipt.FailedItem;
import io.entroq.engine.result.DocContent;
import io.entroq.engine.result.PolicyContent;
import io.entroq.engine.result.TaskContent;
import io.entroq.engine.state.ResultSink;
import io.entroq.engine.task.Bytes;
import io.entroq.engine.task.TaskView;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.agrona.ExpandableArrayBuffer;

/** Collects the answers of a state machine as messages. */
final class AnswerRecorder implements ResultSink {
  /**
   * An answer.
   *
   * @param request the sequence of the request's record
   * @param waitsFor the sequence of the claim that the request waits for, its own or an earlier
   *     one; 0 if the request was answered
   */
  record Answer(long request, Result result, long waitsFor) {
    Answer(long request, Result result) {
      this(request, result, 0);
    }
  }

  private final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer(1_024);
  private final ExpandableArrayBuffer claimed = new ExpandableArrayBuffer(1_024);
  private final ResultEncoder encoder = new ResultEncoder();
  private final ResultEncoder claimedEncoder = new ResultEncoder();
  private final TaskFields fields = new TaskFields();
  private final DocFields docFields = new DocFields();
  private final Slice existingName = new Slice();
  private final IdFields existingId = new IdFields();
  private List<Answer> answers = new ArrayList<>();
  private final PolicyStateEncoder policyEncoder = new PolicyStateEncoder();
  private final ExpandableArrayBuffer policyState = new ExpandableArrayBuffer();
  private long request;
  private long timeMs;

  /** The answers since the last call, in their order. */
  List<Answer> take() {
    List<Answer> taken = answers;
    answers = new ArrayList<>();
    return taken;
  }

  @Override
  public void onResult(long requestSequence, int code, long stepSequence, long logTimeMs) {
    request = requestSequence;
    timeMs = logTimeMs;
    encoder.wrap(buffer, 0).code(code).sequence(stepSequence).logTimeMs(logTimeMs);
    claimedEncoder.wrap(claimed, 0).code(0).sequence(0).logTimeMs(0);
  }

  @Override
  public void onTask(int role, TaskView task) {
    TaskContent.describeAll(task, fields);
    switch (role) {
      case ROLE_CLAIMED -> claimedEncoder.claimed(fields);
      case ROLE_FAILED -> encoder.failed(fields);
      case ROLE_INSERTED, ROLE_COPIED -> encoder.inserted(fields);
      default -> encoder.changed(fields);
    }
  }

  @Override
  public void onDoc(DocView doc) {
    DocContent.describe(doc, docFields);
    encoder.doc(docFields);
  }

  @Override
  public void onSet(DocView set) {
    DocContent.describe(set, docFields);
    encoder.set(docFields);
  }

  @Override
  public void onFailure(FailedItem item) {
    wrap(existingName, item.existingName());
    existingId.set(item.existingIdHigh(), item.existingIdLow());
    wrap(existingId.text(), item.existingIdText());
    encoder.failure(
        item.kind(),
        item.index(),
        item.isClaimed(),
        Math.max(0, item.existingVersion()),
        existingName,
        existingId);
  }

  private static void wrap(Slice slice, Bytes bytes) {
    slice.wrap(bytes.buffer(), bytes.offset(), bytes.length());
  }

  @Override
  public void onPolicy(PolicyView policy) {
    PolicyContent.write(policy, timeMs, policyEncoder.wrap(policyState, 0));
    encoder.policy(policyState, 0, policyEncoder.length());
  }

  @Override
  public void onItem(int itemKind, int index) {
    encoder.item(itemKind, index);
  }

  @Override
  public void onQueueFull(long tasks, long tasksMax) {
    encoder.queueTasks(tasks).queueTasksMax(tasksMax);
  }

  @Override
  public void onEnd() {
    int length = encoder.length();
    buffer.putBytes(length, claimed, 0, claimedEncoder.length());
    length += claimedEncoder.length();
    try {
      Result result = Result.parseFrom(ByteBuffer.wrap(buffer.byteArray(), 0, length));
      answers.add(new Answer(request, result));
    } catch (InvalidProtocolBufferException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public void onParked(long requestSequence) {
    onAttached(requestSequence, requestSequence);
  }

  @Override
  public void onAttached(long requestSequence, long parkedSequence) {
    answers.add(new Answer(requestSequence, null, parkedSequence));
  }
}

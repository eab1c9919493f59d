package io.entroq.engine.runtime;

import io.entroq.codec.message.IdFields;
import io.entroq.codec.message.Slice;
import io.entroq.codec.result.DocFields;
import io.entroq.codec.result.PolicyStateEncoder;
import io.entroq.codec.result.ResultCodes;
import io.entroq.codec.result.ResultEncoder;
import io.entroq.codec.result.TaskFields;
import io.entroq.engine.doc.DocView;
import io.entroq.engine.policy.PolicyView;
import io.entroq.engine.receipt.FailedItem;
import io.entroq.engine.result.DocContent;
import io.entroq.engine.result.PolicyContent;
import io.entroq.engine.result.TaskContent;
import io.entroq.engine.state.Levels;
import io.entroq.engine.state.ResultSink;
import io.entroq.engine.task.Bytes;
import io.entroq.engine.task.TaskView;
import java.nio.charset.StandardCharsets;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * Encodes the answers of the state machine as Results, without allocation. One thread.
 *
 * <p>Tasks that the caller has just sent are returned without what it sent: queue, value, attempt
 * and err. Copies in the queues of groups have their queues, and those whose lease alone changed
 * are returned whole.
 */
public final class ResultWriter {
  private static final Slice LEVEL_TOO_LOW =
      new Slice(
          ("the request uses policies, pauses, failures, expiry or a trace context, which the log"
                  + " has from behavior level "
                  + Levels.POLICIES
                  + " on, or pools or topics, which it has from level "
                  + Levels.POOLS
                  + " on, or takes tasks back, which it permits from level "
                  + Levels.TAKE_BACK
                  + " on; nothing was changed: raise the level, once all members support it")
              .getBytes(StandardCharsets.UTF_8));

  private final ResultEncoder encoder = new ResultEncoder();
  private final TaskFields fields = new TaskFields();
  private final DocFields docFields = new DocFields();
  private final Slice existingName = new Slice();
  private final IdFields existingId = new IdFields();
  private final PolicyStateEncoder policyEncoder = new PolicyStateEncoder();
  private final ExpandableArrayBuffer policyState = new ExpandableArrayBuffer();
  private long logTimeMs;
  private MutableDirectBuffer buffer;
  private int partOffset;
  private boolean hasOwnItems;

  /** Begins an answer at the start of a buffer, which grows as needed. */
  public void begin(MutableDirectBuffer target, int code, long stepSequence, long timeMs) {
    buffer = target;
    logTimeMs = timeMs;
    partOffset = 0;
    hasOwnItems = false;
    encoder.wrap(target, 0).code(code).sequence(stepSequence).logTimeMs(timeMs);
    if (code == ResultCodes.LEVEL_TOO_LOW) {
      encoder.detail(LEVEL_TOO_LOW);
    }
  }

  /** As {@link ResultSink#onTask}. */
  public void task(int role, TaskView task) {
    // Once for all roles: the compiler would inline it into each, and then no more of the rest.
    TaskContent.describe(task, fields);
    if (role != ResultSink.ROLE_INSERTED && role != ResultSink.ROLE_CHANGED) {
      describeMore(role, task);
    }
    if (role == ResultSink.ROLE_CLAIMED) {
      beginPartForClaimed();
      encoder.claimed(fields);
      return;
    }
    hasOwnItems = true;
    switch (role) {
      case ResultSink.ROLE_INSERTED, ResultSink.ROLE_COPIED -> encoder.inserted(fields);
      case ResultSink.ROLE_CHANGED, ResultSink.ROLE_LEASED -> encoder.changed(fields);
      case ResultSink.ROLE_FAILED -> encoder.failed(fields);
      default -> throw new IllegalArgumentException("a task in an unknown role: " + role);
    }
  }

  private void describeMore(int role, TaskView task) {
    TaskContent.describeQueue(task, fields);
    if (role != ResultSink.ROLE_COPIED) {
      TaskContent.describeRest(task, fields);
    }
  }

  /** As {@link ResultSink#onDoc}. */
  public void doc(DocView doc) {
    DocContent.describe(doc, docFields);
    hasOwnItems = true;
    encoder.doc(docFields);
  }

  /** As {@link ResultSink#onSet}. */
  public void set(DocView set) {
    DocContent.describe(set, docFields);
    encoder.set(docFields);
  }

  /** As {@link ResultSink#onPolicy}. */
  public void policy(PolicyView policy) {
    hasOwnItems = true;
    PolicyContent.write(policy, logTimeMs, policyEncoder.wrap(policyState, 0));
    encoder.policy(policyState, 0, policyEncoder.length());
  }

  /** As {@link ResultSink#onFailure}. */
  public void failure(FailedItem item) {
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

  /** As {@link ResultSink#onItem}. */
  public void item(int itemKind, int index) {
    encoder.item(itemKind, index);
  }

  /** As {@link ResultSink#onQueueFull}. */
  public void queueFull(long tasks, long tasksMax) {
    encoder.queueTasks(tasks).queueTasksMax(tasksMax);
  }

  /** Ends the answer and returns its length in bytes. */
  public int end() {
    return partOffset + encoder.length();
  }

  /**
   * The state machine reports claimed tasks last, but a Result has them first. Two encodings in a
   * row are one message, so they begin a second one.
   */
  private void beginPartForClaimed() {
    if (hasOwnItems) {
      hasOwnItems = false;
      partOffset += encoder.length();
      encoder.wrap(buffer, partOffset);
    }
  }
}

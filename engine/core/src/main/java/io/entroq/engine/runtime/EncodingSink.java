package io.entroq.engine.runtime;

import io.entroq.engine.doc.DocView;
import io.entroq.engine.policy.PolicyView;
import io.entroq.engine.receipt.FailedItem;
import io.entroq.engine.state.ResultSink;
import io.entroq.engine.task.TaskView;
import org.agrona.MutableDirectBuffer;

/**
 * Encodes each answer of a state machine as a Result. Subclasses decide where an answer is written
 * and what becomes of it. One thread; allocates nothing.
 */
public abstract class EncodingSink implements ResultSink {
  private final ResultWriter writer = new ResultWriter();

  /** A sink that has written nothing. */
  protected EncodingSink() {}

  /** Begins an answer at the start of a buffer, which grows as needed; for {@link #onResult}. */
  protected final void begin(
      MutableDirectBuffer target, int code, long stepSequence, long logTimeMs) {
    writer.begin(target, code, stepSequence, logTimeMs);
  }

  /** Ends the answer and returns its length in bytes; for {@link #onEnd}. */
  protected final int end() {
    return writer.end();
  }

  @Override
  public final void onTask(int role, TaskView task) {
    writer.task(role, task);
  }

  @Override
  public final void onDoc(DocView doc) {
    writer.doc(doc);
  }

  @Override
  public final void onSet(DocView set) {
    writer.set(set);
  }

  @Override
  public final void onPolicy(PolicyView policy) {
    writer.policy(policy);
  }

  @Override
  public final void onFailure(FailedItem item) {
    writer.failure(item);
  }

  @Override
  public final void onItem(int itemKind, int index) {
    writer.item(itemKind, index);
  }

  @Override
  public final void onQueueFull(long tasks, long tasksMax) {
    writer.queueFull(tasks, tasksMax);
  }
}

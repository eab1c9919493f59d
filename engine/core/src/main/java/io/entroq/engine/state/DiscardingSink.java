package io.entroq.engine.state;

import io.entroq.engine.doc.DocView;
import io.entroq.engine.task.TaskView;

/**
 * For commands that nobody waits for: those of a replay, and the engine's own. Who wants one thing
 * of the answers overrides that.
 */
public class DiscardingSink implements ResultSink {
  /** Remembers nothing. Any thread. */
  public static final DiscardingSink INSTANCE = new DiscardingSink();

  /** For subclasses. */
  protected DiscardingSink() {}

  @Override
  public void onResult(long requestSequence, int code, long stepSequence, long logTimeMs) {}

  @Override
  public void onTask(int role, TaskView task) {}

  @Override
  public void onDoc(DocView doc) {}

  @Override
  public void onFailure(int itemKind, int index, boolean claimed, TaskView existing) {}

  @Override
  public void onItem(int itemKind, int index) {}

  @Override
  public void onQueueFull(long tasks, long tasksMax) {}

  @Override
  public void onEnd() {}

  @Override
  public void onParked(long requestSequence) {}

  @Override
  public void onAttached(long requestSequence, long parkedSequence) {}
}

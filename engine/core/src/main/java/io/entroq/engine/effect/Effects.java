package io.entroq.engine.effect;

import io.entroq.engine.doc.DocView;
import io.entroq.engine.task.Bytes;
import io.entroq.engine.task.TaskStore;
import io.entroq.engine.task.TaskView;

/** Numbers the effects of each step and shows them to a sink; without one, costs a branch each. */
public final class Effects {

  /** Shows tasks by their slots; a view is valid until the next. */
  @FunctionalInterface
  public interface TaskViewer {
    TaskView view(int task);
  }

  /** Shows docs and doc sets by their slots; a view is valid until the next. */
  public interface DocViewer {
    DocView doc(int doc);

    DocView set(int set);
  }

  private final TaskStore tasks;
  private final TaskViewer taskViewer;
  private final DocViewer docViewer;
  private EffectSink sink;
  private long sequence;
  private int index;

  public Effects(TaskStore tasks, TaskViewer taskViewer, DocViewer docViewer) {
    this.tasks = tasks;
    this.taskViewer = taskViewer;
    this.docViewer = docViewer;
  }

  /** Sets who listens from the next step on; null for nobody. */
  public void sink(EffectSink newSink) {
    sink = newSink;
  }

  /** Begins a step. */
  public void step(long stepSequence) {
    sequence = stepSequence;
    index = 0;
  }

  public void task(int kind, int task) {
    if (sink != null) {
      sink.onTask(sequence, index++, kind, taskViewer.view(task), tasks.insertSequence(task));
    }
  }

  public void doc(int kind, int doc) {
    if (sink != null) {
      sink.onDoc(sequence, index++, kind, docViewer.doc(doc));
    }
  }

  /** A policy, given as it is stored. */
  public void policy(int kind, Bytes policy, int version, long pausedUntilMs) {
    if (sink != null) {
      sink.onPolicy(
          sequence,
          index++,
          kind,
          policy.buffer(),
          policy.offset(),
          policy.length(),
          version,
          pausedUntilMs);
    }
  }

  public void set(int kind, int set) {
    if (sink != null) {
      sink.onDoc(sequence, index++, kind, docViewer.set(set));
    }
  }
}

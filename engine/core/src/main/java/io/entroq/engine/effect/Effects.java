package io.entroq.engine.effect;

import io.entroq.codec.effect.EffectFlags;
import io.entroq.codec.effect.EffectKinds;
import io.entroq.engine.doc.DocView;
import io.entroq.engine.task.Bytes;
import io.entroq.engine.task.TaskStore;
import org.agrona.DirectBuffer;

/**
 * Numbers the effects of each step and shows them to a sink, and the ids of tasks to who wants
 * those alone; without either, costs a branch each.
 */
public final class Effects {

  /** Shows docs and doc sets by their slots; a view is valid until the next. */
  public interface DocViewer {
    DocView doc(int doc);

    DocView set(int set);
  }

  /** Tells the names of queues by their slots. */
  @FunctionalInterface
  public interface QueueNamer {
    void name(int queue, Bytes name);
  }

  /** The former queue of a task that has not moved. */
  private static final Bytes NOWHERE = new Bytes();

  private final TaskStore tasks;
  private final EffectSink.TaskViewer taskViewer;
  private final DocViewer docViewer;
  private final QueueNamer queueNamer;
  private final Bytes queueName = new Bytes();
  private EffectSink sink;
  private EffectIds ids;

  /** Whether what happens to tasks is told to anybody. */
  private boolean areTasksTold;

  private long sequence;
  private int index;

  /** {@link EffectFlags#REQUESTED} while the command of the step is executed, else 0. */
  private int requested;

  public Effects(
      TaskStore tasks,
      EffectSink.TaskViewer taskViewer,
      DocViewer docViewer,
      QueueNamer queueNamer) {
    this.tasks = tasks;
    this.taskViewer = taskViewer;
    this.docViewer = docViewer;
    this.queueNamer = queueNamer;
  }

  /** Sets who listens from the next step on; null for nobody. */
  public void sink(EffectSink newSink) {
    sink = newSink;
    areTasksTold = sink != null || ids != null;
  }

  /** Sets who gets the ids of tasks from the next step on; null for nobody. */
  public void ids(EffectIds newIds) {
    ids = newIds;
    areTasksTold = sink != null || ids != null;
  }

  /**
   * Begins a step.
   *
   * @return whether there is a sink: then {@link #tellStep} follows
   */
  public boolean begin(long stepSequence) {
    sequence = stepSequence;
    index = 0;
    return sink != null;
  }

  /** Tells when the step happens, for which nobody asked. */
  public void tellStep(long logTimeMs) {
    tellStep(logTimeMs, 0, 0, NOWHERE.buffer(), 0, 0);
  }

  /** Tells when the step happens and which claimant asked for it. */
  public void tellStep(
      long logTimeMs, long byHigh, long byLow, DirectBuffer byText, int offset, int length) {
    sink.onStep(sequence, logTimeMs, byHigh, byLow, byText, offset, length);
  }

  /** What follows is what the command does. */
  public void beginCommand() {
    requested = EffectFlags.REQUESTED;
  }

  /** What follows is what other claims get by it. */
  public void endCommand() {
    requested = 0;
  }

  /** Ends a step. */
  public void end() {
    if (sink != null) {
      sink.onStepEnd(sequence);
    }
    if (ids != null) {
      ids.onStepEnd(sequence);
    }
  }

  public void task(int kind, int task) {
    task(kind, 0, task);
  }

  /**
   * Tells what happened to a task.
   *
   * @param flags of {@link EffectFlags}
   */
  public void task(int kind, int flags, int task) {
    if (areTasksTold) {
      tell(kind, flags | requested, task, NOWHERE);
    }
  }

  /** Time ended a lease, whoever sees it first. */
  public void lapsed(int task) {
    if (areTasksTold) {
      tell(EffectKinds.LAPSED, 0, task, NOWHERE);
    }
  }

  /**
   * Tells that a task has moved.
   *
   * @param formerQueue where it was, a queue that is still there
   */
  public void moved(int kind, int flags, int task, int formerQueue) {
    if (areTasksTold) {
      queueNamer.name(formerQueue, queueName);
      tell(kind, flags | requested, task, queueName);
    }
  }

  /** Short, as the compiler copies it to each of its many callers. */
  private void tell(int kind, int flags, int task, Bytes formerQueue) {
    if (ids != null && ids.wants(tasks.insertSequence(task), sequence)) {
      ids.onTask(tasks.idHigh(task), tasks.idLow(task));
    }
    if (sink != null) {
      sink.onTask(sequence, index++, kind, flags, taskViewer, task, formerQueue);
    }
  }

  public void doc(int kind, int doc) {
    if (sink != null) {
      sink.onDoc(sequence, index++, kind, requested, docViewer.doc(doc));
    }
  }

  public void set(int kind, int set) {
    if (sink != null) {
      sink.onDoc(sequence, index++, kind, requested, docViewer.set(set));
    }
  }

  /** A policy, given as it is stored. */
  public void policy(int kind, Bytes policy, int version, long pausedUntilMs) {
    if (sink != null) {
      sink.onPolicy(sequence, index++, kind, requested, policy, version, pausedUntilMs);
    }
  }

  /** Failures have paused a queue. */
  public void breakerOpened(int queue, long untilMs) {
    if (sink != null) {
      queueNamer.name(queue, queueName);
      sink.onQueue(sequence, index++, EffectKinds.BREAKER_OPENED, requested, queueName, untilMs);
    }
  }
}

package io.entroq.engine.listing;

import io.entroq.codec.effect.EffectKinds;
import io.entroq.engine.doc.DocSetStore;
import io.entroq.engine.doc.DocStore;
import io.entroq.engine.effect.EffectSink;
import io.entroq.engine.effect.EffectSink.TaskViewer;
import io.entroq.engine.effect.Effects.DocViewer;
import io.entroq.engine.policy.PolicyStore;
import io.entroq.engine.task.Bytes;
import io.entroq.engine.task.TaskStore;

/**
 * Shows a state as effects that insert it: tasks, then docs, then doc sets, then policies, each as
 * a step of its own with the sequence of the last record. The state must not change meanwhile.
 */
public final class StateEffects {
  private final TaskStore tasks;
  private final DocStore docs;
  private final DocSetStore sets;
  private final PolicyStore policies;
  private final TaskViewer taskViewer;
  private final DocViewer docViewer;
  private long sequence;
  private long logTimeMs;
  private final Bytes nothing = new Bytes();
  private final Bytes policy = new Bytes();
  private Part part = Part.TASKS;
  private int slot = -1;
  private int index = -1;

  /** What is shown, in this order. */
  private enum Part {
    TASKS,
    DOCS,
    SETS,
    POLICIES,
    NONE
  }

  public StateEffects(
      TaskStore tasks,
      DocStore docs,
      DocSetStore sets,
      PolicyStore policies,
      TaskViewer taskViewer,
      DocViewer docViewer) {
    this.tasks = tasks;
    this.docs = docs;
    this.sets = sets;
    this.policies = policies;
    this.taskViewer = taskViewer;
    this.docViewer = docViewer;
  }

  /**
   * Sets the step that the effects have.
   *
   * @param lastSequence of the last record
   * @param lastTimeMs its log time, in milliseconds since the epoch
   */
  public StateEffects at(long lastSequence, long lastTimeMs) {
    sequence = lastSequence;
    logTimeMs = lastTimeMs;
    return this;
  }

  /** Goes to the next item; false after the last. */
  public boolean next() {
    while (part != Part.NONE) {
      slot++;
      if (slot >= highWater()) {
        part = Part.values()[part.ordinal() + 1];
        slot = -1;
      } else if (isAlive()) {
        index++;
        return true;
      }
    }
    return false;
  }

  private int highWater() {
    return switch (part) {
      case TASKS -> tasks.highWater();
      case DOCS -> docs.highWater();
      case SETS -> sets.highWater();
      case POLICIES -> policies.highWater();
      case NONE -> 0;
    };
  }

  private boolean isAlive() {
    return switch (part) {
      case TASKS -> tasks.insertSequence(slot) != 0;
      case DOCS -> docs.isAlive(slot);
      case SETS -> sets.isAlive(slot);
      case POLICIES -> policies.isAlive(slot);
      case NONE -> false;
    };
  }

  /** Tells the item, as often as it is called. */
  public void tell(EffectSink sink) {
    sink.onStep(sequence, logTimeMs, 0, 0, nothing.buffer(), 0, 0);
    switch (part) {
      case TASKS ->
          sink.onTask(sequence, index, EffectKinds.INSERTED, 0, taskViewer, slot, nothing);
      case DOCS -> sink.onDoc(sequence, index, EffectKinds.DOC_INSERTED, 0, docViewer.doc(slot));
      case SETS -> sink.onDoc(sequence, index, EffectKinds.SET_WRITTEN, 0, docViewer.set(slot));
      case POLICIES -> tellPolicy(sink);
      case NONE -> throw new IllegalStateException("there is no item");
    }
    sink.onStepEnd(sequence);
  }

  private void tellPolicy(EffectSink sink) {
    policies.encoded(slot, policy);
    sink.onPolicy(
        sequence,
        index,
        EffectKinds.POLICY_WRITTEN,
        0,
        policy,
        policies.version(slot),
        policies.pausedUntilMs(slot));
  }
}

package io.entroq.engine.state;

import io.entroq.codec.result.ItemKinds;
import io.entroq.codec.result.ResultCodes;
import io.entroq.engine.doc.DocView;
import io.entroq.engine.task.TaskView;

/**
 * Takes the answers of a step, on the thread that applies it. An answer is {@link #onResult}, then
 * tasks, docs, failures or an item, then {@link #onEnd}; answers do not interleave. Nothing handed
 * out is valid after its callback.
 */
public interface ResultSink {

  /** Ignores everything. Any thread. */
  ResultSink DISCARDING = new Discarding();

  /** A task that was claimed. */
  int ROLE_CLAIMED = 1;

  /** A task that was inserted. */
  int ROLE_INSERTED = 2;

  /** A task that was changed. */
  int ROLE_CHANGED = 3;

  /**
   * Begins the answer of a request.
   *
   * @param requestSequence the sequence of the command that asked; 0 if it was not logged
   * @param code a number of {@link ResultCodes}
   * @param stepSequence the sequence of the step that decided
   * @param logTimeMs its log time
   */
  void onResult(long requestSequence, int code, long stepSequence, long logTimeMs);

  /** A task of the answer, in the order of the request. */
  void onTask(int role, TaskView task);

  /**
   * A doc of the answer: of a Modify those inserted, then those changed, in the order of the
   * request and without value; of a ClaimDocs those claimed, by secondary key, or without value
   * those that others hold.
   */
  void onDoc(DocView doc);

  /**
   * An item that failed.
   *
   * @param itemKind a number of {@link ItemKinds}
   * @param index position in its list, from 0
   * @param claimed true if only somebody else's lease stands in the way
   * @param existing for an insert of a task, id, version and queue of the task that has the id;
   *     else null
   */
  void onFailure(int itemKind, int index, boolean claimed, TaskView existing);

  /** The item that a refusal is about. */
  void onItem(int itemKind, int index);

  /**
   * The queue that the item would go into may not have so many tasks; comes behind {@link #onItem}.
   *
   * @param tasks how many it has; where the code is {@code NEVER_FITS}, how many of the Modify's
   *     own it would have
   * @param tasksMax how many it may have
   */
  void onQueueFull(long tasks, long tasksMax);

  /** The answer is complete. */
  void onEnd();

  /** The claim has found nothing and waits; its answer follows in a later step. */
  void onParked(long requestSequence);

  /** The request is the retry of a parked claim, whose answer will be its answer too. */
  void onAttached(long requestSequence, long parkedSequence);

  /** Ignores everything: for commands that nobody waits for. Subclasses override what they need. */
  class Discarding implements ResultSink {
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
}

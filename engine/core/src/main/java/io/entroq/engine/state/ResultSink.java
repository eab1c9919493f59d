package io.entroq.engine.state;

import io.entroq.codec.result.ResultCodes;
import io.entroq.engine.doc.DocView;
import io.entroq.engine.policy.PolicyView;
import io.entroq.engine.receipt.FailedItem;
import io.entroq.engine.task.TaskView;

/**
 * Receives the replies of a step, on the applying thread. A reply is {@link #onResult}, then tasks,
 * docs, failures or an item, then {@link #onEnd}; replies do not interleave. Arguments are valid
 * only during the callback.
 */
public interface ResultSink {

  /** Ignores everything. Any thread. */
  ResultSink DISCARDING = new Discarding();

  int ROLE_CLAIMED = 1;
  int ROLE_INSERTED = 2;
  int ROLE_CHANGED = 3;

  /**
   * A changed task of which the request changed nothing but the lease, or of which a policy decided
   * what became of it, in its place among the changed ones. The reply has all of it, because the
   * request does not.
   */
  int ROLE_LEASED = 4;

  /** A task of the fails of a Modify, all of it, as and where it is now. */
  int ROLE_FAILED = 5;

  /**
   * A copy that an insert into a topic has made in the queue of a group, in its place among the
   * inserted ones: one after the other in the order of the groups. The reply names its queue.
   */
  int ROLE_COPIED = 6;

  /**
   * Begins the reply to a request.
   *
   * @param requestSequence the sequence of the request's command; 0 if it was not logged
   * @param code one of {@link ResultCodes}
   * @param stepSequence the sequence of the step that decided it
   * @param logTimeMs the log time of that step
   */
  void onResult(long requestSequence, int code, long stepSequence, long logTimeMs);

  /** A task of the reply, in the order of the request. */
  void onTask(int role, TaskView task);

  /**
   * A doc of the reply. A Modify: inserted docs, then changed docs and sets, in the order of the
   * request, without values. A ClaimDocs: the docs of the claimed sets in the order of the request,
   * then by secondary key, or, without values, those of the sets that others hold.
   */
  void onDoc(DocView doc);

  /**
   * A set of the reply to a ClaimDocs, after the docs: a claimed one, or one that others hold. In
   * the order of the request.
   */
  void onSet(DocView set);

  /** A policy that a Modify has written, after docs and sets. */
  void onPolicy(PolicyView policy);

  /** An item that failed. A Modify or ClaimDocs has these before docs and sets. */
  void onFailure(FailedItem item);

  /** The item that caused a refusal. */
  void onItem(int itemKind, int index);

  /**
   * The queue of the item would exceed its limit; follows {@link #onItem}.
   *
   * @param tasks the tasks of the queue; if the code is {@code NEVER_FITS}, those of the Modify
   * @param tasksMax the limit
   */
  void onQueueFull(long tasks, long tasksMax);

  void onEnd();

  /** The claim found no task and waits; its reply follows in a later step. */
  void onParked(long requestSequence);

  /** The request retries a parked claim and will get the same reply. */
  void onAttached(long requestSequence, long parkedSequence);

  /** Ignores everything. Subclasses override what they need. */
  class Discarding implements ResultSink {
    @Override
    public void onResult(long requestSequence, int code, long stepSequence, long logTimeMs) {}

    @Override
    public void onTask(int role, TaskView task) {}

    @Override
    public void onDoc(DocView doc) {}

    @Override
    public void onSet(DocView set) {}

    @Override
    public void onPolicy(PolicyView policy) {}

    @Override
    public void onFailure(FailedItem item) {}

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

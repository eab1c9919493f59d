package io.entroq.engine.request;

import io.entroq.codec.result.ResultCodes;
import io.entroq.engine.doc.DocView;
import io.entroq.engine.policy.PolicyView;
import io.entroq.engine.receipt.FailedItem;
import io.entroq.engine.runtime.ResultWriter;
import io.entroq.engine.state.ResultSink;
import io.entroq.engine.state.StateMachine;
import io.entroq.engine.task.TaskView;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.function.Consumer;
import org.agrona.collections.Long2ObjectHashMap;

/**
 * Writes the answers of a step into the slots of the callers; on the engine's thread.
 *
 * <p>Answers stay here until {@link #release} at the end of the step: no reply leaves in the middle
 * of one.
 */
public final class SlotSink implements ResultSink {
  private final ResultWriter writer = new ResultWriter();
  private final Long2ObjectHashMap<RequestSlot> parked = new Long2ObjectHashMap<>();
  private final ArrayList<RequestSlot> answered = new ArrayList<>();

  /** Claims that were canceled although their callers are still there. */
  private final ArrayDeque<RequestSlot> forgotten = new ArrayDeque<>();

  private final RequestLimits limits;
  private final Consumer<Lane> withTasks;

  /** The slot whose command is being executed; null for one of the engine's own. */
  private RequestSlot asking;

  /** The slot whose answer is being written; null if it has no reader. */
  private RequestSlot target;

  private long targetSequence;
  private boolean hasClaimed;

  /** Whether claims are being canceled because their callers are presumed gone. */
  private boolean isForgetting;

  /**
   * @param withTasks gets the lanes of claims that were answered with tasks
   */
  public SlotSink(RequestLimits limits, Consumer<Lane> withTasks) {
    this.limits = limits;
    this.withTasks = withTasks;
  }

  /** The next answer of the command itself goes to this slot. */
  public void of(RequestSlot slot) {
    asking = slot;
  }

  /**
   * Removes the answer that was just written for a slot, which will get another.
   *
   * @return false if the slot has none
   */
  public boolean takeBack(RequestSlot slot) {
    return answered.remove(slot);
  }

  /**
   * Claims that are canceled from now on still have their callers, so they are repeated. Under the
   * engine's own identity they are answered as if the state had never known them; under their
   * callers' they are kept for {@link #takeForgotten}.
   */
  public void forget(boolean forgets) {
    isForgetting = forgets;
  }

  /** A claim that was canceled although its caller is still there; null if there are no more. */
  public RequestSlot takeForgotten() {
    return forgotten.poll();
  }

  /** The sequences of waiting claims, in no particular order. */
  public long[] parkedSequences() {
    long[] sequences = new long[parked.size()];
    Long2ObjectHashMap<RequestSlot>.KeyIterator each = parked.keySet().iterator();
    for (int i = 0; i < sequences.length; i++) {
      sequences[i] = each.nextLong();
    }
    return sequences;
  }

  /** The claim with this sequence; null if it does not wait any more. */
  public RequestSlot parked(long sequence) {
    return parked.get(sequence);
  }

  /** Ends the step: passes its answers to the gate. */
  public void release(ReplyGate gate) {
    for (int i = 0; i < answered.size(); i++) {
      // Out of the list first: once passed on, a slot may be in use again.
      gate.pass(answered.set(i, null));
    }
    answered.clear();
    asking = null;
  }

  /** Removes every slot without a reply, as the engine has failed. */
  public Set<RequestSlot> takeUnanswered() {
    Set<RequestSlot> slots = Collections.newSetFromMap(new IdentityHashMap<>());
    slots.addAll(answered);
    for (RequestSlot first : parked.values()) {
      for (RequestSlot slot = first; slot != null; slot = slot.nextAttached) {
        slots.add(slot);
      }
    }
    slots.remove(null);
    answered.clear();
    parked.clear();
    asking = null;
    return slots;
  }

  @Override
  public void onResult(long requestSequence, int code, long stepSequence, long logTimeMs) {
    boolean isOwn = requestSequence == 0 || requestSequence == stepSequence;
    // A claim that has parked may get its tasks in the same step.
    target = isOwn && asking != null ? asking : parked.remove(requestSequence);
    targetSequence = stepSequence;
    hasClaimed = false;
    if (target != null) {
      target.resultCode = codeForTarget(code);
      writer.begin(target.result(), target.resultCode, stepSequence, logTimeMs);
    }
  }

  private int codeForTarget(int code) {
    boolean isForgotten = isForgetting && code == ResultCodes.CANCELLED && !target.lane.isCallers();
    return isForgotten ? ResultCodes.OUTCOME_UNKNOWN : code;
  }

  @Override
  public void onTask(int role, TaskView task) {
    if (target != null) {
      writer.task(role, task);
      hasClaimed |= role == ROLE_CLAIMED;
    }
  }

  @Override
  public void onDoc(DocView doc) {
    if (target != null) {
      writer.doc(doc);
    }
  }

  @Override
  public void onSet(DocView set) {
    if (target != null) {
      writer.set(set);
    }
  }

  @Override
  public void onPolicy(PolicyView policy) {
    if (target != null) {
      writer.policy(policy);
    }
  }

  @Override
  public void onFailure(FailedItem item) {
    if (target != null) {
      writer.failure(item);
    }
  }

  @Override
  public void onItem(int itemKind, int index) {
    if (target != null) {
      writer.item(itemKind, index);
    }
  }

  @Override
  public void onQueueFull(long tasks, long tasksMax) {
    if (target != null) {
      writer.queueFull(tasks, tasksMax);
    }
  }

  @Override
  public void onEnd() {
    if (target == null) {
      return;
    }
    RequestSlot slot = target;
    target = null;
    slot.resultLength = writer.end();
    RequestSlot attached = slot.nextAttached;
    slot.nextAttached = null;
    answer(slot);
    while (attached != null) {
      RequestSlot next = attached.nextAttached;
      attached.nextAttached = null;
      attached.result().putBytes(0, slot.result(), 0, slot.resultLength);
      attached.resultLength = slot.resultLength;
      attached.resultCode = slot.resultCode;
      answer(attached);
      attached = next;
    }
  }

  @Override
  public void onParked(long requestSequence) {
    if (asking != null) {
      park(requestSequence, asking);
    }
  }

  @Override
  public void onAttached(long requestSequence, long parkedSequence) {
    if (asking == null) {
      return;
    }
    RequestSlot first = parked.get(parkedSequence);
    if (first == null) {
      park(parkedSequence, asking);
    } else {
      asking.isParked = true;
      asking.parkedSequence = parkedSequence;
      asking.nextAttached = first.nextAttached;
      first.nextAttached = asking;
      limits.releaseBytes(asking);
      asking = null;
    }
  }

  /** Whether the slot waits for a claim to be answered. */
  public boolean isParked(RequestSlot slot) {
    for (RequestSlot each = parked.get(slot.parkedSequence);
        each != null;
        each = each.nextAttached) {
      if (each == slot) {
        return true;
      }
    }
    return false;
  }

  /**
   * Removes one of several slots that wait for one claim; that claim's answer does not reach it.
   *
   * @return false if no other slot waits for the claim; then it is not removed
   */
  public boolean leaveToOthers(RequestSlot slot) {
    RequestSlot first = parked.get(slot.parkedSequence);
    if (first == slot) {
      if (slot.nextAttached == null) {
        return false;
      }
      parked.put(slot.parkedSequence, slot.nextAttached);
    } else {
      RequestSlot before = first;
      while (before.nextAttached != slot) {
        before = before.nextAttached;
      }
      before.nextAttached = slot.nextAttached;
    }
    slot.nextAttached = null;
    return true;
  }

  /** Answers with the log time alone. */
  public void time(StateMachine machine, long nowMs) {
    time(ResultCodes.OK, machine, nowMs);
  }

  /** Answers with a code and the log time. */
  public void time(int code, StateMachine machine, long nowMs) {
    onResult(0, code, machine.sequence(), nowMs);
    onEnd();
  }

  private void park(long sequence, RequestSlot slot) {
    parked.put(sequence, slot);
    slot.parkedSequence = sequence;
    slot.isParked = true;
    limits.releaseBytes(slot);
    asking = null;
  }

  private void answer(RequestSlot slot) {
    slot.sequenceSeen = targetSequence;
    if (isToBeMadeAnew(slot)) {
      forgotten.add(slot);
      return;
    }
    answered.add(slot);
    if (hasClaimed && slot.lane != null) {
      withTasks.accept(slot.lane);
    }
    if (slot == asking) {
      asking = null;
    }
  }

  private boolean isToBeMadeAnew(RequestSlot slot) {
    return isForgetting
        && slot.resultCode == ResultCodes.CANCELLED
        && slot.lane.isCallers()
        && !slot.isLeaving
        && !slot.isAbandoned();
  }
}

package io.entroq.engine.request;

import io.entroq.api.EntroQException;
import io.entroq.codec.result.ResultCodes;
import io.entroq.engine.state.StateMachine;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * Requests that wait for the log to reach a sequence. The engine's thread.
 *
 * <p>Few requests wait, and not for long: only a sequence that a caller saw on another replica may
 * not have been reached here.
 */
public final class SequenceWaiters {
  private static final int WAITING_MAX = 1_024;

  private final StateMachine machine;
  private final ReadTime time;
  private final SlotSink sink;
  private final ReplyGate gate;
  private final Completer completer;
  private final LongSupplier nanoTime;
  private final List<RequestSlot> waiting = new ArrayList<>();

  /** Lowest awaited sequence, if any. */
  private long lowest;

  /** Earliest deadline, if any. */
  private long earliestNs;

  /**
   * @param nanoTime as {@link System#nanoTime()}, the clock of the deadlines
   */
  public SequenceWaiters(
      StateMachine machine,
      ReadTime time,
      SlotSink sink,
      ReplyGate gate,
      Completer completer,
      LongSupplier nanoTime) {
    this.machine = machine;
    this.time = time;
    this.sink = sink;
    this.gate = gate;
    this.completer = completer;
    this.nanoTime = nanoTime;
  }

  /**
   * Answers at once if the log has reached the sequence, otherwise later.
   *
   * @throws EntroQException.ResourceExhausted if too many requests wait
   */
  public void add(RequestSlot slot, long nowMs) {
    if (slot.awaitedSequence <= machine.sequence()) {
      answer(slot, ResultCodes.OK, nowMs);
      return;
    }
    if (waiting.size() == WAITING_MAX) {
      leaveAbandoned();
    }
    if (waiting.size() == WAITING_MAX) {
      throw new EntroQException.ResourceExhausted(
          "limit awaitedPositionsMax: %,d requests wait for a log position, as many as it allows"
              .formatted(WAITING_MAX));
    }
    waiting.add(slot);
    note();
  }

  /**
   * Answers requests whose sequence is reached or whose deadline has passed.
   *
   * @return whether there were any
   */
  public boolean answer() {
    if (waiting.isEmpty()) {
      return false;
    }
    long nowNs = nanoTime.getAsLong();
    if (lowest > machine.sequence() && earliestNs - nowNs > 0) {
      return false;
    }
    long nowMs = time.nowMs();
    long sequence = machine.sequence();
    List<RequestSlot> all = List.copyOf(waiting);
    waiting.clear();
    for (RequestSlot slot : all) {
      if (slot.awaitedSequence <= sequence) {
        answer(slot, ResultCodes.OK, nowMs);
      } else if (slot.deadlineNs - nowNs <= 0) {
        answer(slot, ResultCodes.TIMED_OUT, nowMs);
      } else {
        waiting.add(slot);
      }
    }
    note();
    sink.release(gate);
    return true;
  }

  /** Nanoseconds until the earliest deadline; {@link Long#MAX_VALUE}: none. */
  public long nanosUntilDue() {
    return waiting.isEmpty() ? Long.MAX_VALUE : Math.max(0, earliestNs - nanoTime.getAsLong());
  }

  /** Removes all, which will not be answered. */
  public void moveTo(Collection<RequestSlot> unanswered) {
    unanswered.addAll(waiting);
    waiting.clear();
  }

  private void answer(RequestSlot slot, int code, long nowMs) {
    sink.of(slot);
    sink.time(code, machine, nowMs);
  }

  private void leaveAbandoned() {
    List<RequestSlot> abandoned = waiting.stream().filter(RequestSlot::isAbandoned).toList();
    waiting.removeAll(abandoned);
    for (RequestSlot slot : abandoned) {
      completer.complete(slot, RequestOutcome.NOT_STARTED, null);
    }
  }

  private void note() {
    long nowNs = nanoTime.getAsLong();
    long patienceNs = Long.MAX_VALUE;
    lowest = Long.MAX_VALUE;
    for (RequestSlot slot : waiting) {
      lowest = Math.min(lowest, slot.awaitedSequence);
      patienceNs = Math.min(patienceNs, slot.deadlineNs - nowNs);
    }
    earliestNs = nowNs + patienceNs;
  }
}

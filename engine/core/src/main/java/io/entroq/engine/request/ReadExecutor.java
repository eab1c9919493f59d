package io.entroq.engine.request;

import io.entroq.engine.state.StateMachine;
import java.util.Collection;
import java.util.function.LongSupplier;

/**
 * Answers requests that only read: pages of listings, the log time, and waits for a sequence. The
 * thread that owns the state.
 */
public final class ReadExecutor {
  private final StateMachine machine;
  private final SlotSink sink;
  private final PageScheduler pages;
  private final SequenceWaiters awaited;

  /**
   * @param nanoTime as {@link System#nanoTime()}
   */
  public ReadExecutor(
      StateMachine machine,
      ReadTime time,
      SlotSink sink,
      ReplyGate gate,
      Completer completer,
      LongSupplier nanoTime) {
    this.machine = machine;
    this.sink = sink;
    pages = new PageScheduler(machine, time, gate, nanoTime);
    awaited = new SequenceWaiters(machine, time, sink, gate, completer, nanoTime);
  }

  /**
   * Answers a read through the sink, or keeps it for {@link #poll}.
   *
   * @throws io.entroq.api.EntroQException.ResourceExhausted if too many wait; it is not kept then
   */
  public void execute(RequestSlot slot, long nowMs) {
    switch (slot.kind) {
      case LIST -> pages.add(slot);
      case TIME -> {
        sink.of(slot);
        sink.time(machine, nowMs);
      }
      case REACH -> awaited.add(slot, nowMs);
      default -> throw new IllegalArgumentException(slot.kind + " is no read");
    }
  }

  /**
   * Fills pages for a while, and answers requests that have waited long enough.
   *
   * @param commands how many were executed since the last call
   * @return how much was done; 0: nothing
   */
  public int poll(int commands) {
    int done = !pages.isEmpty() && pages.take(commands) ? 1 : 0;
    return awaited.answer() ? done + 1 : done;
  }

  /** Nanoseconds until {@link #poll} has something to do; {@link Long#MAX_VALUE}: never. */
  public long nanosUntilDue() {
    return Math.min(pages.nanosUntilTurn(), awaited.nanosUntilDue());
  }

  /** Removes all, which will not be answered. */
  public void moveTo(Collection<RequestSlot> unanswered) {
    pages.moveTo(unanswered);
    awaited.moveTo(unanswered);
  }
}

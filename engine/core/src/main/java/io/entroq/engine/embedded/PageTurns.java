package io.entroq.engine.embedded;

import java.util.ArrayDeque;
import java.util.Collection;

/**
 * The pages that are being filled, which take turns between commands; the engine's thread.
 *
 * <p>A slice takes a few microseconds, so that a command that arrives meanwhile waits no longer. An
 * engine that is never idle still gives them a share of its time.
 */
final class PageTurns {
  /** Eight short tasks, or so many slots passed over: about three microseconds. */
  private static final int EFFORT = 256;

  /** After so many commands at once there is a slice more. */
  private static final int COMMANDS_PER_SLICE = 16;

  private final EngineCore core;
  private final SlotSink sink;
  private final ReplyGate gate;
  private final ArrayDeque<RequestSlot> slots = new ArrayDeque<>();

  PageTurns(EngineCore core, SlotSink sink, ReplyGate gate) {
    this.core = core;
    this.sink = sink;
    this.gate = gate;
  }

  /** Queues a page to be filled. */
  void add(RequestSlot slot) {
    slots.add(slot);
  }

  boolean isEmpty() {
    return slots.isEmpty();
  }

  /** Does a few slices, as befits so many commands that were done since the last ones. */
  void take(int commands) {
    long nowMs = core.advance(sink);
    sink.release(gate);
    for (int i = commands / COMMANDS_PER_SLICE; i >= 0 && !slots.isEmpty(); i--) {
      fill(nowMs);
    }
  }

  private void fill(long nowMs) {
    RequestSlot slot = slots.peek();
    boolean goesOn = slot.page.fill(core.machine(), nowMs, EFFORT);
    slots.poll();
    if (goesOn) {
      slots.add(slot);
    } else {
      slot.sequenceSeen = core.machine().sequence();
      gate.pass(slot);
    }
  }

  /** Takes out all pages, which will not be filled. */
  void moveTo(Collection<RequestSlot> unanswered) {
    unanswered.addAll(slots);
    slots.clear();
  }
}

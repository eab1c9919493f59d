package io.entroq.simulator.client;

import io.entroq.simulator.call.Resends;
import io.entroq.simulator.virtual.EventQueue;
import java.util.ArrayDeque;

/**
 * Wakes callers whose requests are unanswered: first after a second, then after twice as long each
 * time, up to 8 seconds; waiting claims after half a minute. One event serves many requests.
 */
final class Timeouts {
  private static final long WAITING_NS = 30_000_000_000L;

  private final EventQueue events;
  private final Line[] lines = new Line[Resends.LENGTHS];
  private final Line waiting = new Line(WAITING_NS);

  Timeouts(EventQueue events) {
    this.events = events;
    for (int i = 0; i < Resends.LENGTHS; i++) {
      lines[i] = new Line(Resends.waitNs(i + 1));
    }
  }

  /** A call was sent. */
  void watch(Call call) {
    Line line = call.waits ? waiting : lines[Math.min(call.sends, Resends.LENGTHS) - 1];
    line.add(call);
  }

  /** Calls with equal timeouts form a queue, whose first call times out next. */
  private final class Line implements EventQueue.Event {
    private final ArrayDeque<Call> calls = new ArrayDeque<>();
    private final long lengthNs;
    private boolean isArmed;

    Line(long lengthNs) {
      this.lengthNs = lengthNs;
    }

    void add(Call call) {
      call.dueNs = events.nowNs() + lengthNs;
      calls.add(call);
      arm();
    }

    private void arm() {
      if (!isArmed && !calls.isEmpty()) {
        isArmed = true;
        events.at(calls.peek().dueNs, this);
      }
    }

    @Override
    public void happen() {
      long nowNs = events.nowNs();
      for (Call call = calls.peek();
          call != null && (call.isOver || call.dueNs <= nowNs);
          call = calls.peek()) {
        calls.poll();
        if (!call.isOver) {
          call.caller.onTimeout(call);
        }
      }
      isArmed = false;
      arm();
    }
  }
}

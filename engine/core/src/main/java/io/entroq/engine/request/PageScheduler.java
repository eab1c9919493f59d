package io.entroq.engine.request;

import io.entroq.engine.state.StateMachine;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Fills pages of listings between commands; the engine's thread.
 *
 * <p>A slice takes a few microseconds, so it delays a command by no more than that. While commands
 * arrive, slices take a tenth of the time: reading a page takes longer than filling it, and the
 * reader may take the processor from the senders of commands. Without commands, slices follow each
 * other.
 */
public final class PageScheduler {
  /** Effort of a slice: eight short tasks, or this many skipped slots; about three microseconds. */
  private static final int EFFORT = 256;

  /** This many commands in a batch earn one more slice. */
  private static final int COMMANDS_PER_SLICE = 16;

  /** Pause after slices, as a multiple of their time. */
  private static final int PAUSE_FACTOR = 9;

  /**
   * How long after a command others are likely. No shorter, because their senders may be waiting
   * for the processor on which the last page is read.
   */
  private static final long BUSY_NS = TimeUnit.MILLISECONDS.toNanos(20);

  private final StateMachine machine;
  private final ReadTime time;
  private final ReplyGate gate;
  private final LongSupplier nanoTime;
  private final ArrayDeque<RequestSlot> slots = new ArrayDeque<>();
  private long lastCommandNs;
  private long pauseEndNs;

  /**
   * @param nanoTime as {@link System#nanoTime()}
   */
  public PageScheduler(StateMachine machine, ReadTime time, ReplyGate gate, LongSupplier nanoTime) {
    this.machine = machine;
    this.time = time;
    this.gate = gate;
    this.nanoTime = nanoTime;
    pauseEndNs = nanoTime.getAsLong();
    lastCommandNs = pauseEndNs - BUSY_NS;
  }

  /** Queues a page to be filled. */
  public void add(RequestSlot slot) {
    slots.add(slot);
  }

  public boolean isEmpty() {
    return slots.isEmpty();
  }

  /**
   * Runs a few slices if it is time.
   *
   * @param commands how many were executed since the last call
   * @return false if it is not time
   */
  public boolean take(int commands) {
    long startNs = nanoTime.getAsLong();
    if (commands > 0) {
      lastCommandNs = startNs;
    }
    if (nanosUntilTurn(startNs) > 0) {
      return false;
    }
    long nowMs = time.nowMs();
    for (int i = commands / COMMANDS_PER_SLICE; i >= 0 && !slots.isEmpty(); i--) {
      fill(nowMs);
    }
    long endNs = nanoTime.getAsLong();
    pauseEndNs = endNs + PAUSE_FACTOR * (endNs - startNs);
    return true;
  }

  /** Nanoseconds until the next slice; {@link Long#MAX_VALUE} if there are no pages. */
  public long nanosUntilTurn() {
    return slots.isEmpty() ? Long.MAX_VALUE : nanosUntilTurn(nanoTime.getAsLong());
  }

  private long nanosUntilTurn(long atNs) {
    long commandsEndNs = lastCommandNs + BUSY_NS;
    return Math.max(0, Math.min(pauseEndNs - atNs, commandsEndNs - atNs));
  }

  private void fill(long nowMs) {
    RequestSlot slot = slots.peek();
    boolean goesOn = slot.page.fill(machine, nowMs, EFFORT);
    slots.poll();
    if (goesOn) {
      slots.add(slot);
    } else {
      slot.sequenceSeen = machine.sequence();
      gate.pass(slot);
    }
  }

  /** Removes all pages, which will not be filled. */
  public void moveTo(Collection<RequestSlot> unanswered) {
    unanswered.addAll(slots);
    slots.clear();
  }
}

package io.entroq.engine.replica;

import io.entroq.api.EntroQException;
import io.entroq.engine.request.Completer;
import io.entroq.engine.request.ReadExecutor;
import io.entroq.engine.request.ReadTime;
import io.entroq.engine.request.ReplyGate;
import io.entroq.engine.request.RequestOutcome;
import io.entroq.engine.request.RequestSlot;
import io.entroq.engine.request.SlotSink;
import io.entroq.engine.state.StateMachine;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/** Answers reads from the local state, between two commands. The applying thread. */
final class ReplicaReads {
  /** How long a read waits for a leader, if its caller does. */
  static final long HELD_NS_MAX = 5_000_000_000L;

  /** How often held reads are searched for those whose callers have left. */
  static final long SEARCH_INTERVAL_NS = 10_000_000;

  /** Reads per call. */
  private static final int BATCH_MAX = 64;

  /** A read that waits for a leader. */
  private record HeldRead(RequestSlot slot, long untilNs) {}

  /** The oldest first; no more than there are slots. */
  private final ArrayDeque<HeldRead> held = new ArrayDeque<>();

  private final ProposalExchange exchange;
  private final AbandonedClaims left;
  private final Completer completer;
  private final SlotSink sink;
  private final ReplyGate gate;
  private final ReadTime time;
  private final LongSupplier nanoTime;

  /** When {@link #held} was last searched. */
  private long searchedNs;

  /** Null until there is a state. */
  private ReadExecutor reads;

  /**
   * @param left gets claims that are left, which come with the reads
   * @param nanoTime as {@link System#nanoTime()}
   */
  ReplicaReads(
      ProposalExchange exchange,
      AbandonedClaims left,
      Completer completer,
      SlotSink sink,
      ReplyGate gate,
      ReadTime time,
      LongSupplier nanoTime) {
    this.exchange = exchange;
    this.left = left;
    this.completer = completer;
    this.sink = sink;
    this.gate = gate;
    this.time = time;
    this.nanoTime = nanoTime;
    searchedNs = nanoTime.getAsLong();
  }

  /** Once, before {@link #answer}. */
  void begin(StateMachine machine) {
    reads = new ReadExecutor(machine, time, sink, gate, completer, nanoTime);
  }

  /**
   * Answers a few reads.
   *
   * @param isShown whether the local state may be shown
   * @param contact reads wait in an election; without contact they are refused
   * @param commands how many were applied since the last call
   * @return how much was done; 0: nothing
   */
  int answer(boolean isShown, Contact contact, int commands) {
    boolean isCurrent = contact == Contact.LEADER;
    int done = isCurrent ? left.leaveInTouch() : 0;
    done += answerHeld(isShown, contact);
    RequestSlot slot = done < BATCH_MAX ? exchange.takeRead() : null;
    while (slot != null) {
      if (slot.kind.isWrite()) {
        left.add(slot, isCurrent);
      } else if (isShown && contact == Contact.ELECTION) {
        held.add(new HeldRead(slot, nanoTime.getAsLong() + HELD_NS_MAX));
      } else {
        read(slot, isShown && isCurrent);
      }
      done++;
      slot = done < BATCH_MAX ? exchange.takeRead() : null;
    }
    return done + reads.poll(commands);
  }

  /** Answers those that need not wait any more, or that have waited long enough. */
  private int answerHeld(boolean isShown, Contact contact) {
    int done = 0;
    while (done < BATCH_MAX && !held.isEmpty() && isOver(held.peek(), contact)) {
      read(held.remove().slot, isShown && contact == Contact.LEADER);
      done++;
    }
    dropLeft();
    return done;
  }

  /** Ends reads whose callers have left, since they count against the limit of requests. */
  private void dropLeft() {
    if (held.isEmpty() || nanoTime.getAsLong() - searchedNs < SEARCH_INTERVAL_NS) {
      return;
    }
    searchedNs = nanoTime.getAsLong();
    held.removeIf(
        read -> {
          boolean isLeft = read.slot.isAbandoned();
          if (isLeft) {
            completer.complete(read.slot, RequestOutcome.NOT_STARTED, null);
          }
          return isLeft;
        });
  }

  private boolean isOver(HeldRead read, Contact contact) {
    return contact != Contact.ELECTION || nanoTime.getAsLong() - read.untilNs >= 0;
  }

  private void read(RequestSlot slot, boolean isCurrent) {
    if (slot.isAbandoned()) {
      completer.complete(slot, RequestOutcome.NOT_STARTED, null);
    } else if (isCurrent) {
      readCurrent(slot);
    } else {
      completer.complete(
          slot,
          RequestOutcome.REFUSED,
          new EntroQException.Unavailable("this member has no contact with a leader"));
    }
  }

  private void readCurrent(RequestSlot slot) {
    try {
      reads.execute(slot, time.nowMs());
      sink.release(gate);
    } catch (EntroQException.ResourceExhausted e) {
      completer.complete(slot, RequestOutcome.REFUSED, e);
    }
  }

  /** Removes all, which will not be answered. */
  List<RequestSlot> end() {
    List<RequestSlot> unanswered = new ArrayList<>();
    held.forEach(read -> unanswered.add(read.slot));
    held.clear();
    for (RequestSlot slot = exchange.takeRead(); slot != null; slot = exchange.takeRead()) {
      if (!slot.kind.isWrite()) {
        unanswered.add(slot);
      }
    }
    if (reads != null) {
      reads.moveTo(unanswered);
    }
    return unanswered;
  }
}

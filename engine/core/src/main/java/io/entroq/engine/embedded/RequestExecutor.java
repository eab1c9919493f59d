package io.entroq.engine.embedded;

import io.entroq.api.EntroQException;
import io.entroq.codec.command.CancelEncoder;
import io.entroq.codec.message.MalformedMessageException;
import io.entroq.codec.record.RecordFrame;
import io.entroq.codec.record.RecordType;
import io.entroq.codec.result.ResultCodes;
import io.entroq.engine.request.Completer;
import io.entroq.engine.request.DeliveryAcks;
import io.entroq.engine.request.Lane;
import io.entroq.engine.request.Lanes;
import io.entroq.engine.request.PageScheduler;
import io.entroq.engine.request.ReplyGate;
import io.entroq.engine.request.RequestOutcome;
import io.entroq.engine.request.RequestSlot;
import io.entroq.engine.request.SequenceWaiters;
import io.entroq.engine.request.SlotSink;
import io.entroq.engine.runtime.EngineCore;
import io.entroq.engine.runtime.Housekeeper;
import io.entroq.engine.runtime.MemoryBound;
import io.entroq.engine.state.StateMachine;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.agrona.ExpandableArrayBuffer;

/** What the engine's thread does with each request that it takes. */
final class RequestExecutor {
  /** How long those who have requests are left to say which answers have left. */
  private static final long SAY_GRACE_NS = TimeUnit.MILLISECONDS.toNanos(100);

  private final EngineCore core;
  private final MemoryBound memory;
  private final StateMachine machine;
  private final SlotSink sink;
  private final ReplyGate gate;
  private final Completer completer;
  private final Lanes lanes;
  private final PageScheduler pages;
  private final SequenceWaiters awaited;
  private final Housekeeper housekeeper;
  private final DeliveryAcks arrived;
  private final CancelEncoder cancel = new CancelEncoder();
  private final ExpandableArrayBuffer ownCommand = new ExpandableArrayBuffer();

  /** How many have been executed since the last look at the pages. */
  private int commands;

  /** What has been taken and is not yet parked, answered or refused. */
  private RequestSlot inHand;

  RequestExecutor(
      EngineCore core,
      MemoryBound memory,
      SlotSink sink,
      ReplyGate gate,
      Completer completer,
      Lanes lanes,
      Housekeeper housekeeper,
      DeliveryAcks arrived) {
    this.core = core;
    this.memory = memory;
    this.machine = core.machine();
    this.sink = sink;
    this.gate = gate;
    this.completer = completer;
    this.lanes = lanes;
    this.pages = new PageScheduler(machine, this::advance, gate, System::nanoTime);
    this.awaited =
        new SequenceWaiters(machine, this::advance, sink, gate, completer, System::nanoTime);
    this.housekeeper = housekeeper;
    this.arrived = arrived;
  }

  /**
   * Does what a slot asks for. Only one with a lane comes twice, the second time because its caller
   * has given up.
   */
  void take(RequestSlot slot) {
    if (slot.isTaken) {
      giveUp(slot);
      return;
    }
    slot.isTaken = true;
    if (slot.isAbandoned()) {
      completer.complete(slot, RequestOutcome.NOT_STARTED, null);
      return;
    }
    inHand = slot;
    try {
      long nowMs = core.advance(sink);
      sink.of(slot);
      execute(slot, nowMs);
      inHand = null;
      sink.release(gate);
    } catch (MalformedMessageException
        | EntroQException.ResourceExhausted
        | EntroQException.PermissionDenied e) {
      inHand = null;
      sink.release(gate);
      completer.complete(slot, RequestOutcome.REFUSED, e);
    }
  }

  /** Does for the directory what is due. */
  void keepHouse() {
    if (housekeeper.poll(sink)) {
      sink.release(gate);
      gate.onBatch();
    }
  }

  /** Whether {@link #keepHouse} has something to do though no request has come. */
  boolean hasHouseToKeep() {
    return housekeeper.hasNews();
  }

  boolean isTickDue() {
    long deadlineMs = core.nextDeadlineMs();
    return deadlineMs != Long.MAX_VALUE && deadlineMs <= core.clock().nowMs();
  }

  void tick() {
    core.advance(sink);
    sink.release(gate);
  }

  /**
   * Goes on filling pages of listings, a little.
   *
   * @return false if there are none, or it is not time
   */
  boolean fillPages() {
    int done = commands;
    commands = 0;
    return !pages.isEmpty() && pages.take(done);
  }

  /**
   * Answers those who wait for the log to come as far as it is now, or have waited too long.
   *
   * @return whether there were any
   */
  boolean answerAwaiting() {
    return awaited.answer();
  }

  /**
   * How long until somebody has to come though there is no request: a deadline needs a tick, pages
   * go on, or answers that have left are to be said, for which whoever comes anyway has a moment
   * longer; {@link Long#MAX_VALUE}: nobody has.
   */
  long nanosUntilDue() {
    long deadlineMs = core.nextDeadlineMs();
    long tickNs = deadlineMs == Long.MAX_VALUE ? deadlineMs : core.clock().nanosUntil(deadlineMs);
    long pagesNs = Math.min(pages.nanosUntilTurn(), awaited.nanosUntilDue());
    long arrivedNs = arrived.nanosUntilDue();
    long sayNs = arrivedNs == Long.MAX_VALUE ? arrivedNs : arrivedNs + SAY_GRACE_NS;
    return Math.min(Math.min(tickNs, pagesNs), sayNs);
  }

  /** Cancels every claim that waits; their callers learn that the engine closes. */
  void endWaitingClaims() {
    for (long sequence : sink.parkedSequences()) {
      // The passing of time may answer it, and what it was assigned then is not to be given back.
      long nowMs = core.advance(sink);
      RequestSlot slot = sink.parked(sequence);
      if (slot != null) {
        core.execute(RecordType.CANCEL, ownCommand, 0, encodeCancel(slot.lane), nowMs, sink);
      }
      sink.release(gate);
    }
  }

  /**
   * Says in the log that the replies of all waiting claims have arrived, so that the next opening
   * gives none of their tasks back, and which others have left. Only once they have.
   */
  void acknowledgeLanes() {
    say(arrived.encodeAll(ownCommand));
    while (!arrived.isEmpty()) {
      say(arrived.encode(ownCommand));
    }
  }

  /**
   * Says in the log which answers with claimed tasks have left, where nothing else has said so for
   * a while; a part of them, if there are many.
   *
   * @return whether there were any, or there may be more
   */
  boolean acknowledgeArrived() {
    if (arrived.nanosUntilDue() > 0) {
      return false;
    }
    if (!core.space().hasRoomToSpare(RecordFrame.HEADER_BYTES + arrived.lengthMax())) {
      arrived.putOff();
      return false;
    }
    int length = arrived.encode(ownCommand);
    say(length);
    return length > 0 || arrived.isLooking();
  }

  private void say(int length) {
    if (length > 0) {
      executeOwn(RecordType.ACKNOWLEDGE, length);
    }
  }

  /**
   * Ends everything that has no reply yet.
   *
   * @param cause why the engine has failed; null if it closes
   */
  void endUnanswered(Throwable cause) {
    Set<RequestSlot> slots = sink.takeUnanswered();
    if (inHand != null) {
      slots.add(inHand);
      inHand = null;
    }
    for (RequestSlot slot : slots) {
      completer.complete(slot, RequestOutcome.UNKNOWN, cause);
    }
    List<RequestSlot> reads = new ArrayList<>();
    pages.moveTo(reads);
    awaited.moveTo(reads);
    for (RequestSlot slot : reads) {
      completer.complete(
          slot, cause == null ? RequestOutcome.NOT_STARTED : RequestOutcome.UNKNOWN, cause);
    }
  }

  private long advance() {
    long nowMs = core.advance(sink);
    sink.release(gate);
    return nowMs;
  }

  private void execute(RequestSlot slot, long nowMs) {
    switch (slot.kind) {
      case CLAIM, MODIFY, CANCEL, CLAIM_DOCS, RAISE_LEVEL -> {
        commands++;
        int type = slot.kind.recordType();
        memory.require(type, slot.command(), slot.commandOffset, slot.commandLength);
        long sequence =
            core.execute(
                type,
                slot.command(),
                slot.commandOffset,
                slot.commandLength,
                slot.isAskedOnce(),
                slot.answerBytesMax,
                nowMs,
                sink);
        if (sequence > 0) {
          noteLane(slot.lane);
        }
        if (slot.lane != null && slot.resultCode == ResultCodes.OUTCOME_UNKNOWN) {
          arrived.remove(slot.lane);
        }
      }
      case LIST -> pages.add(slot);
      case TIME -> sink.time(machine, nowMs);
      case REACH -> awaited.add(slot, nowMs);
    }
  }

  /** How many of the engine's lanes are in use or may be; the engine's thread, or none. */
  int lanesKnown() {
    return arrived.lanes();
  }

  private void noteLane(Lane lane) {
    if (lane != null) {
      if (lane.loggedNumber() == 0 && !lane.isCallers()) {
        arrived.add(lane);
      }
      lane.logged(lane.number());
    }
  }

  private void giveUp(RequestSlot slot) {
    Lane lane = slot.lane;
    if (lane.isCallers() && !slot.isRefused) {
      leave(slot);
      return;
    }
    if (lane.loggedNumber() < lane.number()) {
      lane.takeBack();
    } else {
      cancel(lane);
    }
    lanes.giveBack(lane);
  }

  /**
   * Ends a claim under its caller's own identity, if it still waits and he does not wait for it in
   * another place. What it has been assigned is his: he may ask again, or have done so.
   */
  private void leave(RequestSlot slot) {
    // Before anything else: the passing of time may answer it.
    long nowMs = core.advance(sink);
    if (sink.isParked(slot)) {
      if (sink.leaveToOthers(slot)) {
        sink.of(slot);
        sink.time(ResultCodes.CANCELLED, machine, nowMs);
      } else {
        core.execute(RecordType.CANCEL, ownCommand, 0, encodeCancel(slot.lane), nowMs, sink);
      }
    }
    sink.release(gate);
  }

  /** Ends the newest claim of a lane, or gives back what it was assigned. */
  private void cancel(Lane lane) {
    executeOwn(RecordType.CANCEL, encodeCancel(lane));
  }

  private int encodeCancel(Lane lane) {
    return cancel
        .wrap(ownCommand, 0)
        .identity(lane.clientHigh(), lane.clientLow(), lane.loggedNumber(), 0)
        .length();
  }

  private void executeOwn(int type, int length) {
    core.execute(type, ownCommand, 0, length, core.advance(sink), sink);
    sink.release(gate);
  }
}

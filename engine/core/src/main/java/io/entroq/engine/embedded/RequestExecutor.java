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
import io.entroq.engine.request.ReadExecutor;
import io.entroq.engine.request.ReplyGate;
import io.entroq.engine.request.RequestHandler;
import io.entroq.engine.request.RequestOutcome;
import io.entroq.engine.request.RequestSlot;
import io.entroq.engine.request.SlotSink;
import io.entroq.engine.runtime.EngineCore;
import io.entroq.engine.runtime.Housekeeper;
import io.entroq.engine.runtime.MemoryBound;
import io.entroq.engine.state.StateMachine;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;

/** Executes requests, and between them what is due. On the thread that owns the engine. */
final class RequestExecutor implements RequestHandler, DeliveryAcks.Target {
  /** How long borrowed threads may take to acknowledge before the engine's thread is woken. */
  private static final long ACK_GRACE_NS = TimeUnit.MILLISECONDS.toNanos(100);

  private final EngineCore core;
  private final MemoryBound memory;
  private final StateMachine machine;
  private final SlotSink sink;
  private final ReplyGate gate;
  private final Completer completer;
  private final ReadExecutor reads;
  private final Housekeeper housekeeper;
  private final DeliveryAcks arrived;
  private final CancelEncoder cancel = new CancelEncoder();
  private final ExpandableArrayBuffer ownCommand = new ExpandableArrayBuffer();

  /** Commands executed since reads were last polled. */
  private int commands;

  /** The request that was taken, but is not yet parked, answered or refused. */
  private RequestSlot inProgress;

  RequestExecutor(
      EngineCore core,
      MemoryBound memory,
      SlotSink sink,
      ReplyGate gate,
      Completer completer,
      Housekeeper housekeeper,
      DeliveryAcks arrived) {
    this.core = core;
    this.memory = memory;
    this.machine = core.machine();
    this.sink = sink;
    this.gate = gate;
    this.completer = completer;
    this.reads = new ReadExecutor(machine, this::advance, sink, gate, completer, System::nanoTime);
    this.housekeeper = housekeeper;
    this.arrived = arrived;
  }

  @Override
  public void execute(RequestSlot slot) {
    if (inProgress != null) {
      throw new IllegalStateException("a request begins before the previous one has ended");
    }
    inProgress = slot;
    try {
      long nowMs = core.advance(sink);
      sink.of(slot);
      execute(slot, nowMs);
      inProgress = null;
      sink.release(gate);
    } catch (MalformedMessageException
        | EntroQException.ResourceExhausted
        | EntroQException.PermissionDenied e) {
      inProgress = null;
      sink.release(gate);
      completer.complete(slot, RequestOutcome.REFUSED, e);
    }
  }

  /** Polls the housekeeper, which maintains the directory, and tells effects to who wants them. */
  void doHousekeeping() {
    core.serveFeed();
    if (housekeeper.poll(sink)) {
      sink.release(gate);
      gate.onBatch();
    }
  }

  /** Whether {@link #doHousekeeping} has something to do even without a request. */
  boolean isHousekeepingDue() {
    return housekeeper.hasNews() || core.isFeedDue();
  }

  boolean isTickDue() {
    long deadlineMs = core.nextDeadlineMs();
    return deadlineMs != Long.MAX_VALUE && deadlineMs <= core.clock().nowMs();
  }

  void tick() {
    core.advance(sink);
    sink.release(gate);
  }

  /** Continues reads that could not be answered at once; returns how much was done. */
  int pollReads() {
    int done = commands;
    commands = 0;
    return reads.poll(done);
  }

  /**
   * Nanoseconds until the engine must run even without a request: for a tick, for reads, or to
   * acknowledge deliveries, for which running threads get a grace period. {@link Long#MAX_VALUE}:
   * never.
   */
  long nanosUntilDue() {
    long deadlineMs = core.nextDeadlineMs();
    long tickNs = deadlineMs == Long.MAX_VALUE ? deadlineMs : core.clock().nanosUntil(deadlineMs);
    long arrivedNs = arrived.nanosUntilDue();
    long ackNs = arrivedNs == Long.MAX_VALUE ? arrivedNs : arrivedNs + ACK_GRACE_NS;
    return Math.min(Math.min(tickNs, reads.nanosUntilDue()), ackNs);
  }

  /** Cancels every waiting claim, because the engine closes. */
  void endWaitingClaims() {
    for (long sequence : sink.parkedSequences()) {
      // First, because a step that is due may answer the claim, which then keeps its tasks.
      long nowMs = core.advance(sink);
      RequestSlot slot = sink.parked(sequence);
      if (slot != null) {
        core.execute(RecordType.CANCEL, ownCommand, 0, encodeCancel(slot.lane), nowMs, sink);
      }
      sink.release(gate);
    }
  }

  /**
   * Acknowledges all delivered replies, including those of waiting claims, so that recovery does
   * not return their tasks. Only after they were sent.
   */
  void acknowledgeLanes() {
    arrived.closeAndAcknowledge(this);
  }

  /**
   * Acknowledges delivered replies that nothing else has acknowledged for a while, a part at a time
   * if there are many.
   *
   * @return whether there were any, or may be more
   */
  boolean acknowledgeArrived() {
    return arrived.poll(this);
  }

  @Override
  public boolean hasRoom(int bytesMax) {
    boolean hasRoom = core.space().hasRoomToSpare(RecordFrame.HEADER_BYTES + bytesMax);
    if (!hasRoom) {
      arrived.putOff();
    }
    return hasRoom;
  }

  @Override
  public void acknowledge(DirectBuffer buffer, int length) {
    executeOwn(RecordType.ACKNOWLEDGE, buffer, length);
  }

  /**
   * Completes all remaining requests without a reply.
   *
   * @param cause why the engine has failed; null if it closes
   */
  void endUnanswered(Throwable cause) {
    Set<RequestSlot> slots = sink.takeUnanswered();
    if (inProgress != null) {
      slots.add(inProgress);
      inProgress = null;
    }
    for (RequestSlot slot : slots) {
      completer.complete(slot, RequestOutcome.UNKNOWN, cause);
    }
    List<RequestSlot> unread = new ArrayList<>();
    reads.moveTo(unread);
    for (RequestSlot slot : unread) {
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
        if (slot.lane != null) {
          if (sequence > 0) {
            noteLane(slot.lane);
          }
          if (slot.resultCode == ResultCodes.OUTCOME_UNKNOWN) {
            arrived.remove(slot.lane);
          }
        }
      }
      default -> reads.execute(slot, nowMs);
    }
  }

  /**
   * How many of the engine's lanes are or may be in use. On the engine's thread, or after it ended.
   */
  int lanesKnown() {
    return arrived.lanes();
  }

  private void noteLane(Lane lane) {
    if (lane.loggedNumber() == 0 && !lane.isCallers()) {
      arrived.add(lane);
    }
    lane.logged(lane.number());
  }

  /**
   * Cancels a claim that has its caller's own identity, if it still waits and the caller does not
   * wait for it elsewhere. Tasks already assigned stay assigned: the caller may retry.
   */
  @Override
  public void leave(RequestSlot slot) {
    // First, because a step that is due may answer the claim.
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

  @Override
  public void cancel(Lane lane) {
    executeOwn(RecordType.CANCEL, ownCommand, encodeCancel(lane));
  }

  private int encodeCancel(Lane lane) {
    return cancel
        .wrap(ownCommand, 0)
        .identity(lane.clientHigh(), lane.clientLow(), lane.loggedNumber(), 0)
        .length();
  }

  private void executeOwn(int type, DirectBuffer command, int length) {
    core.execute(type, command, 0, length, core.advance(sink), sink);
    sink.release(gate);
  }
}

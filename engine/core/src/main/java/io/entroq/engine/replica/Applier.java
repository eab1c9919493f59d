package io.entroq.engine.replica;

import io.entroq.api.EntroQException;
import io.entroq.codec.command.CallersGoneEncoder;
import io.entroq.codec.command.GenesisDecoder;
import io.entroq.codec.command.RaiseLevelDecoder;
import io.entroq.codec.message.MalformedMessageException;
import io.entroq.codec.record.Crc32c;
import io.entroq.codec.record.RecordType;
import io.entroq.codec.result.ResultCodes;
import io.entroq.engine.fault.FaultHook;
import io.entroq.engine.gateway.EngineStats;
import io.entroq.engine.log.CommandLog;
import io.entroq.engine.log.ForceStats;
import io.entroq.engine.log.LogConfig;
import io.entroq.engine.log.VolatileLog;
import io.entroq.engine.request.Completer;
import io.entroq.engine.request.DeliveryAcks;
import io.entroq.engine.request.Lane;
import io.entroq.engine.request.Lanes;
import io.entroq.engine.request.OpenGate;
import io.entroq.engine.request.ReplyGate;
import io.entroq.engine.request.RequestLimits;
import io.entroq.engine.request.RequestOutcome;
import io.entroq.engine.request.RequestSlot;
import io.entroq.engine.request.SlotQueue;
import io.entroq.engine.request.SlotSink;
import io.entroq.engine.runtime.EngineCore;
import io.entroq.engine.runtime.EngineLifecycle;
import io.entroq.engine.runtime.Housekeeper;
import io.entroq.engine.runtime.MemoryBound;
import io.entroq.engine.space.SpaceGuard;
import io.entroq.engine.state.StateMachine;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;

/**
 * Applies commands in the order in which they have come out, the same on every copy of the state,
 * and answers those callers of this engine who wait for one of them. Reads are answered in between,
 * from the state as it is here.
 *
 * <p>One thread, the applying one. An exception other than those that the methods name is the end
 * of this engine: nothing may be applied any more.
 */
public final class Applier {
  private final ProposalExchange crossing;
  private final ProposalAdmission admission;
  private final SlotQueue requests;
  private final Completer completer;
  private final ReplyGate gate;
  private final Lanes lanes;
  private final EngineLifecycle state;
  private final ReplicaClock clock;
  private final long memoryBytesMax;
  private final LongSupplier nanoTime;
  private final SlotSink sink;
  private final PendingProposals underWay;
  private final AbandonedClaims left;
  private final ReplicaReads reads;
  private final GenesisDecoder genesis = new GenesisDecoder();
  private final RaiseLevelDecoder raiseLevel = new RaiseLevelDecoder();
  private final ExpandableArrayBuffer ownCommand = new ExpandableArrayBuffer();

  private MemoryBound memory;
  private ClientHosts holders;

  /** Of callers' own requests; of the engine's lanes the proposing thread knows. */
  private DeliveryAcks arrived;

  private final DeliveryAcks.Target acknowledgeTarget = new AcknowledgeTarget();

  /** The state is one that the other copies have to have too, which nobody has said yet. */
  private boolean isSeedOpen;

  private volatile EngineCore core;

  /** Where the proposal is that is being applied. */
  private int proposalOffset;

  private int proposalLength;

  /** A command itself is being applied, and not what time has brought about before it. */
  private boolean isInCommand;

  /** Whose proposal is being applied, so that he has no answer yet; null: nobody's. */
  private RequestSlot inHand;

  /** How many have been applied since the last look at the reads. */
  private int commands;

  Applier(
      ProposalExchange crossing,
      ProposalAdmission admission,
      SlotQueue requests,
      RequestLimits limits,
      Completer completer,
      Lanes lanes,
      EngineLifecycle state,
      ReplicaClock clock,
      long incarnation,
      long memoryBytesMax,
      LongSupplier nanoTime) {
    this.crossing = crossing;
    this.admission = admission;
    this.requests = requests;
    this.completer = completer;
    this.gate = new OpenGate(completer);
    this.lanes = lanes;
    this.state = state;
    this.clock = clock;
    this.memoryBytesMax = memoryBytesMax;
    this.nanoTime = nanoTime;
    this.sink = new SlotSink(limits, this::answeredWithTasks);
    this.underWay = new PendingProposals(crossing, incarnation);
    this.left =
        new AbandonedClaims(underWay, sink, crossing, requests.bell(), this::answerCancelled);
    this.reads =
        new ReplicaReads(crossing, left, completer, sink, gate, clock::estimateMs, nanoTime);
  }

  /**
   * Begins with a state, and keeps no log; once, before anything else.
   *
   * @param machine from here on this one's, which closes it
   */
  public void begin(StateMachine machine) {
    begin(machine, new ClientHosts());
  }

  /**
   * Begins with a state; once, before anything else.
   *
   * @param machine from here on this one's, which closes it
   * @param log takes each record just before it is applied; has come as far as the state
   */
  public void begin(StateMachine machine, CommandLog log) {
    begin(machine, new ClientHosts(), log);
  }

  /**
   * Begins with a state that no command of this log has led to; once, before anything else. Until
   * {@link #agreeOnSeed} nothing is applied to it, and nothing of it is shown.
   *
   * @param machine from here on this one's, which closes it
   * @param log takes each record just before it is applied; has come as far as the state
   */
  public void beginWithSeed(StateMachine machine, CommandLog log) {
    isSeedOpen = true;
    begin(machine, new ClientHosts(), log);
  }

  /**
   * All copies have begun with the same seed. Whoever waited for an answer where that was taken is
   * gone, and what he was told nothing of is given back.
   *
   * @param timeMs when that was put in order
   */
  public void agreeOnSeed(long timeMs) {
    isSeedOpen = false;
    clock.tell(timeMs);
    int length = new CallersGoneEncoder().wrap(ownCommand, 0).all(true).length();
    long nowMs = Math.max(clock.nowMs(), core.machine().logTimeMs());
    core.apply(RecordType.CALLERS_GONE, ownCommand, 0, length, nowMs, sink);
    crossing.begin();
    catchUp();
  }

  /** Whether there is a state that commands are applied to. */
  public boolean hasBegun() {
    return !isSeedOpen && core.machine().sequence() > 0;
  }

  /**
   * Begins with what a snapshot has kept, and keeps no log; once, before anything else.
   *
   * @param machine from here on this one's, which closes it
   * @param held who holds the callers, as of that state
   */
  public void begin(StateMachine machine, ClientHosts held) {
    begin(
        machine,
        held,
        new VolatileLog(LogConfig.defaults().withForcedOften(false), machine.sequence()));
  }

  /**
   * Begins with what a snapshot has kept; once, before anything else.
   *
   * @param machine from here on this one's, which closes it
   * @param held who holds the callers, as of that state
   * @param log takes each record just before it is applied; has come as far as the state
   */
  public void begin(StateMachine machine, ClientHosts held, CommandLog log) {
    holders = held;
    arrived =
        new DeliveryAcks(
            lane -> machine.wouldGiveBack(lane.clientHigh(), lane.clientLow(), lane.number()),
            nanoTime);
    memory = MemoryBound.ofReplica(machine, memoryBytesMax);
    admission.bound(memory);
    clock.start(machine.logTimeMs());
    core = new EngineCore(machine, log, clock, SpaceGuard.ofNothing(), FaultHook.NONE);
    reads.begin(machine);
    if (hasBegun()) {
      crossing.begin();
    }
  }

  /** The state, between two calls of the other methods. */
  public StateMachine machine() {
    return core.machine();
  }

  /** Who holds the callers, between two calls of the other methods; belongs in a snapshot. */
  public ClientHosts holders() {
    return holders;
  }

  /** In numbers, for metrics; any thread. Empty until there is a state. */
  Optional<EngineStats> stats() {
    EngineCore begun = core;
    return begun == null
        ? Optional.empty()
        : Optional.of(
            begun.figures(
                memory, admission.space(), new Housekeeper(begun, null), ForceStats.NONE));
  }

  /** See {@link StateMachine#nextDeadlineMs}. */
  public long nextDeadlineMs() {
    return core.nextDeadlineMs();
  }

  /**
   * Applies the proposals of a message that has come out. What is none is passed over, here as
   * everywhere, with all that follows it.
   *
   * @param timeMs when it was put in order, by the clock of whoever did; may go back
   * @throws UnsupportedCommandException if it needs a newer build
   */
  public void apply(DirectBuffer buffer, int offset, int length, long timeMs) {
    clock.tell(timeMs);
    int end = offset + length;
    proposalOffset = offset;
    while (ProposalFrame.isProposal(buffer, proposalOffset, end - proposalOffset)) {
      proposalLength = lengthOf(buffer, proposalOffset);
      applyProposal(buffer, proposalOffset, proposalLength);
      proposalOffset += proposalLength;
    }
  }

  /**
   * As {@link #apply}, but passes over the one proposal that an operator has given up. In its place
   * stands a tick: only time has passed.
   *
   * @param crc CRC32C of the proposal
   * @return false if it is not there; then nothing was done
   */
  public boolean applyWithout(int crc, DirectBuffer buffer, int offset, int length, long timeMs) {
    int end = offset + length;
    int at = offset;
    while (ProposalFrame.isProposal(buffer, at, end - at)
        && crcOf(buffer, at, lengthOf(buffer, at)) != crc) {
      at += lengthOf(buffer, at);
    }
    if (!ProposalFrame.isProposal(buffer, at, end - at)) {
      return false;
    }
    apply(buffer, offset, at - offset, timeMs);
    proposalLength = lengthOf(buffer, at);
    skip(timeMs);
    int next = at + proposalLength;
    apply(buffer, next, end - next, timeMs);
    return true;
  }

  /**
   * After a failure: whether it was a command that could not be applied, so that to pass it over
   * would help.
   */
  public boolean isInCommand() {
    return isInCommand;
  }

  /** The CRC32C of the proposal that could not be applied. */
  public int failedCrc(DirectBuffer buffer) {
    return crcOf(buffer, proposalOffset, proposalLength);
  }

  private static int lengthOf(DirectBuffer buffer, int offset) {
    return ProposalFrame.HEADER_BYTES + ProposalFrame.commandBytes(buffer, offset);
  }

  private static int crcOf(DirectBuffer buffer, int offset, int length) {
    return new Crc32c().of(buffer, offset, length);
  }

  private void applyProposal(DirectBuffer buffer, int offset, int length) {
    requireKnown(buffer, offset);
    int type = ProposalFrame.type(buffer, offset);
    if (!hasBegun() && type != RecordType.GENESIS) {
      // Whoever proposes this proposes Genesis too, and then this once more.
      return;
    }
    Proposal proposal = underWay.take(buffer, offset);
    int payload = offset + ProposalFrame.HEADER_BYTES;
    int payloadLength = length - ProposalFrame.HEADER_BYTES;
    RequestSlot slot = proposal == null ? null : proposal.slot();
    inHand = slot;
    isInCommand = true;
    try {
      int answerBytesMax = ProposalFrame.answerBytesMax(buffer, offset);
      apply(type, buffer, payload, payloadLength, answerBytesMax, slot);
      noteHolder(type, ProposalFrame.incarnation(buffer, offset));
      if (proposal != null) {
        answered(proposal);
      }
    } catch (MalformedMessageException | EntroQException.ResourceExhausted e) {
      if (core.hasFailed()) {
        // It was begun: half a command is no refusal.
        throw e;
      }
      // Nothing has happened, here as everywhere.
      sink.release(gate);
      if (slot != null) {
        giveBackLane(proposal);
        completer.complete(slot, RequestOutcome.REFUSED, e);
      }
    }
    isInCommand = false;
    inHand = null;
    if (proposal != null) {
      proposal.settle();
    }
    catchUp();
  }

  private void noteHolder(int type, long holder) {
    StateMachine machine = core.machine();
    if (!isOfCaller(type) || !machine.isIdentityPrepared()) {
      return;
    }
    long high = machine.preparedClientHigh();
    if (high != holder) {
      holders.note(high, machine.preparedClientLow(), holder, machine);
    }
  }

  private static boolean isOfCaller(int type) {
    return type == RecordType.CLAIM || type == RecordType.MODIFY || type == RecordType.CLAIM_DOCS;
  }

  private static void requireKnown(DirectBuffer buffer, int offset) {
    int version = ProposalFrame.version(buffer, offset);
    int type = ProposalFrame.type(buffer, offset);
    if (version != ProposalFrame.VERSION || !RecordType.isKnown(type)) {
      throw new UnsupportedCommandException(type, version);
    }
  }

  private void apply(
      int type, DirectBuffer buffer, int offset, int length, int answerBytesMax, RequestSlot slot) {
    switch (type) {
      case RecordType.GENESIS -> begin(buffer, offset, length);
      case RecordType.RAISE_LEVEL -> raise(buffer, offset, length, slot);
      case RecordType.CLAIM,
          RecordType.MODIFY,
          RecordType.CANCEL,
          RecordType.ACKNOWLEDGE,
          RecordType.CLAIM_DOCS -> {
        commands++;
        memory.look(length);
        long nowMs = advance();
        sink.of(slot);
        core.execute(type, buffer, offset, length, false, answerBytesMax, nowMs, sink);
      }
      default ->
          throw new IllegalStateException(
              RecordType.name(type) + " is never proposed, but made where commands are applied");
    }
  }

  /** What time brings about before a command is none of its doing. */
  private long advance() {
    isInCommand = false;
    long nowMs = core.advance(sink);
    isInCommand = true;
    return nowMs;
  }

  private void skip(long timeMs) {
    clock.tell(timeMs);
    if (hasBegun()) {
      long nowMs = core.advance(sink);
      core.apply(RecordType.TICK, ownCommand, 0, 0, nowMs, sink);
    }
    catchUp();
  }

  private void begin(DirectBuffer buffer, int offset, int length) {
    genesis.wrap(buffer, offset, length);
    if (isSeedOpen) {
      throw new SeedMismatchException(
          "this member has a seed, of a backup, and others have begun without one");
    }
    if (core.machine().sequence() == 0) {
      core.apply(RecordType.GENESIS, buffer, offset, length, clock.nowMs(), sink);
      crossing.begin();
    }
  }

  /**
   * Applied whatever the level: a build that cannot follow must not go on as if it were refused.
   */
  private void raise(DirectBuffer buffer, int offset, int length, RequestSlot slot) {
    raiseLevel.wrap(buffer, offset, length);
    long nowMs = advance();
    sink.of(slot);
    core.apply(RecordType.RAISE_LEVEL, buffer, offset, length, nowMs, sink);
  }

  private void answered(Proposal proposal) {
    RequestSlot slot = proposal.slot();
    if (isLaneForgotten(proposal) && sink.takeBack(slot)) {
      // Nothing was done: once more, under another one.
      lanes.drop(proposal.lane());
      askAnew(slot);
    } else {
      giveBackLane(proposal);
    }
    left.cameOut(slot);
  }

  private static boolean isLaneForgotten(Proposal proposal) {
    return proposal.lane() != null && proposal.slot().resultCode == ResultCodes.OUTCOME_UNKNOWN;
  }

  private void giveBackLane(Proposal proposal) {
    if (proposal.lane() != null) {
      lanes.giveBack(proposal.lane());
    }
  }

  /** Lets everything happen that is due by the log time, and the answers go. */
  private void catchUp() {
    if (hasBegun()) {
      core.advance(sink);
    }
    sink.release(gate);
  }

  /**
   * Lets everything happen that is due.
   *
   * @param timeMs when that was put in order
   */
  public void tick(long timeMs) {
    clock.tell(timeMs);
    catchUp();
  }

  /**
   * Ends the claims of callers of an engine that is known to be gone, and gives back what they were
   * told nothing of. Those that wait here all the same, as they have come here since or it is this
   * engine that was taken to be gone, are made anew.
   *
   * @param goneIncarnation of the engine
   * @param timeMs when that was put in order
   */
  public void callersGone(long goneIncarnation, long timeMs) {
    tick(timeMs);
    if (!hasBegun()) {
      return;
    }
    CallersGoneEncoder encoder = new CallersGoneEncoder().wrap(ownCommand, 0);
    core.machine()
        .forEachClaiming(
            (high, low) -> {
              if (high == goneIncarnation || holders.of(high, low) == goneIncarnation) {
                encoder.client(high, low, 0, 0);
              }
            });
    if (encoder.length() == 0) {
      return;
    }
    sink.forget(true);
    long nowMs = core.advance(sink);
    core.execute(RecordType.CALLERS_GONE, ownCommand, 0, encoder.length(), nowMs, sink);
    sink.forget(false);
    for (RequestSlot slot = sink.takeForgotten(); slot != null; slot = sink.takeForgotten()) {
      askAnew(slot);
    }
    catchUp();
  }

  /** It is proposed as if it had just been asked: nothing came of it. */
  private void askAnew(RequestSlot slot) {
    slot.isTaken = false;
    slot.isParked = false;
    slot.parkedSequence = 0;
    slot.resultLength = 0;
    requests.add(slot);
  }

  /**
   * Answers reads, a few at a time.
   *
   * @param isCurrent whether the state here may be shown: it is not known to lag behind
   * @return how much was done; 0: nothing
   */
  public int doWork(boolean isCurrent) {
    int done = admission.decide() + reads.answer(hasBegun(), isCurrent, commands);
    commands = 0;
    return say() ? done + 1 : done;
  }

  /** A claim has its answer, which leaves from now on. */
  private void answeredWithTasks(Lane lane) {
    if (lane.isCallers()) {
      arrived.answered(lane);
    }
  }

  /**
   * Has the log say which answers to callers' own claims have left, where nothing else has said so
   * for a while, or nothing else will.
   */
  private boolean say() {
    boolean isClosing = state.isClosing();
    if (isClosing) {
      arrived.close();
    }
    boolean isDone = arrived.poll(acknowledgeTarget);
    if (!isDone && isClosing && arrived.isEmpty()) {
      crossing.allSaid();
    }
    return isDone;
  }

  private final class AcknowledgeTarget implements DeliveryAcks.Target {
    @Override
    public boolean hasRoom(int bytesMax) {
      return crossing.maySay();
    }

    @Override
    public void acknowledge(DirectBuffer buffer, int length) {
      byte[] bytes = new byte[length];
      buffer.getBytes(0, bytes);
      crossing.say(bytes);
      requests.bell().ring();
    }
  }

  private void answerCancelled(RequestSlot slot) {
    sink.of(slot);
    sink.time(ResultCodes.CANCELLED, core.machine(), clock.estimateMs());
    sink.release(gate);
  }

  /**
   * Ends everything that has no answer yet, and lets go of the state. The applying thread, or
   * another once that has ended; any number of times.
   */
  public void end() {
    Throwable cause = state.failure();
    admission.endUndecided(cause);
    Set<RequestSlot> asked = sink.takeUnanswered();
    underWay.moveTo(asked);
    if (inHand != null) {
      asked.add(inHand);
      inHand = null;
    }
    for (RequestSlot slot : asked) {
      // A claim that waits has not been assigned anything, and will not be while its caller is
      // gone.
      boolean isOver = cause == null && slot.waits;
      completer.complete(slot, isOver ? RequestOutcome.NOT_STARTED : RequestOutcome.UNKNOWN, cause);
    }
    List<RequestSlot> unread = reads.end();
    if (core != null) {
      core.close();
    }
    for (RequestSlot slot : unread) {
      completer.complete(
          slot, cause == null ? RequestOutcome.NOT_STARTED : RequestOutcome.UNKNOWN, cause);
    }
  }
}

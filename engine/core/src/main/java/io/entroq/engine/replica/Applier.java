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
import io.entroq.engine.feed.FeedSwitch;
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
import java.util.UUID;
import java.util.function.LongSupplier;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;

/**
 * Applies committed commands in order, identically on every replica, and answers the callers of
 * this engine. Reads are answered in between, from the local state.
 *
 * <p>Only the applying thread calls it. After an exception other than those that the methods name,
 * this engine must not apply anything.
 */
public final class Applier {
  private final ProposalExchange exchange;
  private final ProposalAdmission admission;
  private final SlotQueue requests;
  private final Completer completer;
  private final ReplyGate gate;
  private final Lanes lanes;
  private final EngineLifecycle state;
  private final ReplicaClock clock;
  private final long memoryBytesMax;
  private final LongSupplier nanoTime;
  private final FeedSwitch feedSwitch;
  private final SlotSink sink;
  private final PendingProposals pending;
  private final AbandonedClaims left;
  private final ReplicaReads reads;
  private final GenesisDecoder genesis = new GenesisDecoder();
  private final RaiseLevelDecoder raiseLevel = new RaiseLevelDecoder();
  private final ExpandableArrayBuffer ownCommand = new ExpandableArrayBuffer();

  private MemoryBound memory;
  private ClientHosts holders;

  /** For callers' own requests; the proposing thread handles the engine's lanes. */
  private DeliveryAcks arrived;

  private final DeliveryAcks.Target acknowledgeTarget = new AcknowledgeTarget();

  /**
   * Whether the state comes from a backup that the other replicas must have too, which is not
   * confirmed yet.
   */
  private boolean isSeedOpen;

  private volatile EngineCore core;

  /** Position of the proposal that is being applied. */
  private int proposalOffset;

  private int proposalLength;

  /** Whether a command itself is being applied, and not what was due before it. */
  private boolean isInCommand;

  /** The caller's slot for the proposal that is being applied; null: none here. */
  private RequestSlot inProgress;

  /** Whether the message that is being applied has proposals of this engine. */
  private boolean hasSettled;

  /** Commands applied since the last look at the reads. */
  private int commands;

  Applier(
      ProposalExchange exchange,
      ProposalAdmission admission,
      SlotQueue requests,
      RequestLimits limits,
      Completer completer,
      Lanes lanes,
      EngineLifecycle state,
      ReplicaClock clock,
      long incarnation,
      long memoryBytesMax,
      LongSupplier nanoTime,
      FeedSwitch feedSwitch) {
    this.exchange = exchange;
    this.admission = admission;
    this.requests = requests;
    this.completer = completer;
    this.gate = new OpenGate(completer);
    this.lanes = lanes;
    this.state = state;
    this.clock = clock;
    this.memoryBytesMax = memoryBytesMax;
    this.nanoTime = nanoTime;
    this.feedSwitch = feedSwitch;
    this.sink = new SlotSink(limits, this::answeredWithTasks);
    this.pending = new PendingProposals(exchange, incarnation);
    this.left =
        new AbandonedClaims(pending, sink, exchange, requests.wakeup(), this::answerCancelled);
    this.reads =
        new ReplicaReads(exchange, left, completer, sink, gate, clock::estimateMs, nanoTime);
  }

  /**
   * Starts with a state, without a log. Once, before anything else.
   *
   * @param machine owned and closed by this from here on
   */
  public void begin(StateMachine machine) {
    begin(machine, new ClientHosts());
  }

  /**
   * Starts with a state. Once, before anything else.
   *
   * @param machine owned and closed by this from here on
   * @param log takes each record just before it is applied; ends where the state does
   */
  public void begin(StateMachine machine, CommandLog log) {
    begin(machine, new ClientHosts(), log);
  }

  /**
   * Starts with a state that no command of this log has led to. Once, before anything else. Until
   * {@link #agreeOnSeed}, nothing is applied to it or shown of it.
   *
   * @param machine owned and closed by this from here on
   * @param log takes each record just before it is applied; ends where the state does
   */
  public void beginWithSeed(StateMachine machine, CommandLog log) {
    isSeedOpen = true;
    begin(machine, new ClientHosts(), log);
  }

  /**
   * All replicas have started with the same seed. Callers that waited where it was taken are gone,
   * so tasks that were not delivered to them are returned.
   *
   * @param timeMs ordered time of the agreement
   */
  public void agreeOnSeed(long timeMs) {
    isSeedOpen = false;
    clock.setTime(timeMs);
    int length = new CallersGoneEncoder().wrap(ownCommand, 0).all(true).length();
    long nowMs = Math.max(clock.nowMs(), core.machine().logTimeMs());
    core.apply(RecordType.CALLERS_GONE, ownCommand, 0, length, nowMs, sink);
    exchange.begin();
    catchUp();
  }

  /** Whether there is a state that commands are applied to. */
  public boolean hasBegun() {
    return !isSeedOpen && core.machine().sequence() > 0;
  }

  /**
   * Starts from a snapshot, without a log. Once, before anything else.
   *
   * @param machine owned and closed by this from here on
   * @param held the hosts of the clients, as of that state
   */
  public void begin(StateMachine machine, ClientHosts held) {
    begin(
        machine,
        held,
        new VolatileLog(LogConfig.defaults().withForcedOften(false), machine.sequence()));
  }

  /**
   * Starts from a snapshot. Once, before anything else.
   *
   * @param machine owned and closed by this from here on
   * @param held the hosts of the clients, as of that state
   * @param log takes each record just before it is applied; ends where the state does
   */
  public void begin(StateMachine machine, ClientHosts held, CommandLog log) {
    holders = held;
    arrived = DeliveryAcks.of(machine, nanoTime);
    memory = MemoryBound.ofReplica(machine, memoryBytesMax);
    admission.bound(memory);
    clock.start(machine.logTimeMs());
    core = new EngineCore(machine, log, clock, SpaceGuard.ofNothing(), FaultHook.NONE, feedSwitch);
    reads.begin(machine);
    if (hasBegun()) {
      exchange.begin();
    }
  }

  /** The id of the log; null before its first record. Any thread. */
  public UUID logId() {
    EngineCore begun = core;
    return begun == null ? null : begun.logId();
  }

  /** The behavior level of the log; 0 before its first record. Any thread. */
  public int level() {
    EngineCore begun = core;
    return begun == null ? 0 : begun.level();
  }

  /** The sequence of the last record; that of the state, or one more. Any thread. */
  long lastSequence() {
    EngineCore begun = core;
    return begun == null ? 0 : begun.log().appendedSequence();
  }

  /** See {@link EngineCore#lastUntil}. Any thread. */
  long lastUntil(long timeMs) {
    EngineCore begun = core;
    return begun == null ? Long.MAX_VALUE : begun.lastUntil(timeMs);
  }

  /**
   * This member is known to have applied everything that the orderer has seen until a while ago. So
   * a feed until some time ends though nothing follows.
   *
   * @param agoMs so long ago at least, in milliseconds, by the wall clock of any member
   */
  public void noteCaughtUp(long agoMs) {
    core.notePassed(clock.wallMs() - agoMs);
  }

  /** The state; only between two calls of the other methods. */
  public StateMachine machine() {
    return core.machine();
  }

  /** The hosts of the clients, for a snapshot; only between two calls of the other methods. */
  public ClientHosts holders() {
    return holders;
  }

  /** Statistics, for metrics; any thread. Empty until there is a state. */
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
   * Applies the proposals of a committed message. From the first bytes on that are no proposal, the
   * rest is skipped, on every replica alike.
   *
   * @param timeMs ordered time by the orderer's clock; may go back
   * @throws UnsupportedCommandException if it needs a newer build
   */
  public void apply(DirectBuffer buffer, int offset, int length, long timeMs) {
    clock.setTime(timeMs);
    int end = offset + length;
    proposalOffset = offset;
    while (ProposalFrame.isProposal(buffer, proposalOffset, end - proposalOffset)) {
      proposalLength = lengthOf(buffer, proposalOffset);
      applyProposal(buffer, proposalOffset, proposalLength);
      proposalOffset += proposalLength;
    }
    if (hasSettled) {
      hasSettled = false;
      exchange.committed();
    }
  }

  /**
   * As {@link #apply}, but skips the one proposal that an operator has given up, and applies a tick
   * in its place.
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

  /** After a failure: whether a command could not be applied, so that skipping it would help. */
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
      // Its proposer also proposes Genesis, and then this command again.
      return;
    }
    Proposal proposal = pending.take(buffer, offset);
    int payload = offset + ProposalFrame.HEADER_BYTES;
    int payloadLength = length - ProposalFrame.HEADER_BYTES;
    RequestSlot slot = proposal == null ? null : proposal.slot();
    inProgress = slot;
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
        // Execution had begun, so this is a failure and not a refusal.
        throw e;
      }
      // Nothing was done, on any replica.
      sink.release(gate);
      if (slot != null) {
        giveBackLane(proposal);
        completer.complete(slot, RequestOutcome.REFUSED, e);
      }
    }
    isInCommand = false;
    inProgress = null;
    if (proposal != null) {
      proposal.settle();
      hasSettled = true;
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

  /** What is due before a command is not attributed to the command. */
  private long advance() {
    isInCommand = false;
    long nowMs = core.advance(sink);
    isInCommand = true;
    return nowMs;
  }

  private void skip(long timeMs) {
    clock.setTime(timeMs);
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
      exchange.begin();
    }
  }

  /**
   * Applied at any level: a build that does not support the new one must stop rather than continue
   * as if it had been refused.
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
      // Nothing was done: try again under another lane.
      lanes.drop(proposal.lane());
      submitAgain(slot);
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

  /** Applies everything due by log time, and releases the answers. */
  private void catchUp() {
    if (hasBegun()) {
      core.advance(sink);
    }
    sink.release(gate);
  }

  /**
   * Applies everything due.
   *
   * @param timeMs ordered time
   */
  public void tick(long timeMs) {
    clock.setTime(timeMs);
    catchUp();
  }

  /**
   * Ends the claims of callers of an engine that is known to be gone, and returns tasks that were
   * not delivered to them. Claims of theirs that wait here are made again: their callers have moved
   * here, or this is the engine that was presumed gone.
   *
   * @param goneIncarnation of the engine
   * @param timeMs ordered time
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
      submitAgain(slot);
    }
    catchUp();
  }

  /** Proposes a request again, because it had no effect. */
  private void submitAgain(RequestSlot slot) {
    slot.isTaken = false;
    slot.isParked = false;
    slot.parkedSequence = 0;
    slot.resultLength = 0;
    requests.add(slot);
  }

  /**
   * Answers a few reads, and tells effects to who wants them.
   *
   * @param contact with a leader now
   * @return how much was done; 0: nothing
   */
  public int doWork(Contact contact) {
    if (core != null) {
      feedSwitch.look(core.machine());
    }
    int done = admission.decide() + reads.answer(hasBegun(), contact, commands);
    commands = 0;
    return acknowledge() ? done + 1 : done;
  }

  /** A claim was answered with tasks, and its reply may leave. */
  private void answeredWithTasks(Lane lane) {
    if (lane.isCallers()) {
      arrived.answered(lane);
    }
  }

  /**
   * Proposes acknowledgments of replies to callers' own claims that nothing else has acknowledged
   * for a while.
   */
  private boolean acknowledge() {
    boolean isClosing = state.isClosing();
    if (isClosing) {
      arrived.close();
    }
    boolean isDone = arrived.poll(acknowledgeTarget);
    if (!isDone && isClosing && arrived.isEmpty()) {
      exchange.allAcknowledged();
    }
    return isDone;
  }

  private final class AcknowledgeTarget implements DeliveryAcks.Target {
    @Override
    public boolean hasRoom(int bytesMax) {
      return exchange.hasRoomForAcknowledge();
    }

    @Override
    public void acknowledge(DirectBuffer buffer, int length) {
      byte[] bytes = new byte[length];
      buffer.getBytes(0, bytes);
      exchange.acknowledge(bytes);
      requests.wakeup().signal();
    }
  }

  private void answerCancelled(RequestSlot slot) {
    sink.of(slot);
    sink.time(ResultCodes.CANCELLED, core.machine(), clock.estimateMs());
    sink.release(gate);
  }

  /**
   * Ends everything without an answer, and frees the state. Called on the applying thread, or on
   * another after that has ended; idempotent.
   */
  public void end() {
    Throwable cause = state.failure();
    admission.endUndecided(cause);
    Set<RequestSlot> asked = sink.takeUnanswered();
    pending.moveTo(asked);
    if (inProgress != null) {
      asked.add(inProgress);
      inProgress = null;
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

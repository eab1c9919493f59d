package io.entroq.engine.replica;

import io.entroq.codec.command.CancelEncoder;
import io.entroq.codec.command.GenesisEncoder;
import io.entroq.codec.command.IdentityPrefix;
import io.entroq.codec.record.RecordType;
import io.entroq.engine.request.Completer;
import io.entroq.engine.request.DeliveryAcks;
import io.entroq.engine.request.Lane;
import io.entroq.engine.request.Lanes;
import io.entroq.engine.request.RequestHandler;
import io.entroq.engine.request.RequestIntake;
import io.entroq.engine.request.RequestKind;
import io.entroq.engine.request.RequestOutcome;
import io.entroq.engine.request.RequestSlot;
import io.entroq.engine.request.SlotQueue;
import io.entroq.engine.runtime.EngineLifecycle;
import io.entroq.engine.runtime.GenesisSeed;
import io.entroq.engine.runtime.WakeupSignal;
import io.entroq.engine.state.Levels;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;

/**
 * Takes requests from callers and proposes their commands, each under an identity, so that it is
 * executed once however often it is committed. Commands that are not committed are proposed again,
 * in their first order: after {@link #resend}, or when they take too long.
 *
 * <p>Only the proposing thread uses it.
 */
public final class Proposer {
  private static final int SPARE_MAX = 1_024;

  /**
   * So many messages may be uncommitted before the next one waits for more proposals. So messages
   * grow with the number of commands under way, and a few callers never wait.
   */
  private static final int MESSAGES_MAX = 8;

  /** How long requests are not looked for while proposals are gathered. */
  static final long GATHER_NS = TimeUnit.MICROSECONDS.toNanos(250);

  /** When a message has been uncommitted for this time, there is probably no leader. */
  static final long SLOW_NS = TimeUnit.MILLISECONDS.toNanos(50);

  private final SlotQueue requests;
  private final RequestIntake intake;
  private final ProposalExchange exchange;
  private final ProposalAdmission admission;
  private final Completer completer;
  private final Lanes lanes;
  private final EngineLifecycle state;
  private final long incarnation;
  private final long patienceNs;
  private final RandomGenerator random;
  private final ReplicaClock clock;
  private final LongSupplier nanoTime;

  /** For the engine's lanes; the applying thread handles callers' own requests. */
  private final DeliveryAcks arrived;

  private final DeliveryAcks.Target acknowledgeTarget = new AcknowledgeTarget();

  private final CancelEncoder cancel = new CancelEncoder();
  private final IdentityPrefix prefix = new IdentityPrefix();
  private final ExpandableArrayBuffer ownCommand = new ExpandableArrayBuffer();

  private final ArrayDeque<Proposal> spare = new ArrayDeque<>();

  /** Not sent yet, or to be sent again. */
  private final ProposalQueue unsent = new ProposalQueue();

  /** Sent, and not known to be committed. */
  private final ProposalQueue sent = new ProposalQueue();

  /** Being sent; empty between two calls. */
  private final ProposalBatch batch = new ProposalBatch();

  /** Those of {@link #sent}. */
  private int messagesSent;

  private final ProposalGauge gauge = new ProposalGauge();

  /** When the last {@link #doWork} began. */
  private long nowNs;

  /** As of then. */
  private long commitsSeen;

  private long lastNumber;
  private boolean hasProposedGenesis;

  /**
   * @param patienceNs resend interval of proposals that are not committed, in nanoseconds
   */
  Proposer(
      SlotQueue requests,
      ProposalExchange exchange,
      ProposalAdmission admission,
      Completer completer,
      Lanes lanes,
      EngineLifecycle state,
      ReplicaClock clock,
      long incarnation,
      long patienceNs,
      ReplicaEnvironment seams) {
    this.requests = requests;
    this.intake = new RequestIntake(requests, completer, lanes, new Handler());
    this.exchange = exchange;
    this.admission = admission;
    this.completer = completer;
    this.lanes = lanes;
    this.state = state;
    this.clock = clock;
    this.incarnation = incarnation;
    this.patienceNs = patienceNs;
    this.random = seams.random();
    this.nanoTime = seams.nanoTime();
    arrived = new DeliveryAcks(lane -> false, nanoTime);
  }

  /**
   * Takes requests and offers as many as the sequencer accepts.
   *
   * @return how much was done; 0: nothing
   */
  public int doWork(Sequencer ordering) {
    nowNs = nanoTime.getAsLong();
    commitsSeen = exchange.commits();
    int done = intake.takeBatch() + takeAdmitted() + takeCancels() + takeAcknowledge();
    arrived.poll(acknowledgeTarget);
    sweep();
    done += send(ordering);
    updateGauge();
    return done;
  }

  private void updateGauge() {
    Proposal oldest = sent.isEmpty() ? unsent.peek() : sent.peek();
    gauge.set(unsent.size(), sent.size(), oldest == null ? 0 : oldest.beganNs());
  }

  /** The backlog; any thread. */
  ProposalGauge gauge() {
    return gauge;
  }

  /** The state starts from a seed, so no Genesis is proposed. Before anything else; any thread. */
  public void beginWithSeed() {
    hasProposedGenesis = true;
  }

  /**
   * Proposes the first command of the log if there is none yet; only the first to commit counts.
   */
  public void proposeGenesis() {
    if (hasProposedGenesis || exchange.hasBegun()) {
      return;
    }
    hasProposedGenesis = true;
    GenesisSeed seed = GenesisSeed.random(random);
    Proposal genesis = begin(RecordType.GENESIS, 0, null, null);
    genesis.extend(
        new GenesisEncoder()
            .wrap(genesis.buffer(), genesis.length())
            .logIdHigh(seed.logIdHigh())
            .logIdLow(seed.logIdLow())
            .seed(seed.seed())
            .level(Levels.MAX)
            .createdMs(clock.wallMs())
            .length());
    genesis.seal();
    unsent.addFirst(genesis);
  }

  /** Sends everything again that is not committed, as some of it may have been lost. */
  public void resend() {
    while (!sent.isEmpty()) {
      unsent.addFirst(sent.pollLast());
    }
    messagesSent = 0;
    reconsider();
  }

  /**
   * Reconsiders cancels of claims that callers have left: meanwhile they may have been assigned
   * tasks at another replica, which must not be taken away.
   */
  private void reconsider() {
    unsent.removeIf(
        proposal -> {
          boolean isToLeave = proposal.left() != null && !proposal.isSettled();
          if (isToLeave) {
            exchange.read(proposal.left());
          }
          return isToLeave;
        });
  }

  /**
   * Sleeps until there is work for callers, or for that many nanoseconds. While proposals are
   * gathered, callers do not wake it, but a commit does.
   */
  public void await(long nanos) {
    if (isGathering()) {
      exchange.awaitCommit(commitsSeen, gatherNs(nanos));
      return;
    }
    WakeupSignal wakeup = requests.wakeup();
    wakeup.arm();
    if (requests.isEmpty() && !admission.hasAdmitted() && state.isOpen()) {
      wakeup.sleep(nanos);
    } else {
      wakeup.disarm();
    }
  }

  /** How long to gather without a commit, if it may be that many nanoseconds. */
  long gatherNs(long nanos) {
    boolean isSlow = nowNs - sent.peek().sentNs() > SLOW_NS;
    return isSlow && unsent.isEmpty() ? Math.max(nanos, GATHER_NS) : GATHER_NS;
  }

  /** Whether proposals wait to be sent. */
  public boolean hasUnsent() {
    return !unsent.isEmpty();
  }

  /**
   * Whether the proposals that wait do not fill a message while several are uncommitted: a message
   * costs far more than its content.
   */
  public boolean isGathering() {
    return messagesSent >= MESSAGES_MAX && unsent.bytes() < ProposalBatch.BYTES_MAX;
  }

  /**
   * While closing: whether every request and acknowledgment has been committed. Proposes the
   * acknowledgments that remain.
   */
  public boolean isSettled() {
    sweep();
    return sent.isEmpty()
        && unsent.isEmpty()
        && requests.isEmpty()
        && admission.isEmpty()
        && exchange.isAllAcknowledged()
        && !hasUnsentAcknowledgment();
  }

  /**
   * Otherwise replies that have just arrived would count as undelivered, and their tasks be
   * returned.
   */
  private boolean hasUnsentAcknowledgment() {
    arrived.hurry();
    do {
      arrived.poll(acknowledgeTarget);
    } while (arrived.isLooking());
    return !unsent.isEmpty();
  }

  /** Ends; the last call of the proposing thread. */
  public void end() {
    requests.end();
    for (Proposal proposal : unsent.each()) {
      if (!proposal.isAnnounced() && proposal.slot() != null) {
        completer.complete(proposal.slot(), RequestOutcome.NOT_STARTED, state.failure());
      }
    }
    unsent.clear();
    sent.clear();
    updateGauge();
    for (RequestSlot slot = admission.takeAdmitted();
        slot != null;
        slot = admission.takeAdmitted()) {
      completer.complete(slot, RequestOutcome.NOT_STARTED, state.failure());
    }
  }

  private int takeAdmitted() {
    int done = 0;
    for (RequestSlot slot = admission.takeAdmitted();
        slot != null;
        slot = admission.takeAdmitted()) {
      propose(slot);
      done++;
    }
    return done;
  }

  private void propose(RequestSlot slot) {
    Lane lent = needsIdentity(slot) ? lanes.take() : null;
    Proposal proposal = begin(slot.kind.recordType(), slot.answerBytesMax, slot, lent);
    if (slot.kind == RequestKind.MODIFY) {
      proposal.letIn(slot.commandLength, slot.itemsPromised);
    }
    if (lent != null) {
      long number = lent.number();
      proposal.extend(
          prefix.write(
              proposal.buffer(),
              proposal.length(),
              lent.clientHigh(),
              lent.clientLow(),
              number,
              number));
    }
    proposal.append(slot.command(), slot.commandOffset, slot.commandLength);
    proposal.seal();
    unsent.add(proposal);
  }

  private static boolean needsIdentity(RequestSlot slot) {
    boolean mayHave =
        switch (slot.kind) {
          case CLAIM, MODIFY, CLAIM_DOCS -> true;
          default -> false;
        };
    return mayHave
        && slot.lane == null
        && !IdentityPrefix.isThere(slot.command(), slot.commandOffset, slot.commandLength);
  }

  private Proposal begin(int type, int answerBytesMax, RequestSlot slot, Lane lent) {
    Proposal proposal = spare.isEmpty() ? new Proposal() : spare.poll();
    long number = ++lastNumber;
    proposal.begin(number, nowNs, slot, lent);
    ProposalFrame.write(proposal.buffer(), type, answerBytesMax, incarnation, number);
    return proposal;
  }

  /** Handles the requests that the intake takes. */
  private final class Handler implements RequestHandler {
    @Override
    public void execute(RequestSlot slot) {
      if (!slot.kind.isWrite()) {
        exchange.read(slot);
      } else if (admission.admits(slot)) {
        propose(slot);
      }
    }

    @Override
    public void leave(RequestSlot slot) {
      exchange.read(slot);
    }

    @Override
    public void cancel(Lane lane) {
      Proposal unused = proposeCancel(lane);
    }
  }

  private int takeCancels() {
    int done = 0;
    for (RequestSlot slot = exchange.takeCancel(); slot != null; slot = exchange.takeCancel()) {
      proposeCancel(slot.lane).leaves(slot);
      done++;
    }
    return done;
  }

  private Proposal proposeCancel(Lane lane) {
    int length =
        cancel
            .wrap(ownCommand, 0)
            .identity(lane.clientHigh(), lane.clientLow(), lane.loggedNumber(), 0)
            .length();
    return proposeOwn(RecordType.CANCEL, ownCommand, length);
  }

  /** Proposes the acknowledgments of the applying thread. */
  private int takeAcknowledge() {
    int done = 0;
    for (byte[] next = exchange.takeAcknowledge();
        next != null;
        next = exchange.takeAcknowledge()) {
      ownCommand.putBytes(0, next);
      Proposal unused = proposeOwn(RecordType.ACKNOWLEDGE, ownCommand, next.length);
      done++;
    }
    return done;
  }

  private final class AcknowledgeTarget implements DeliveryAcks.Target {
    @Override
    public boolean hasRoom(int bytesMax) {
      return true;
    }

    @Override
    public void acknowledge(DirectBuffer buffer, int length) {
      Proposal unused = proposeOwn(RecordType.ACKNOWLEDGE, buffer, length);
    }
  }

  private Proposal proposeOwn(int type, DirectBuffer command, int length) {
    Proposal proposal = begin(type, 0, null, null);
    proposal.append(command, 0, length);
    proposal.seal();
    unsent.add(proposal);
    return proposal;
  }

  private int send(Sequencer ordering) {
    int done = 0;
    if (!sent.isEmpty() && nowNs - sent.peek().sentNs() > patienceNs) {
      resend();
    }
    while (!isGathering() && pack(ordering)) {
      if (!batch.offerTo(ordering)) {
        batch.unpack(unsent);
        break;
      }
      done += batch.sent(sent, nowNs);
      messagesSent++;
    }
    return done;
  }

  /** Fills the batch; false: there is nothing to send. */
  private boolean pack(Sequencer ordering) {
    int bytesMax = Math.min(ProposalBatch.BYTES_MAX, ordering.messageBytesMax());
    for (Proposal next = unsent.peek(); next != null; next = unsent.peek()) {
      if (next.isSettled() || isLeft(next)) {
        recycle(unsent.poll());
      } else if (batch.hasRoomFor(next, bytesMax)) {
        announce(next);
        batch.add(unsent.poll());
      } else {
        break;
      }
    }
    return !batch.isEmpty();
  }

  /** Whether the caller has given up before the proposal was announced. */
  private boolean isLeft(Proposal proposal) {
    RequestSlot slot = proposal.slot();
    if (proposal.isAnnounced() || slot == null || !slot.isAbandoned()) {
      return false;
    }
    Lane lent = proposal.lane();
    if (lent != null) {
      lent.takeBack();
      lanes.giveBack(lent);
    }
    completer.complete(slot, RequestOutcome.NOT_STARTED, null);
    return true;
  }

  /** Announces the proposal. From here on it counts as logged: sooner or later it will be. */
  private void announce(Proposal proposal) {
    if (proposal.isAnnounced()) {
      return;
    }
    proposal.announce();
    RequestSlot slot = proposal.slot();
    note(proposal.lane() != null || slot == null ? proposal.lane() : slot.lane);
    exchange.propose(proposal);
  }

  private void note(Lane lane) {
    if (lane != null && !lane.isCallers()) {
      lane.logged(lane.number());
      // Another thread answers it, so this tracks its delivery from now on.
      arrived.answered(lane);
    }
  }

  private void sweep() {
    while (!sent.isEmpty() && sent.peek().isSettled()) {
      Proposal settled = sent.poll();
      messagesSent -= settled.isLastOfMessage() ? 1 : 0;
      recycle(settled);
    }
  }

  private void recycle(Proposal proposal) {
    admission.over(proposal.bytesAdmitted(), proposal.itemsAdmitted());
    if (spare.size() < SPARE_MAX) {
      proposal.clear();
      spare.add(proposal);
    }
  }
}

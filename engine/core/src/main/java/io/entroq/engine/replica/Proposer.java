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
import java.util.Iterator;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;

/**
 * Takes requests from callers and proposes their commands, each under an identity, so that it is
 * done once however often it comes out in order. What has not come out is proposed again: after
 * {@link #resend}, or when it has taken too long. Always in the order of the first time.
 *
 * <p>One thread, the proposing one.
 */
public final class Proposer {
  private static final int SPARE_MAX = 1_024;

  private final SlotQueue requests;
  private final RequestIntake intake;
  private final ProposalExchange crossing;
  private final ProposalAdmission admission;
  private final Completer completer;
  private final Lanes lanes;
  private final EngineLifecycle state;
  private final long incarnation;
  private final long patienceNs;
  private final RandomGenerator random;
  private final ReplicaClock clock;
  private final LongSupplier nanoTime;

  /** Of the engine's lanes; of callers' own requests the applying thread knows more. */
  private final DeliveryAcks arrived;

  private final DeliveryAcks.Target acknowledgeTarget = new AcknowledgeTarget();

  private final CancelEncoder cancel = new CancelEncoder();
  private final IdentityPrefix prefix = new IdentityPrefix();
  private final ExpandableArrayBuffer ownCommand = new ExpandableArrayBuffer();

  private final ArrayDeque<Proposal> spare = new ArrayDeque<>();

  /** Not offered yet, or to be offered once more. */
  private final ArrayDeque<Proposal> unsent = new ArrayDeque<>();

  /** Offered, and not known to have come out. */
  private final ArrayDeque<Proposal> sent = new ArrayDeque<>();

  /** Being offered; empty between two calls. */
  private final ProposalBatch parcel = new ProposalBatch();

  private final ProposalGauge gauge = new ProposalGauge();

  /** When its last work began. */
  private long nowNs;

  private long lastNumber;
  private boolean hasProposedGenesis;

  /**
   * @param patienceNs after how long what has not come out is offered once more, in nanoseconds
   */
  Proposer(
      SlotQueue requests,
      ProposalExchange crossing,
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
    this.crossing = crossing;
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
   * Takes what has been asked and offers what there is room for.
   *
   * @return how much was done; 0: nothing
   */
  public int doWork(Sequencer ordering) {
    nowNs = nanoTime.getAsLong();
    int done = intake.takeBatch() + takeLetIn() + takeCancels() + takeSaid();
    arrived.poll(acknowledgeTarget);
    done += send(ordering);
    sweep();
    tellGauge();
    return done;
  }

  private void tellGauge() {
    Proposal oldest = sent.isEmpty() ? unsent.peek() : sent.peek();
    gauge.set(unsent.size(), sent.size(), oldest == null ? 0 : oldest.beganNs());
  }

  /** What is before it; any thread. */
  ProposalGauge gauge() {
    return gauge;
  }

  /**
   * There is a state to begin with, so it proposes no Genesis. Before anything else; any thread.
   */
  public void beginWithSeed() {
    hasProposedGenesis = true;
  }

  /** Proposes the first command of the log, if there is none yet; it counts only once. */
  public void proposeGenesis() {
    if (hasProposedGenesis || crossing.hasBegun()) {
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

  /** Has everything offered once more that has not come out: some of it may have been lost. */
  public void resend() {
    while (!sent.isEmpty()) {
      unsent.addFirst(sent.pollLast());
    }
    reconsider();
  }

  /**
   * Has it looked at once more whether to cancel claims that callers have left: meanwhile they may
   * wait for them at another replica, and have got tasks there, which are not to be taken away.
   */
  private void reconsider() {
    Iterator<Proposal> each = unsent.iterator();
    while (each.hasNext()) {
      Proposal proposal = each.next();
      if (proposal.left() != null && !proposal.isSettled()) {
        each.remove();
        crossing.read(proposal.left());
      }
    }
  }

  /** Sleeps until there is something to do for callers, or until so many nanoseconds are over. */
  public void await(long nanos) {
    WakeupSignal bell = requests.bell();
    bell.arm();
    if (requests.isEmpty() && !admission.hasLetIn() && state.isOpen()) {
      bell.sleep(nanos);
    } else {
      bell.disarm();
    }
  }

  /** Whether something waits for room, or for somebody to take it. */
  public boolean hasUnsent() {
    return !unsent.isEmpty();
  }

  /**
   * Of an engine that closes: whether all that was asked, and was to be said, has come out. What is
   * still to be said is proposed.
   */
  public boolean isSettled() {
    sweep();
    return sent.isEmpty()
        && unsent.isEmpty()
        && requests.isEmpty()
        && admission.isEmpty()
        && crossing.isAllSaid()
        && !hasLastWords();
  }

  /** What has arrived just now would be taken to have not, and be given back. */
  private boolean hasLastWords() {
    arrived.hurry();
    do {
      arrived.poll(acknowledgeTarget);
    } while (arrived.isLooking());
    return !unsent.isEmpty();
  }

  /** Takes no more; as the last thing that the proposing thread does. */
  public void end() {
    requests.end();
    for (Proposal proposal : unsent) {
      if (!proposal.isTold() && proposal.slot() != null) {
        completer.complete(proposal.slot(), RequestOutcome.NOT_STARTED, state.failure());
      }
    }
    unsent.clear();
    sent.clear();
    tellGauge();
    for (RequestSlot slot = admission.takeLetIn(); slot != null; slot = admission.takeLetIn()) {
      completer.complete(slot, RequestOutcome.NOT_STARTED, state.failure());
    }
  }

  private int takeLetIn() {
    int done = 0;
    for (RequestSlot slot = admission.takeLetIn(); slot != null; slot = admission.takeLetIn()) {
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

  /** What becomes of the requests that are taken. */
  private final class Handler implements RequestHandler {
    @Override
    public void execute(RequestSlot slot) {
      if (!slot.kind.isWrite()) {
        crossing.read(slot);
      } else if (admission.letsIn(slot)) {
        propose(slot);
      }
    }

    @Override
    public void leave(RequestSlot slot) {
      crossing.read(slot);
    }

    @Override
    public void cancel(Lane lane) {
      Proposal unused = proposeCancel(lane);
    }
  }

  private int takeCancels() {
    int done = 0;
    for (RequestSlot slot = crossing.takeCancel(); slot != null; slot = crossing.takeCancel()) {
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

  /** Where commands are applied it is known which answers to callers have left. */
  private int takeSaid() {
    int done = 0;
    for (byte[] next = crossing.takeSaid(); next != null; next = crossing.takeSaid()) {
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
      sweep();
      if (!sent.isEmpty() && nowNs - sent.peek().sentNs() > patienceNs) {
        resend();
      }
    }
    while (pack()) {
      if (!parcel.offerTo(ordering)) {
        parcel.unpack(unsent);
        break;
      }
      done += parcel.sent(sent, nowNs);
    }
    return done;
  }

  /** Puts what can go together into the parcel; false: there is nothing to send. */
  private boolean pack() {
    for (Proposal next = unsent.peek(); next != null; next = unsent.peek()) {
      if (next.isSettled() || isLeft(next)) {
        recycle(unsent.poll());
      } else if (parcel.hasRoomFor(next)) {
        tell(next);
        parcel.add(unsent.poll());
      } else {
        break;
      }
    }
    return !parcel.isEmpty();
  }

  /** Whether the caller has given up before anybody has been told of it. */
  private boolean isLeft(Proposal proposal) {
    RequestSlot slot = proposal.slot();
    if (proposal.isTold() || slot == null || !slot.isAbandoned()) {
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

  /** From here on it counts as logged: sooner or later it is. */
  private void tell(Proposal proposal) {
    if (proposal.isTold()) {
      return;
    }
    proposal.tell();
    RequestSlot slot = proposal.slot();
    note(proposal.lane() != null || slot == null ? proposal.lane() : slot.lane);
    crossing.propose(proposal);
  }

  private void note(Lane lane) {
    if (lane != null && !lane.isCallers()) {
      lane.logged(lane.number());
      // Where it is answered another thread is: so this looks for it from now on.
      arrived.answered(lane);
    }
  }

  private void sweep() {
    while (!sent.isEmpty() && sent.peek().isSettled()) {
      recycle(sent.poll());
    }
  }

  private void recycle(Proposal proposal) {
    admission.over(proposal.bytesLetIn(), proposal.itemsLetIn());
    if (spare.size() < SPARE_MAX) {
      proposal.clear();
      spare.add(proposal);
    }
  }
}

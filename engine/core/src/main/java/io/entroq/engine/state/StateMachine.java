package io.entroq.engine.state;

import io.entroq.codec.command.AcknowledgeDecoder;
import io.entroq.codec.command.CallersGoneDecoder;
import io.entroq.codec.command.CancelDecoder;
import io.entroq.codec.command.ClaimDecoder;
import io.entroq.codec.command.ClaimDocsDecoder;
import io.entroq.codec.command.CutDecoder;
import io.entroq.codec.command.GenesisDecoder;
import io.entroq.codec.command.ModifyDecoder;
import io.entroq.codec.command.RaiseLevelDecoder;
import io.entroq.codec.command.TickDecoder;
import io.entroq.codec.record.RecordType;
import io.entroq.codec.result.ResultCodes;
import io.entroq.engine.effect.EffectIds;
import io.entroq.engine.effect.EffectSink;
import io.entroq.engine.listing.DocCursor;
import io.entroq.engine.listing.DocLister;
import io.entroq.engine.listing.DocVisitor;
import io.entroq.engine.listing.NamespaceCursor;
import io.entroq.engine.listing.NamespaceLister;
import io.entroq.engine.listing.NamespaceVisitor;
import io.entroq.engine.listing.PolicyCursor;
import io.entroq.engine.listing.PolicyLister;
import io.entroq.engine.listing.PolicyVisitor;
import io.entroq.engine.listing.PositionCursor;
import io.entroq.engine.listing.PositionFinder;
import io.entroq.engine.listing.QueueCursor;
import io.entroq.engine.listing.QueueLister;
import io.entroq.engine.listing.QueueVisitor;
import io.entroq.engine.listing.StateEffects;
import io.entroq.engine.listing.TaskCursor;
import io.entroq.engine.listing.TaskLister;
import io.entroq.engine.listing.TaskVisitor;
import io.entroq.engine.memory.Invariant;
import io.entroq.engine.memory.Slab;
import io.entroq.engine.queue.QueuesToServe;
import org.agrona.DirectBuffer;

/**
 * The deterministic state machine: the fold of a log.
 *
 * <p>Live, a command takes two calls: {@link #prepare} checks it and changes nothing; then either
 * {@link #answer}, if it needs no record, or, once the record is in the log, {@link #commit}, which
 * cannot fail. Before {@code prepare} at time T, the caller logs and commits a Tick at T while
 * {@link #nextDeadlineMs} is not above T. On replay, {@link #apply} does all of it in one call,
 * with the same outcome.
 *
 * <p>Not thread-safe. After an {@link io.entroq.engine.memory.InvariantBrokenException} the machine
 * must not be used.
 */
public final class StateMachine implements AutoCloseable {

  /** Result of {@link #prepare}: log and commit the command. */
  public static final int EXECUTE = 0;

  /** Result of {@link #prepare}: answer the command without a record. */
  public static final int ANSWER = 1;

  /** Package-private for tests of states that take commands years to reach. */
  final Stores stores;

  final TaskTable table;
  final DocTable docTable;
  private final QueuesToServe toServe;
  private final Failures failures;
  private final ChangeOutcome changeOutcome;
  private final WaiterScheduler waiterScheduler;
  private final RequestDeduplicator gate;
  private final ClaimRevoker claimRevoker;
  private final ClaimStep claimStep;
  private final ModifyCheck modifyCheck;
  private final ModifyStep modifyStep;
  private final ClaimDocsStep claimDocsStep;
  private final TaskLister taskLister;
  private final QueueLister queueLister;
  private final DocLister docLister;
  private final PolicyLister policyLister;
  private final PositionFinder positionFinder;
  private final NamespaceLister namespaceLister;
  private final SpareCapacity spareCapacity;
  private final ReplyWriter answers;

  private final ClaimDecoder claim = new ClaimDecoder();
  private final ModifyDecoder modify = new ModifyDecoder();
  private final ClaimDocsDecoder claimDocs = new ClaimDocsDecoder();
  private final CancelDecoder cancel = new CancelDecoder();
  private final TickDecoder tick = new TickDecoder();
  private final CallersGoneDecoder callersGone = new CallersGoneDecoder();
  private final AcknowledgeDecoder acknowledge = new AcknowledgeDecoder();
  private final GenesisDecoder genesis = new GenesisDecoder();
  private final RaiseLevelDecoder raiseLevel = new RaiseLevelDecoder();
  private final CutDecoder cut = new CutDecoder();

  private long sequence;
  private long logTimeMs;
  private int level;
  private long logIdHigh;
  private long logIdLow;
  private int preparedType;
  private long preparedAfter;

  /** A time that is not after the next deadline: to know that exactly would cost every step. */
  private long deadlineBoundMs = Long.MAX_VALUE;

  private int outcome;
  private FrozenState frozen;
  private final long keptBytesMax;
  private long preparedTimeMs;

  /** Creates the state before the first record. */
  public StateMachine(StateMachineConfig config) {
    stores = new Stores(config);
    keptBytesMax = config.keptBytesMax();
    toServe = stores.toServe;
    answers = new ReplyWriter(stores);
    Receipts receipts = new Receipts(stores, answers);
    table = new TaskTable(stores, toServe);
    DeadQueues deadQueues = new DeadQueues(stores, table);
    failures = new Failures(stores, table, deadQueues);
    changeOutcome = new ChangeOutcome(stores, table, failures, deadQueues);
    table.decider(failures);
    Claimer claimer = new Claimer(stores, table, answers);
    waiterScheduler =
        new WaiterScheduler(stores, table, failures, toServe, claimer, receipts, answers);
    gate = new RequestDeduplicator(stores, receipts, waiterScheduler, answers);
    claimRevoker = new ClaimRevoker(stores, table, failures, waiterScheduler, receipts);
    claimStep = new ClaimStep(stores, claimer, waiterScheduler, receipts, answers);
    docTable = new DocTable(stores);
    modifyCheck = new ModifyCheck(stores, docTable, deadQueues, modify);
    DocStep docStep = new DocStep(stores, docTable, modifyCheck.docs(), modify, answers);
    modifyStep =
        new ModifyStep(
            stores,
            modify,
            table,
            failures,
            changeOutcome,
            modifyCheck,
            docStep,
            waiterScheduler,
            claimStep,
            claimer,
            receipts,
            answers);
    claimDocsStep = new ClaimDocsStep(stores, claimDocs, docTable, receipts, answers);
    taskLister =
        new TaskLister(
            stores.tasks, stores.queues, stores.ready, stores.arrivals, stores.taskView()::wrap);
    queueLister = new QueueLister(stores.queues, stores.ready, stores.arrivals, stores.ruled);
    policyLister = new PolicyLister(stores.policies);
    positionFinder =
        new PositionFinder(
            stores.tasks, stores.queues, stores.ready, stores.arrivals, stores.ruled);
    docLister =
        new DocLister(stores.docs, stores.namespaces, stores.keyTree, stores.docView()::wrap);
    namespaceLister = new NamespaceLister(stores.namespaces, stores.leases);
    spareCapacity = new SpareCapacity(stores);
    loadFreezing();
  }

  /** Loads the classes of a freeze now: it takes milliseconds, and nobody waits yet. */
  private void loadFreezing() {
    freeze().release();
    thaw();
  }

  /**
   * Checks a command against the state and changes nothing.
   *
   * @param recordType one of {@link RecordType}
   * @param command the buffer with the payload; must not change until the command is answered or
   *     committed
   * @param timeMs its log time, not below {@link #logTimeMs}
   * @return {@link #EXECUTE} or {@link #ANSWER}
   * @throws io.entroq.codec.message.MalformedMessageException if it cannot be read
   */
  public int prepare(int recordType, DirectBuffer command, int offset, int length, long timeMs) {
    Invariant.check(timeMs >= logTimeMs, "log time does not go back", timeMs, logTimeMs);
    decode(recordType, command, offset, length);
    preparedAfter = sequence;
    return check(timeMs);
  }

  private void decode(int recordType, DirectBuffer command, int offset, int length) {
    switch (recordType) {
      case RecordType.CLAIM -> claim.wrap(command, offset, length);
      case RecordType.MODIFY -> modify.wrap(command, offset, length);
      case RecordType.CLAIM_DOCS -> claimDocs.wrap(command, offset, length);
      case RecordType.GENESIS -> genesis.wrap(command, offset, length);
      case RecordType.CANCEL -> cancel.wrap(command, offset, length);
      case RecordType.TICK -> tick.wrap(command, offset, length);
      case RecordType.CALLERS_GONE -> callersGone.wrap(command, offset, length);
      case RecordType.ACKNOWLEDGE -> acknowledge.wrap(command, offset, length);
      case RecordType.RAISE_LEVEL -> raiseLevel.wrap(command, offset, length);
      case RecordType.CUT -> cut.wrap(command, offset, length);
      default -> throw new IllegalArgumentException("no such record type: " + recordType);
    }
    preparedType = recordType;
  }

  private int check(long timeMs) {
    preparedTimeMs = timeMs;
    outcome =
        switch (preparedType) {
          case RecordType.CLAIM -> claimStep.check(claim, timeMs);
          case RecordType.MODIFY -> modifyCheck.check(level, timeMs);
          case RecordType.CLAIM_DOCS -> claimDocsStep.check(timeMs);
          case RecordType.RAISE_LEVEL ->
              isNextLevel(raiseLevel.level()) ? ResultCodes.OK : ResultCodes.LEVEL_REFUSED;
          default -> ResultCodes.OK;
        };
    return outcome == ResultCodes.OK || isIdentityPrepared() ? EXECUTE : ANSWER;
  }

  /**
   * Whether the command prepared last has an identity: then {@link #preparedClientHigh} and {@link
   * #preparedClientLow} are its client.
   */
  public boolean isIdentityPrepared() {
    return (preparedType == RecordType.CLAIM && claim.hasIdentity())
        || (preparedType == RecordType.MODIFY && modify.hasIdentity())
        || (preparedType == RecordType.CLAIM_DOCS && claimDocs.hasIdentity());
  }

  /** Upper half of the client of the command prepared last. */
  public long preparedClientHigh() {
    return switch (preparedType) {
      case RecordType.CLAIM -> claim.clientHigh();
      case RecordType.MODIFY -> modify.clientHigh();
      default -> claimDocs.clientHigh();
    };
  }

  /** Lower half of the client of the command prepared last. */
  public long preparedClientLow() {
    return switch (preparedType) {
      case RecordType.CLAIM -> claim.clientLow();
      case RecordType.MODIFY -> modify.clientLow();
      default -> claimDocs.clientLow();
    };
  }

  private boolean isNextLevel(int wanted) {
    return wanted > level && wanted <= Levels.highest();
  }

  /** Whether the prepared command will be executed, unless its identity is refused. */
  public boolean isDonePrepared() {
    return outcome == ResultCodes.OK;
  }

  /** Whether the prepared command inserts tasks or docs. */
  public boolean isInsertPrepared() {
    return preparedType == RecordType.MODIFY && modify.insertCount() + modify.docInsertCount() > 0;
  }

  /**
   * Approximate bytes of a reply with the doc sets that the prepared command claims, or that others
   * hold, and their docs; 0 if it claims none or was executed before.
   */
  public long preparedDocsBytes() {
    boolean claims = preparedType == RecordType.CLAIM_DOCS;
    return !claims || isAnsweredBefore(claimDocs.requestNumber())
        ? 0
        : claimDocsStep.replyBytes(outcome, preparedTimeMs);
  }

  /**
   * Bytes of values and error texts of the tasks whose leases the prepared command changes, or on
   * which it reports failures, which its reply repeats; 0 if there are none or it was executed
   * before.
   */
  public long preparedLeaseBytes() {
    boolean changes = preparedType == RecordType.MODIFY && outcome == ResultCodes.OK;
    long bytes = changes ? modifyCheck.repeatedBytes() : 0;
    return bytes == 0 || isAnsweredBefore(modify.requestNumber()) ? 0 : bytes;
  }

  /**
   * Approximate bytes of the copies that the prepared command makes in the queues of groups, as its
   * reply shows them; 0 if there are none or it was executed before.
   */
  public long preparedCopyBytes() {
    boolean copies = preparedType == RecordType.MODIFY && outcome == ResultCodes.OK;
    long bytes = copies ? modifyCheck.copyBytes() : 0;
    return bytes == 0 || isAnsweredBefore(modify.requestNumber()) ? 0 : bytes;
  }

  private boolean isAnsweredBefore(long number) {
    return isIdentityPrepared() && gate.knows(preparedClientHigh(), preparedClientLow(), number);
  }

  /** Answers the prepared command without a record; its request sequence is 0. */
  public void answer(ResultSink sink) {
    answers.beginUnlogged(sink, outcome, sequence, preparedTimeMs);
    if (preparedType == RecordType.MODIFY) {
      modifyCheck.explain(outcome, answers);
    } else if (preparedType == RecordType.CLAIM_DOCS) {
      claimDocsStep.explain(outcome, preparedTimeMs);
    }
    answers.end();
  }

  /**
   * Executes the prepared command, which is now in the log.
   *
   * @param recordSequence the sequence of its record: the next one
   * @param payloadCrc the CRC32C of its payload
   */
  public void commit(long recordSequence, int payloadCrc, ResultSink sink) {
    // The result of prepare holds only for the state that it checked.
    Invariant.check(
        preparedAfter == sequence, "nothing is applied after prepare", preparedAfter, sequence);
    begin(recordSequence, payloadCrc, preparedTimeMs, sink);
    if (preparedType == RecordType.TICK) {
      waiterScheduler.advance(logTimeMs);
    } else {
      // A tick that came due would have changed the state that prepare checked.
      Invariant.check(!isDue(logTimeMs), "a tick goes first", deadlineBoundMs, logTimeMs);
    }
    execute();
  }

  /**
   * Advances time to the log time of a record, then executes its command.
   *
   * @param recordType one of {@link RecordType}
   * @param payloadCrc the CRC32C of the payload
   * @param timeMs the record's log time
   * @param recordSequence the record's sequence: the next one
   * @throws io.entroq.codec.message.MalformedMessageException if it cannot be read; nothing changed
   * @throws UnsupportedLevelException if this build does not support its behavior level; nothing
   *     changed
   */
  public void apply(
      int recordType,
      DirectBuffer command,
      int offset,
      int length,
      int payloadCrc,
      long timeMs,
      long recordSequence,
      ResultSink sink) {
    // First, so that a record that cannot be applied leaves the state unchanged.
    decode(recordType, command, offset, length);
    requireSupportedLevel();
    begin(recordSequence, payloadCrc, timeMs, sink);
    waiterScheduler.advance(timeMs);
    check(timeMs);
    execute();
  }

  /**
   * Gives the state another identity, to be written as the begin of another log.
   *
   * @param low its lower 32 bits, the tag of the log, are not all 0
   */
  public void identify(long high, long low) {
    Invariant.check((int) low != 0, "a log has a tag", high, low);
    logIdHigh = high;
    logIdLow = low;
  }

  /** Sets who receives the effects of the steps from now on; null for nobody, as at first. */
  public void tellEffects(EffectSink sink) {
    stores.effects.sink(sink);
  }

  /** Sets who gets the ids of tasks that steps have effects on; null for nobody, as at first. */
  public void tellIds(EffectIds ids) {
    stores.effects.ids(ids);
  }

  /** The state as effects that insert it; valid until the next command. */
  public StateEffects stateEffects() {
    return new StateEffects(
            stores.tasks,
            stores.docs,
            stores.docSets,
            stores.policies,
            stores.taskView()::wrap,
            stores.docView())
        .at(sequence, logTimeMs);
  }

  private void requireSupportedLevel() {
    if (preparedType == RecordType.GENESIS) {
      Levels.requireSupported(genesis.level());
    } else if (preparedType == RecordType.RAISE_LEVEL && raiseLevel.level() > level) {
      Levels.requireSupported(raiseLevel.level());
    }
  }

  private void begin(long recordSequence, int payloadCrc, long timeMs, ResultSink sink) {
    Invariant.check(
        recordSequence == sequence + 1, "records follow each other", recordSequence, sequence);
    Invariant.check(timeMs >= logTimeMs, "log time does not go back", timeMs, logTimeMs);
    sequence = recordSequence;
    logTimeMs = timeMs;
    stores.digest.happened(recordSequence, payloadCrc);
    answers.step(sink, recordSequence, timeMs);
    if (stores.effects.begin(recordSequence)) {
      tellStep();
    }
    changeOutcome.step(level);
    waiterScheduler.step(level, timeMs);
  }

  private void tellStep() {
    switch (preparedType) {
      case RecordType.CLAIM ->
          stores.effects.tellStep(
              logTimeMs,
              claim.claimantHigh(),
              claim.claimantLow(),
              claim.buffer(),
              claim.claimantTextOffset(),
              claim.claimantTextLength());
      case RecordType.MODIFY ->
          stores.effects.tellStep(
              logTimeMs,
              modify.claimantHigh(),
              modify.claimantLow(),
              modify.buffer(),
              modify.claimantTextOffset(),
              modify.claimantTextLength());
      case RecordType.CLAIM_DOCS ->
          stores.effects.tellStep(
              logTimeMs,
              claimDocs.claimantHigh(),
              claimDocs.claimantLow(),
              claimDocs.buffer(),
              claimDocs.claimantTextOffset(),
              claimDocs.claimantTextLength());
      default -> stores.effects.tellStep(logTimeMs);
    }
  }

  private void execute() {
    Invariant.check(
        level > 0 || preparedType == RecordType.GENESIS,
        "a log begins with Genesis",
        sequence,
        preparedType);
    stores.effects.beginCommand();
    switch (preparedType) {
      case RecordType.CLAIM -> executeClaim();
      case RecordType.MODIFY -> executeModify();
      case RecordType.CLAIM_DOCS -> executeClaimDocs();
      case RecordType.CANCEL -> executeCancel();
      case RecordType.CALLERS_GONE -> executeCallersGone();
      case RecordType.ACKNOWLEDGE -> executeAcknowledge();
      case RecordType.GENESIS -> executeGenesis();
      case RecordType.RAISE_LEVEL -> executeRaiseLevel();
      default -> {
        // A tick has already advanced time. A cut concerns only readers of the log.
      }
    }
    stores.effects.endCommand();
    waiterScheduler.serve(logTimeMs);
    stores.effects.end();
    deadlineBoundMs = waiterScheduler.deadlineBoundMs();
  }

  private void executeClaim() {
    if (!claim.hasIdentity()) {
      claimStep.execute(claim, outcome, logTimeMs);
    } else if (gate.admits(
        claim.clientHigh(),
        claim.clientLow(),
        claim.requestNumber(),
        claim.ackedBelow(),
        claim.bodyCrc(),
        true,
        RetriedItems.NONE)) {
      claimStep.execute(claim, outcome, gate.client(), logTimeMs);
    }
  }

  private void executeModify() {
    if (!modify.hasIdentity()) {
      modifyStep.execute(outcome, logTimeMs);
    } else if (gate.admits(
        modify.clientHigh(),
        modify.clientLow(),
        modify.requestNumber(),
        modify.ackedBelow(),
        modify.bodyCrc(),
        false,
        modifyStep)) {
      modifyStep.execute(outcome, gate.client(), logTimeMs);
    }
  }

  private void executeClaimDocs() {
    if (!claimDocs.hasIdentity()) {
      claimDocsStep.execute(outcome, logTimeMs);
    } else if (gate.admits(
        claimDocs.clientHigh(),
        claimDocs.clientLow(),
        claimDocs.requestNumber(),
        claimDocs.ackedBelow(),
        claimDocs.bodyCrc(),
        false,
        claimDocsStep)) {
      claimDocsStep.execute(outcome, gate.client(), logTimeMs);
    }
  }

  private void executeCancel() {
    int client = stores.clients.find(cancel.clientHigh(), cancel.clientLow());
    boolean cancelled = claimRevoker.cancel(client, cancel.requestNumber(), logTimeMs);
    answers.begin(sequence, cancelled ? ResultCodes.OK : ResultCodes.EMPTY);
    answers.end();
  }

  private void executeCallersGone() {
    if (callersGone.all()) {
      claimRevoker.revokeAll(logTimeMs);
      return;
    }
    for (int i = 0; i < callersGone.clientCount(); i++) {
      int client =
          stores.clients.find(
              callersGone.client(i).clientHigh(), callersGone.client(i).clientLow());
      if (client != Slab.NONE) {
        claimRevoker.revokeClient(client, logTimeMs);
      }
    }
  }

  private void executeAcknowledge() {
    for (int i = 0; i < acknowledge.clientCount(); i++) {
      int client =
          stores.clients.find(
              acknowledge.client(i).clientHigh(), acknowledge.client(i).clientLow());
      if (client != Slab.NONE) {
        gate.acknowledge(client, acknowledge.client(i).ackedBelow());
      }
    }
    for (int i = 0; i < acknowledge.deliveredCount(); i++) {
      int client =
          stores.clients.find(
              acknowledge.delivered(i).clientHigh(), acknowledge.delivered(i).clientLow());
      claimRevoker.delivered(client, acknowledge.delivered(i).requestNumber());
    }
  }

  private void executeGenesis() {
    Invariant.check(sequence == 1, "Genesis is the first record", sequence, 0);
    level = genesis.level();
    logIdHigh = genesis.logIdHigh();
    logIdLow = genesis.logIdLow();
    stores.random.seed(genesis.seed());
  }

  private void executeRaiseLevel() {
    if (outcome == ResultCodes.OK) {
      level = raiseLevel.level();
    }
    answers.begin(sequence, outcome);
    answers.end();
  }

  /**
   * Whether tasks claimed by a request would be returned if its callers died now: one of them is
   * unchanged, and neither the client nor the log says that the reply was sent. Changes nothing.
   */
  public boolean wouldRevoke(long clientHigh, long clientLow, long number) {
    return claimRevoker.wouldRevoke(stores.clients.find(clientHigh, clientLow), number);
  }

  /**
   * The earliest log time at which a Tick has work: {@link Long#MAX_VALUE} if never, a past time if
   * now.
   */
  public long nextDeadlineMs() {
    deadlineBoundMs = waiterScheduler.nextDeadlineMs();
    return deadlineBoundMs;
  }

  /** Whether {@link #nextDeadlineMs} is not after a time. */
  public boolean isDue(long timeMs) {
    return deadlineBoundMs <= timeMs && nextDeadlineMs() <= timeMs;
  }

  /** The sequence of the last record; 0 before the first. */
  public long sequence() {
    return sequence;
  }

  /** The log time of the last record, in milliseconds since the epoch. */
  public long logTimeMs() {
    return logTimeMs;
  }

  /** The behavior level; 0 before the first record. */
  public int level() {
    return level;
  }

  /** Upper half of the id of the log. */
  public long logIdHigh() {
    return logIdHigh;
  }

  /** Lower half of the id of the log. */
  public long logIdLow() {
    return logIdLow;
  }

  /** A hash chain over all events. */
  public long historyDigest() {
    return stores.digest.history();
  }

  /** A sum of the hashes of all objects. */
  public long contentDigest() {
    return stores.contentDigest();
  }

  /** The content digest recomputed from scratch; takes time proportional to the state. */
  public long recomputeContentDigest() {
    return ContentDigest.of(stores, table, docTable);
  }

  public long taskCount() {
    return stores.tasks.size();
  }

  public long docCount() {
    return stores.docs.size();
  }

  /** Number of doc sets, also without docs. */
  public long docSetCount() {
    return stores.docSets.size();
  }

  public int parkedCount() {
    return stores.waiters.size();
  }

  /** Number of clients whose requests have receipts. */
  public int clientCount() {
    return stores.clients.size();
  }

  /** Whether a client has receipts. */
  public boolean hasClient(long clientHigh, long clientLow) {
    return stores.clients.find(clientHigh, clientLow) != Slab.NONE;
  }

  @FunctionalInterface
  public interface ClientVisitor {
    void onClient(long clientHigh, long clientLow);
  }

  /**
   * Visits the clients with a claim that is parked or would be returned if they died, in an order
   * that is part of the state.
   */
  public void forEachClaiming(ClientVisitor visitor) {
    for (int client = stores.clients.first();
        client != Slab.NONE;
        client = stores.clients.next(client)) {
      if (claimRevoker.wouldRevokeAny(client)) {
        visitor.onClient(stores.clients.high(client), stores.clients.low(client));
      }
    }
  }

  /** Bytes of memory held outside the heap. */
  public long memoryBytes() {
    return stores.memoryBytes() + (frozen == null ? 0 : frozen.keptBytes());
  }

  /** Approximate bytes of an image of the state. */
  public long liveBytes() {
    return stores.liveBytes();
  }

  /**
   * Freezes the state for one other thread, which writes it while commands continue here. Takes a
   * fraction of a millisecond. Call between two commands, while the state is not frozen.
   *
   * <p>The first change of a chunk of records copies it. When the copies reach {@link
   * StateMachineConfig#keptBytesMax}, the next change waits for {@link FrozenState#writeTo} to
   * progress. So the caller must call that or {@link FrozenState#release}.
   */
  public FrozenState freeze() {
    return freeze(keptBytesMax);
  }

  /**
   * Like {@link #freeze()} with another bound on the copies.
   *
   * @param keptBytesMax bytes; one chunk is always allowed
   */
  public FrozenState freeze(long keptBytesMax) {
    Invariant.check(frozen == null, "not frozen", sequence, 0);
    frozen = new FrozenState(stores, head(), keptBytesMax);
    return frozen;
  }

  private ImageHead head() {
    return new ImageHead(
        level,
        sequence,
        logTimeMs,
        logIdHigh,
        logIdLow,
        stores.random.state(),
        stores.digest.history(),
        stores.contentDigest(),
        stores.arrivals.lastOrder(),
        stores.tasks.size(),
        stores.queues.size(),
        stores.claimants.size(),
        stores.waiters.size(),
        stores.waiters.membershipCount(),
        stores.clients.size(),
        toServe.head(),
        stores.clients.firstBusy(),
        stores.clients.longestIdle(),
        stores.policies.epoch(),
        stores.poolWalk.part());
  }

  /** Ends the freeze, after {@link FrozenState#release} or {@link FrozenState#writeTo}. */
  public void thaw() {
    Invariant.check(frozen != null && frozen.isReleased(), "frozen and released", sequence, 0);
    stores.thaw();
    frozen = null;
  }

  /** Restores the single values of an image, after the stores are filled. */
  void restore(ImageHead head, int firstToServe, int lastToServe) {
    level = head.level();
    sequence = head.sequence();
    logTimeMs = head.logTimeMs();
    logIdHigh = head.logIdHigh();
    logIdLow = head.logIdLow();
    stores.random.seed(head.random());
    stores.arrivals.lastOrder(head.lastOrder());
    stores.digest.restore(
        head.historyDigest(),
        head.contentDigest() - stores.policies.content() - stores.ruled.content());
    toServe.restore(firstToServe, lastToServe);
    stores.poolWalk.part(head.poolPart());
    deadlineBoundMs = waiterScheduler.deadlineBoundMs();
  }

  /** Frees all memory. The machine must not be frozen, and must not be used afterwards. */
  @Override
  public void close() {
    Invariant.check(frozen == null, "not frozen", sequence, 0);
    stores.close();
    answers.close();
  }

  /**
   * Whether the inserts and changes of a Modify fit into memory that is already held.
   *
   * @param others tasks and docs of any size that have been promised room there before
   */
  public boolean fitsMemoryHeld(ModifyDecoder command, int others) {
    return spareCapacity.fits(command, others);
  }

  /** Whether a claim names a doc set that is not stored. */
  public boolean addsDocSets(ClaimDocsDecoder command) {
    return spareCapacity.addsDocSets(command);
  }

  /**
   * Continues a listing of tasks, between commands; changes nothing.
   *
   * @param effort how much work to do: {@link TaskLister#list}
   * @return false if the sink is full or the listing is complete
   */
  public boolean listTasks(TaskCursor cursor, long nowMs, int effort, TaskVisitor sink) {
    return taskLister.list(cursor, sequence, nowMs, effort, sink);
  }

  /**
   * Continues a listing of queues, between commands; changes nothing.
   *
   * @param effort how much work to do: {@link QueueLister#list}
   * @return false if the sink is full or the listing is complete
   */
  public boolean listQueues(QueueCursor cursor, long nowMs, int effort, QueueVisitor sink) {
    return queueLister.list(cursor, nowMs, effort, sink);
  }

  /**
   * Continues a listing of policies, between commands; changes nothing.
   *
   * @param effort how much work to do: {@link PolicyLister#list}
   * @return false if the sink is full or the listing is complete
   */
  public boolean listPolicies(PolicyCursor cursor, int effort, PolicyVisitor sink) {
    return policyLister.list(cursor, effort, sink);
  }

  /**
   * Continues to look for the position of a task, between commands; changes nothing.
   *
   * @param effort how much work to do: {@link PositionFinder#find}
   * @return false if it is found
   */
  public boolean findPosition(PositionCursor cursor, long nowMs, int effort) {
    return positionFinder.find(cursor, nowMs, effort);
  }

  /**
   * Continues a listing of docs, between commands; changes nothing.
   *
   * @param effort how much work to do: {@link DocLister#list}
   * @return false if the sink is full or the listing is complete
   */
  public boolean listDocs(DocCursor cursor, int effort, DocVisitor sink) {
    return docLister.list(cursor, sequence, effort, sink);
  }

  /**
   * Continues a listing of namespaces, between commands; changes nothing.
   *
   * @param effort how much work to do: {@link NamespaceLister#list}
   * @return false if the sink is full or the listing is complete
   */
  public boolean listNamespaces(
      NamespaceCursor cursor, long nowMs, int effort, NamespaceVisitor sink) {
    return namespaceLister.list(cursor, nowMs, effort, sink);
  }
}

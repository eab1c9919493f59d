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
import io.entroq.engine.listing.DocCursor;
import io.entroq.engine.listing.DocLister;
import io.entroq.engine.listing.DocVisitor;
import io.entroq.engine.listing.NamespaceCursor;
import io.entroq.engine.listing.NamespaceLister;
import io.entroq.engine.listing.NamespaceVisitor;
import io.entroq.engine.listing.QueueCursor;
import io.entroq.engine.listing.QueueLister;
import io.entroq.engine.listing.QueueVisitor;
import io.entroq.engine.listing.TaskCursor;
import io.entroq.engine.listing.TaskLister;
import io.entroq.engine.listing.TaskVisitor;
import io.entroq.engine.memory.Invariant;
import io.entroq.engine.memory.Slab;
import io.entroq.engine.queue.QueuesToServe;
import org.agrona.DirectBuffer;

/**
 * The deterministic state machine: everything a log says, folded.
 *
 * <p>Live, a command takes two calls: {@link #prepare} checks it and changes nothing; then either
 * {@link #answer}, if it needs no record, or, once the record is in the log, {@link #commit}, which
 * cannot fail. Before {@code prepare} at time T, whoever feeds the machine logs and commits a Tick
 * at T while {@link #nextDeadlineMs} is not above T. On replay, {@link #apply} does all of it in
 * one call, with the same outcome.
 *
 * <p>Not thread-safe. An {@link io.entroq.engine.memory.InvariantBrokenException} means that the
 * machine must not be used any more.
 */
public final class StateMachine implements AutoCloseable {

  /** {@link #prepare}: the command is to be logged and committed. */
  public static final int EXECUTE = 0;

  /** {@link #prepare}: the command is answered without a record. */
  public static final int ANSWER = 1;

  /** Package-private for tests that begin where commands lead only in years. */
  final Stores stores;

  final TaskTable table;
  final DocTable docTable;
  private final QueuesToServe toServe;
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
  private final NamespaceLister namespaceLister;
  private final SpareCapacity spareRoom;
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
  private long preparedBehind;

  /** Kept from the end of the last step, as it is asked for several times before the next. */
  private long nextDeadlineMs = Long.MAX_VALUE;

  private int outcome;
  private FrozenState frozen;
  private final long keptBytesMax;
  private long preparedTimeMs;

  /**
   * Creates the state before the first record.
   *
   * @param config how memory is taken
   */
  public StateMachine(StateMachineConfig config) {
    stores = new Stores(config);
    keptBytesMax = config.keptBytesMax();
    toServe = new QueuesToServe(stores.queues, stores.watch);
    answers = new ReplyWriter(stores);
    Receipts receipts = new Receipts(stores, answers);
    table = new TaskTable(stores, toServe);
    Claimer claimer = new Claimer(stores, table, answers);
    waiterScheduler = new WaiterScheduler(stores, table, toServe, claimer, receipts, answers);
    gate = new RequestDeduplicator(stores, receipts, waiterScheduler, answers);
    claimRevoker = new ClaimRevoker(stores, table, waiterScheduler, receipts);
    claimStep = new ClaimStep(stores, claimer, waiterScheduler, receipts, answers);
    docTable = new DocTable(stores);
    modifyCheck = new ModifyCheck(stores, docTable, modify);
    DocStep docStep = new DocStep(stores, docTable, modifyCheck.docs(), modify, answers);
    modifyStep =
        new ModifyStep(
            stores, modify, table, modifyCheck, docStep, claimStep, claimer, receipts, answers);
    claimDocsStep = new ClaimDocsStep(stores, claimDocs, docTable, receipts, answers);
    taskLister =
        new TaskLister(
            stores.tasks,
            stores.queues,
            stores.ready,
            stores.arrivals,
            new TaskFlyweight(stores.tasks, stores.queues, stores.claimants)::wrap);
    queueLister = new QueueLister(stores.queues, stores.ready, stores.arrivals);
    docLister =
        new DocLister(
            stores.docs, stores.namespaces, stores.keyTree, new DocFlyweight(stores)::wrap);
    namespaceLister = new NamespaceLister(stores.namespaces, stores.leases);
    spareRoom = new SpareCapacity(stores);
    loadFreezing();
  }

  /** The classes of a first freeze take milliseconds to load: now, while nobody waits. */
  private void loadFreezing() {
    freeze().release();
    thaw();
  }

  /**
   * Checks a command against the state and changes nothing.
   *
   * @param recordType a number of {@link RecordType}
   * @param command the buffer that holds the payload; it must stay as it is until the command is
   *     answered or committed
   * @param timeMs the log time it is to have, not below {@link #logTimeMs}
   * @return {@link #EXECUTE} or {@link #ANSWER}
   * @throws io.entroq.codec.message.MalformedMessageException if it cannot be read
   */
  public int prepare(int recordType, DirectBuffer command, int offset, int length, long timeMs) {
    Invariant.check(timeMs >= logTimeMs, "log time does not go back", timeMs, logTimeMs);
    decode(recordType, command, offset, length);
    preparedBehind = sequence;
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
          case RecordType.MODIFY -> modifyCheck.check(timeMs);
          case RecordType.CLAIM_DOCS -> claimDocsStep.check(timeMs);
          case RecordType.RAISE_LEVEL ->
              isNextLevel(raiseLevel.level()) ? ResultCodes.OK : ResultCodes.LEVEL_REFUSED;
          default -> ResultCodes.OK;
        };
    return outcome == ResultCodes.OK || hasIdentity() ? EXECUTE : ANSWER;
  }

  /**
   * Whether the command that was prepared last has an identity; {@link #preparedClientHigh} and
   * {@link #preparedClientLow} say whose it is.
   */
  public boolean isIdentityPrepared() {
    return hasIdentity();
  }

  /** Upper half of the client whose command was prepared last. */
  public long preparedClientHigh() {
    return switch (preparedType) {
      case RecordType.CLAIM -> claim.clientHigh();
      case RecordType.MODIFY -> modify.clientHigh();
      default -> claimDocs.clientHigh();
    };
  }

  /** Lower half of the client whose command was prepared last. */
  public long preparedClientLow() {
    return switch (preparedType) {
      case RecordType.CLAIM -> claim.clientLow();
      case RecordType.MODIFY -> modify.clientLow();
      default -> claimDocs.clientLow();
    };
  }

  private boolean hasIdentity() {
    return (preparedType == RecordType.CLAIM && claim.hasIdentity())
        || (preparedType == RecordType.MODIFY && modify.hasIdentity())
        || (preparedType == RecordType.CLAIM_DOCS && claimDocs.hasIdentity());
  }

  private boolean isNextLevel(int wanted) {
    return wanted > level && wanted <= Levels.highest();
  }

  /** Whether the prepared command will be done, unless its identity is refused. */
  public boolean isDonePrepared() {
    return outcome == ResultCodes.OK;
  }

  /** Whether the prepared command inserts tasks or docs. */
  public boolean isInsertPrepared() {
    return preparedType == RecordType.MODIFY && modify.insertCount() + modify.docInsertCount() > 0;
  }

  /**
   * About how long an answer is that shows the docs which the prepared command is to claim, in
   * bytes; 0 if it claims none, or has been executed before.
   */
  public long preparedDocsBytes() {
    boolean claims = preparedType == RecordType.CLAIM_DOCS && outcome == ResultCodes.OK;
    return !claims || isAnsweredBefore() ? 0 : claimDocsStep.foundBytes();
  }

  private boolean isAnsweredBefore() {
    return claimDocs.hasIdentity()
        && gate.knows(claimDocs.clientHigh(), claimDocs.clientLow(), claimDocs.requestNumber());
  }

  /** Answers the prepared command, which needs no record; its request sequence is 0. */
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
   * Executes the prepared command, which is in the log now.
   *
   * @param recordSequence the sequence of its record: the next one
   * @param payloadCrc the CRC32C of its payload
   */
  public void commit(long recordSequence, int payloadCrc, ResultSink sink) {
    // The check of prepare holds only for the state that it looked at.
    Invariant.check(
        preparedBehind == sequence, "nothing is applied after prepare", preparedBehind, sequence);
    begin(recordSequence, payloadCrc, preparedTimeMs, sink);
    if (preparedType == RecordType.TICK) {
      waiterScheduler.advance(logTimeMs);
    } else {
      // Else the check that was made before would not hold any more.
      Invariant.check(nextDeadlineMs > logTimeMs, "a tick goes first", nextDeadlineMs, logTimeMs);
    }
    execute();
  }

  /**
   * Lets time pass up to the log time of a record, then executes the record's command.
   *
   * @param recordType a number of {@link RecordType}
   * @param payloadCrc the CRC32C of the payload
   * @param timeMs the record's log time
   * @param recordSequence the record's sequence: the next one
   * @throws io.entroq.codec.message.MalformedMessageException if it cannot be read; nothing changed
   * @throws UnsupportedLevelException if it asks for a behaviour that this build does not have;
   *     nothing changed
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
    // First, so that a record that cannot be applied leaves the state as it was.
    decode(recordType, command, offset, length);
    requireSupportedLevel();
    begin(recordSequence, payloadCrc, timeMs, sink);
    waiterScheduler.advance(timeMs);
    check(timeMs);
    execute();
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
    waiterScheduler.step(level);
  }

  private void execute() {
    Invariant.check(
        level > 0 || preparedType == RecordType.GENESIS,
        "a log begins with Genesis",
        sequence,
        preparedType);
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
        // A tick has done its work by its time. A cut speaks to whoever reads the log.
      }
    }
    waiterScheduler.serve(logTimeMs);
    nextDeadlineMs = waiterScheduler.nextDeadlineMs();
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
      claimRevoker.allGone(logTimeMs);
      return;
    }
    for (int i = 0; i < callersGone.clientCount(); i++) {
      int client =
          stores.clients.find(
              callersGone.client(i).clientHigh(), callersGone.client(i).clientLow());
      if (client != Slab.NONE) {
        claimRevoker.gone(client, logTimeMs);
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
   * Whether what a request has claimed would be given back if its callers were gone now: a task of
   * it still stands as it was given, and neither the client nor the log says that the answer is on
   * its way. Changes nothing.
   */
  public boolean wouldGiveBack(long clientHigh, long clientLow, long number) {
    return claimRevoker.wouldGiveBack(stores.clients.find(clientHigh, clientLow), number);
  }

  /**
   * The earliest log time at which a Tick has something to do: {@link Long#MAX_VALUE} if never, a
   * time that has passed if at once.
   */
  public long nextDeadlineMs() {
    return nextDeadlineMs;
  }

  /** The sequence of the last record; 0 before the first. */
  public long sequence() {
    return sequence;
  }

  /** The log time of the last record, in milliseconds since the epoch. */
  public long logTimeMs() {
    return logTimeMs;
  }

  /** The behaviour level; 0 before the first record. */
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

  /** A chain over all that happened. */
  public long historyDigest() {
    return stores.digest.history();
  }

  /** A sum over all that there is. */
  public long contentDigest() {
    return stores.digest.content();
  }

  /** The content digest computed anew, which takes time in proportion to the state. */
  public long recomputeContentDigest() {
    return ContentDigest.of(stores, table, docTable);
  }

  /** Number of tasks. */
  public long taskCount() {
    return stores.tasks.size();
  }

  /** Number of docs. */
  public long docCount() {
    return stores.docs.size();
  }

  /** Number of parked claims. */
  public int parkedCount() {
    return stores.waiters.size();
  }

  /** Number of clients whose requests have receipts. */
  public int clientCount() {
    return stores.clients.size();
  }

  /** Whether it has receipts of a client. */
  public boolean hasClient(long clientHigh, long clientLow) {
    return stores.clients.find(clientHigh, clientLow) != Slab.NONE;
  }

  /** Visits clients. */
  @FunctionalInterface
  public interface ClientVisitor {
    void onClient(long clientHigh, long clientLow);
  }

  /**
   * Visits those clients of whom a claim waits, or would be given back if they were gone, in an
   * order that is state.
   */
  public void forEachClaiming(ClientVisitor visitor) {
    for (int client = stores.clients.first();
        client != Slab.NONE;
        client = stores.clients.next(client)) {
      if (claimRevoker.wouldMiss(client)) {
        visitor.onClient(stores.clients.high(client), stores.clients.low(client));
      }
    }
  }

  /** Bytes of memory held outside the heap. */
  public long memoryBytes() {
    return stores.memoryBytes() + (frozen == null ? 0 : frozen.keptBytes());
  }

  /** About how many bytes an image of the state takes. */
  public long liveBytes() {
    return stores.liveBytes();
  }

  /**
   * Keeps the state as it is now for one other thread, which writes it down while commands go on
   * here. Takes a fraction of a millisecond. Between two commands, and not before the state has
   * been thawed if it is frozen already.
   *
   * <p>The first change of a chunk of records makes a copy of it. When the copies come to {@link
   * StateMachineConfig#keptBytesMax}, the next change waits until {@link FrozenState#writeTo} has
   * come further; so it must be called, or {@link FrozenState#release}.
   */
  public FrozenState freeze() {
    return freeze(keptBytesMax);
  }

  /**
   * The same with another bound on the copies, for whoever knows how much memory is left.
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
        stores.digest.content(),
        stores.arrivals.lastOrder(),
        stores.tasks.size(),
        stores.queues.size(),
        stores.claimants.size(),
        stores.waiters.size(),
        stores.waiters.membershipCount(),
        stores.clients.size(),
        toServe.head(),
        stores.clients.firstBusy(),
        stores.clients.longestIdle());
  }

  /** Ends the freeze; {@link FrozenState#release} has been called. */
  public void thaw() {
    Invariant.check(frozen != null && frozen.isReleased(), "frozen and released", sequence, 0);
    stores.thaw();
    frozen = null;
  }

  /** Takes up what an image says of the state as a whole; the stores are filled already. */
  void restore(ImageHead head, int firstToServe, int lastToServe) {
    level = head.level();
    sequence = head.sequence();
    logTimeMs = head.logTimeMs();
    logIdHigh = head.logIdHigh();
    logIdLow = head.logIdLow();
    stores.random.seed(head.random());
    stores.arrivals.lastOrder(head.lastOrder());
    stores.digest.restore(head.historyDigest(), head.contentDigest());
    toServe.restore(firstToServe, lastToServe);
    nextDeadlineMs = waiterScheduler.nextDeadlineMs();
  }

  /** Gives all memory back; the machine must not be used any more, nor be frozen. */
  @Override
  public void close() {
    Invariant.check(frozen == null, "not frozen", sequence, 0);
    stores.close();
    answers.close();
  }

  /**
   * Whether what a Modify inserts and changes finds room in the memory that is held already.
   *
   * @param others how many tasks and docs, of whatever size, have been promised room there before
   */
  public boolean fitsMemoryHeld(ModifyDecoder command, int others) {
    return spareRoom.fits(command, others);
  }

  /**
   * Goes on with a listing of tasks, between commands, and changes nothing.
   *
   * @param effort how much to do: {@link TaskLister#list}
   * @return false if the sink took no more, or the listing is done
   */
  public boolean listTasks(TaskCursor cursor, long nowMs, int effort, TaskVisitor sink) {
    return taskLister.list(cursor, sequence, nowMs, effort, sink);
  }

  /**
   * Goes on with a listing of queues, between commands, and changes nothing.
   *
   * @param effort how much to do: {@link QueueLister#list}
   * @return false if the sink took no more, or the listing is done
   */
  public boolean listQueues(QueueCursor cursor, long nowMs, int effort, QueueVisitor sink) {
    return queueLister.list(cursor, nowMs, effort, sink);
  }

  /**
   * Goes on with a listing of docs, between commands, and changes nothing.
   *
   * @param effort how much to do: {@link DocLister#list}
   * @return false if the sink took no more, or the listing is done
   */
  public boolean listDocs(DocCursor cursor, int effort, DocVisitor sink) {
    return docLister.list(cursor, sequence, effort, sink);
  }

  /**
   * Goes on with a listing of namespaces, between commands, and changes nothing.
   *
   * @param effort how much to do: {@link NamespaceLister#list}
   * @return false if the sink took no more, or the listing is done
   */
  public boolean listNamespaces(
      NamespaceCursor cursor, long nowMs, int effort, NamespaceVisitor sink) {
    return namespaceLister.list(cursor, nowMs, effort, sink);
  }
}

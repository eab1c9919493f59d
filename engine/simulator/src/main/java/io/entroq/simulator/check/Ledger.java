package io.entroq.simulator.check;

import io.entroq.api.Durability;
import io.entroq.codec.record.RecordType;
import io.entroq.codec.result.ResultDecoder;
import io.entroq.engine.state.StateMachine;
import io.entroq.simulator.call.ReadWatcher;
import io.entroq.simulator.undo.PeakHistory;
import io.entroq.simulator.undo.RestorePoints;
import java.util.List;
import java.util.Locale;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;

/**
 * Watches one engine from outside, over all its lives, and throws {@link Violation} as soon as an
 * {@link Invariant} is broken; after that it is of no more use but for {@link #lastCommands}.
 *
 * <p>What whoever runs the engine tells it, in this order for each record:
 *
 * <ol>
 *   <li>{@link #onRecord} when the record has been appended, before it is applied;
 *   <li>{@link #onResult} for each answer that applying it brings about, {@link #onParked} if the
 *       record's own request has none yet; answers of claims that waited in the order in which the
 *       engine gives them, the request's own before or behind them;
 *   <li>{@link #onStepEnd} when it has been applied. Here everything is checked.
 * </ol>
 *
 * <p>In between: {@link #onUnlogged} for an answer without a record, {@link #onForced}, {@link
 * #onReplyLeft}, {@link #onIdle}, {@link #full}. At the end of a life {@link #onDeath}; at the
 * beginning of the next {@link #onRecovered}, then the records with which the engine begins, then
 * {@link #onOpened}. A new ledger is at the beginning of the first life.
 *
 * <p>An engine may die after a record was appended and before it was applied. If the record is
 * there when the engine comes back, what became of it has to be known: have the dead state machine
 * execute it all the same and tell the answers, and then {@link #onDeath}.
 *
 * <p>One thread. A record costs about a microsecond and makes nearly no objects.
 */
public final class Ledger implements AnswerReporter.Listener {
  /** What a state machine takes with nothing in it. */
  private static final long MEMORY_BASE_BYTES = 64L << 20;

  /** What is live with nothing in it. */
  private static final long LIVE_BASE_BYTES = 256 << 10;

  /** Large blocks are up to one part in so many larger than what is in them. */
  private static final int BLOCK_PARTS = 8;

  /** So many times the log that makes a snapshot due may be there beside what is live. */
  private static final int DISK_LOGS = 4;

  private final LedgerConfig config;
  private final Account account = new Account();
  private final Fairness fairness = new Fairness();
  private final RecentCommands recent = new RecentCommands();
  private final Rules rules = new Rules(account, fairness, recent);
  private final FullCount fullCount = new FullCount(account);
  private final QueueSweep sweep = new QueueSweep(account);
  private final RestorePoints past =
      new RestorePoints(new RestorePoints.Point(account.cells.point(), 0, 0, 0));
  private final Step step = new Step();
  private final ExpandableArrayBuffer command = new ExpandableArrayBuffer(1_024);
  private int commandLength;

  /** The type of a record that is not over; 0 if all are. */
  private int openType;

  private boolean isDamaged;
  private boolean isForcedWhole;
  private long forced;
  private long shown;

  /** What has to be found; less and less with what happens before an engine comes back. */
  private long expectedAtLeast = Long.MAX_VALUE;

  private final PeakHistory cellPeaks = new PeakHistory();
  private final PeakHistory contentPeaks = new PeakHistory();
  private String subject = "";

  /** Callers that there were when the engine came back, and whether it has said they are gone. */
  private int callersFound;

  private boolean hasGoneRecord;

  /** Watches an engine that begins with an empty log. */
  public Ledger(LedgerConfig config) {
    this.config = config;
  }

  // Records.

  /**
   * A record has been appended.
   *
   * @param type a number of {@link RecordType}
   * @param payload its bytes, which are copied
   */
  public void onRecord(
      long sequence, long logTimeMs, int type, DirectBuffer payload, int offset, int length) {
    if (openType != 0) {
      throw new IllegalStateException("record @" + account.sequence + " is not over yet");
    }
    recent.add(sequence, logTimeMs, type, payload, offset, length);
    if (sequence != account.sequence + 1) {
      throw noted(
          Invariant.NO_GAP.broken(Step.name(sequence), "@" + (account.sequence + 1), sequence));
    }
    if (logTimeMs < account.nowMs) {
      throw noted(
          Invariant.TIME_NEVER_BACK.broken(
              Step.name(sequence), "not before " + account.nowMs, logTimeMs));
    }
    if (isFromCaller(type)) {
      requireNothingDue(logTimeMs);
    }
    payload.getBytes(offset, command, 0, length);
    commandLength = length;
    openType = type;
    account.answers.clear();
    hasGoneRecord |= type == RecordType.CALLERS_GONE;
    step.begin(sequence, logTimeMs);
  }

  private static boolean isFromCaller(int type) {
    return type == RecordType.CLAIM || type == RecordType.MODIFY || type == RecordType.CLAIM_DOCS;
  }

  /** What is due has a tick of its own, before any command of the same time or a later one. */
  private void requireNothingDue(long nowMs) {
    if (account.nextDeadlineMs() > nowMs) {
      return;
    }
    boolean isDeadline = account.waiters.firstDeadlineMs() <= nowMs;
    throw noted(
        (isDeadline ? Invariant.WAITS_END : Invariant.CLAIMERS_SERVED)
            .broken(
                Step.name(account.sequence + 1),
                "a tick first, as something is due at " + account.nextDeadlineMs(),
                "none at " + nowMs));
  }

  /**
   * The record that is being applied has brought about an answer.
   *
   * @param requestSequence the record that asked: this one, or that of a claim that waited
   * @param result the answer, which is taken down
   */
  @Override
  public void onResult(long requestSequence, ResultDecoder result) {
    requireOpen();
    if (requestSequence == step.sequence && account.answers.has(requestSequence)) {
      throw noted(
          Invariant.ONE_ANSWER.broken(Step.name(requestSequence), "one answer", "a second one"));
    }
    account.answers.add(requestSequence, result);
  }

  /**
   * The claim of the record that is being applied waits, or has joined an earlier one that does.
   */
  @Override
  public void onParked(long requestSequence) {
    requireOpen();
    if (requestSequence != step.sequence || account.answers.has(requestSequence)) {
      throw noted(
          Invariant.ONE_ANSWER.broken(
              Step.name(requestSequence), "an answer or to wait", "both, or out of turn"));
    }
  }

  private void requireOpen() {
    if (openType == 0) {
      throw new IllegalStateException("no record is being applied after @" + account.sequence);
    }
  }

  /**
   * The record has been applied.
   *
   * @param historyDigest the state machine's, after it; it and the other 0 if nobody knows them
   * @param contentDigest likewise
   */
  public void onStepEnd(long sequence, long historyDigest, long contentDigest) {
    requireOpen();
    if (sequence != step.sequence) {
      throw new IllegalArgumentException("@" + sequence + " is not @" + step.sequence);
    }
    int type = openType;
    openType = 0;
    try {
      rules.execute(step, type, command, commandLength);
      requireNothingLeft();
    } catch (Violation violation) {
      throw noted(violation);
    }
    account.sequence = sequence;
    account.nowMs = step.nowMs;
    past.add(
        new RestorePoints.Point(account.cells.point(), step.nowMs, historyDigest, contentDigest));
    cellPeaks.note(sequence, account.cells.liveBytes());
    contentPeaks.note(sequence, account.contentBytes());
    forget();
  }

  private void requireNothingLeft() {
    if (!account.answers.isEmpty()) {
      throw Invariant.ONE_ANSWER.broken(
          Step.name(account.answers.firstRemaining()), "no answer in " + step.name(), "an answer");
    }
  }

  /** What cannot be lost any more need not be undone. */
  private void forget() {
    long safe = config.losesPower() ? forced : account.sequence;
    long oldest = Math.min(safe, account.sequence) - config.recordsKept();
    if (oldest > past.first()) {
      past.forgetBefore(oldest);
      account.cells.forget(past.at(oldest).cells());
    }
  }

  /**
   * A command was answered without a record: it found or changed nothing.
   *
   * @param type a number of {@link RecordType}
   * @param payload the command
   * @param result its answer, which says at what time
   */
  public void onUnlogged(
      int type, DirectBuffer payload, int offset, int length, ResultDecoder result) {
    if (openType != 0) {
      throw new IllegalStateException("record @" + step.sequence + " is not over yet");
    }
    if (result.logTimeMs() < account.nowMs) {
      throw noted(
          Invariant.TIME_NEVER_BACK.broken(
              "an answer without a record", "not before " + account.nowMs, result.logTimeMs()));
    }
    requireNothingDue(result.logTimeMs());
    payload.getBytes(offset, command, 0, length);
    account.answers.clear();
    step.begin(account.sequence, result.logTimeMs());
    account.answers.add(account.sequence, result);
    try {
      rules.expectUnlogged(step, type, command, length);
    } catch (Violation violation) {
      throw noted(violation);
    }
  }

  // Time and durability.

  /**
   * The engine has done all that is due.
   *
   * @param nowMs log time now
   * @param nextDeadlineMs when it says it has something to do next
   */
  public void onIdle(long nowMs, long nextDeadlineMs) {
    requireNothingDue(nowMs);
    long expected = account.nextDeadlineMs();
    if (nextDeadlineMs != expected) {
      throw noted(Invariant.WAITS_END.broken("next deadline", expected, nextDeadlineMs));
    }
  }

  /** Everything up to a record has been forced, as the engine says. */
  public void onForced(long sequence) {
    forced = Math.max(forced, sequence);
    forget();
  }

  /**
   * A reply has left, of a write or a read.
   *
   * @param sequence the newest record of which it shows anything
   */
  public void onReplyLeft(long sequence) {
    if (config.durability() == Durability.DISK && sequence > forced) {
      throw noted(
          Invariant.DURABLE_REPLY.broken(
              Step.name(sequence), "forced before it is shown", "forced up to @" + forced));
    }
    shown = Math.max(shown, sequence);
  }

  // Lives.

  /**
   * Somebody has damaged files of the engine, which is dead.
   *
   * @param least nothing that is left tells of the records behind this one, so they may be gone
   */
  public void onDamage(long least) {
    isDamaged = true;
    expectedAtLeast = Math.min(expectedAtLeast, least);
  }

  /** The engine is dead; of what it was about to say nothing will be heard. */
  public void onDeath(Death death) {
    openType = 0;
    // What is read after a loss of power is on the disk; after another death it may be in memory.
    isForcedWhole = death != Death.PROCESS;
    expectedAtLeast = Math.min(expectedAtLeast, leastAfter(death));
  }

  private long leastAfter(Death death) {
    return switch (death) {
      case PROCESS -> config.durability() == Durability.NONE ? 0 : account.sequence;
      case POWER -> config.durability() == Durability.DISK ? Math.max(forced, shown) : forced;
      case POWER_AND_LIES -> 0;
    };
  }

  /**
   * The engine has come back, and has not added anything yet.
   *
   * @param sequence its newest record
   * @param logTimeMs the record's time
   * @param historyDigest of the recovered state
   * @param contentDigest likewise
   */
  public void onRecovered(long sequence, long logTimeMs, long historyDigest, long contentDigest) {
    requireEnd(sequence);
    RestorePoints.Point then = past.at(sequence);
    boolean isKnown = (then.historyDigest() | then.contentDigest()) != 0;
    if (then.timeMs() != logTimeMs
        || (isKnown
            && (then.historyDigest() != historyDigest || then.contentDigest() != contentDigest))) {
      throw noted(
          (isDamaged ? Invariant.DAMAGE_NEVER_SERVED : Invariant.REPLAY_SAME)
              .broken(
                  Step.name(sequence),
                  describe(then.timeMs(), then.historyDigest(), then.contentDigest()),
                  describe(logTimeMs, historyDigest, contentDigest)));
    }
    goBack(sequence);
  }

  private static String describe(long timeMs, long historyDigest, long contentDigest) {
    return String.format(
        Locale.ROOT, "time %d, history %016x, content %016x", timeMs, historyDigest, contentDigest);
  }

  /**
   * As above, where the digests before the engine's first records are unknown. {@link #onOpened}
   * then compares the state task by task.
   */
  public void onRecovered(long sequence) {
    requireEnd(sequence);
    goBack(sequence);
  }

  private void requireEnd(long sequence) {
    if (sequence > past.last()) {
      throw noted(
          Invariant.NO_PHANTOM.broken(Step.name(sequence), "up to @" + past.last(), sequence));
    }
    if (sequence < expectedAtLeast) {
      Invariant invariant =
          sequence < shown ? Invariant.ACKNOWLEDGED_STAYS : Invariant.OPEN_FINDS_END;
      throw noted(
          (isDamaged ? Invariant.DAMAGE_NEVER_SERVED : invariant)
              .broken(
                  Step.name(sequence + 1),
                  "recovered, with all up to @" + expectedAtLeast,
                  "recovered up to @" + sequence));
    }
    if (sequence < past.first()) {
      throw new IllegalStateException(
          String.format(Locale.ROOT, "cannot go back to @%d, only to @%d", sequence, past.first()));
    }
  }

  private void goBack(long sequence) {
    account.cells.goBack(past.at(sequence).cells());
    cellPeaks.goBack(sequence);
    contentPeaks.goBack(sequence);
    account.sequence = sequence;
    account.nowMs = past.at(sequence).timeMs();
    callersFound = account.clients.size();
    hasGoneRecord = false;
    past.goBack(sequence);
    expectedAtLeast = Long.MAX_VALUE;
    forced = isForcedWhole ? sequence : Math.min(forced, sequence);
    shown = Math.min(shown, sequence);
    isDamaged = false;
  }

  /**
   * The engine takes commands of others now. Compares everything.
   *
   * @param machine its state machine, which is only read
   */
  public void onOpened(StateMachine machine) {
    if (callersFound > 0 && !hasGoneRecord) {
      throw noted(
          Invariant.GIVEN_BACK.broken(
              "the opening", "a record that all callers are gone", "none, of " + callersFound));
    }
    callersFound = 0;
    count(machine);
  }

  // Reads.

  /**
   * Somebody lists docs, between records: who sees what is shown, and fails if it is not right.
   *
   * @param query a ListDocs, which must stay as it is until the listing is over
   */
  public ReadWatcher listDocs(DirectBuffer query, int offset, int length) {
    return new DocListing(account, query, offset, length);
  }

  /** Somebody lists namespaces: likewise, with no record in between. */
  public ReadWatcher listNamespaces(DirectBuffer query, int offset, int length) {
    return new NamespaceListing(account, query, offset, length);
  }

  // Now and then.

  /**
   * Compares everything that there is: every task, doc, queue and figure. Takes time in proportion
   * to the state.
   *
   * @param machine the engine's, which is only read
   * @param since the record of the snapshot that the engine began its life with; 0 if with none
   */
  public void full(StateMachine machine, long since) {
    count(machine);
    requireMemory(machine.memoryBytes(), since);
    requireLive(machine.liveBytes());
    sweep.sweep(past.first());
  }

  private void count(StateMachine machine) {
    try {
      fullCount.check(machine);
      fairness.check();
    } catch (Violation violation) {
      throw noted(violation);
    }
  }

  /**
   * In its life an engine gives no memory back, so it is measured by the most that has been live in
   * all that it has executed.
   */
  void requireMemory(long bytes, long since) {
    long most = MEMORY_BASE_BYTES + 3 * cellPeaks.since(since) + 6 * contentPeaks.since(since);
    if (bytes > most) {
      throw noted(
          Invariant.MEMORY_BOUNDED.broken(
              "the state", "up to " + most + " bytes", bytes + " bytes"));
    }
  }

  /** What the engine says is live is what an image takes, and so less than it takes here. */
  void requireLive(long bytes) {
    long content = account.contentBytes() + account.contentBytes() / BLOCK_PARTS;
    long most = LIVE_BASE_BYTES + content + account.cells.liveBytes();
    if (bytes > most) {
      throw noted(
          Invariant.MEMORY_BOUNDED.broken(
              "what is live", "up to " + most + " bytes", bytes + " bytes"));
    }
  }

  /**
   * What the directory takes, when no upkeep is under way or overdue.
   *
   * @param usedBytes of all its files
   * @param liveBytes the largest snapshot that this life of the engine has found or written
   * @param snapshotLogBytes so much log makes a snapshot due
   */
  public void onDiskUse(long usedBytes, long liveBytes, long snapshotLogBytes) {
    long most = 4 * liveBytes + DISK_LOGS * snapshotLogBytes;
    if (usedBytes > most) {
      throw noted(
          Invariant.DISK_BOUNDED.broken(
              "the directory", "up to " + most + " bytes", usedBytes + " bytes"));
    }
  }

  /** Checks what only many choices show; at the end of a world. */
  public void end() {
    try {
      fairness.check();
    } catch (Violation violation) {
      throw noted(violation);
    }
  }

  // What there is to tell.

  /** The newest record that is accounted for. */
  public long sequence() {
    return account.sequence;
  }

  /** Log time of that record, milliseconds since the epoch. */
  public long logTimeMs() {
    return account.nowMs;
  }

  /** Number of tasks. */
  public int taskCount() {
    return account.tasks.size();
  }

  /** Number of docs. */
  public int docCount() {
    return account.docs.size();
  }

  /** Number of parked claims. */
  public int parkedCount() {
    return account.waiters.size();
  }

  /** When the engine has something to do next; {@link Long#MAX_VALUE}: never; past: at once. */
  public long nextDeadlineMs() {
    return account.nextDeadlineMs();
  }

  /**
   * The last records that touched what the last violation was about, the oldest first; of whatever
   * it was if they are not known any more.
   */
  public List<String> lastCommands(int most) {
    return lastCommands(subject, most);
  }

  /** As {@link #lastCommands(int)}, of what somebody else has found something wrong with. */
  public List<String> lastCommands(String about, int most) {
    List<String> found = recent.mentioning(about, most);
    return found.isEmpty() ? recent.mentioning("", most) : found;
  }

  private Violation noted(Violation violation) {
    subject = violation.subject();
    return violation;
  }

  /** How an engine ends, which decides what must be there when it comes back. */
  public enum Death {
    /** Its process ended; what it had written is in the page cache or on the disk. */
    PROCESS,
    /** Power failed; what was forced is on the disk. */
    POWER,
    /** Power failed, and the disk had said of writes that they were forced that were not. */
    POWER_AND_LIES
  }
}

package io.entroq.simulator.check;

import io.entroq.api.Durability;
import io.entroq.codec.record.RecordType;
import io.entroq.codec.result.ResultDecoder;
import io.entroq.engine.state.StateMachine;
import io.entroq.simulator.call.AnswerReporter;
import io.entroq.simulator.call.ReadWatcher;
import io.entroq.simulator.call.Request;
import io.entroq.simulator.coverage.RuleCounts;
import io.entroq.simulator.text.RecentCommands;
import io.entroq.simulator.undo.PeakHistory;
import io.entroq.simulator.undo.RestorePoints;
import java.util.List;
import java.util.Locale;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;

/**
 * Observes one engine from outside, over all its lives, and throws {@link Violation} as soon as an
 * {@link Invariant} is violated. After that, only {@link #lastCommands} may be called.
 *
 * <p>The caller reports each record in this order:
 *
 * <ol>
 *   <li>{@link #onRecord} when the record has been appended, before it is applied;
 *   <li>{@link #onResult} for each answer that applying it produces, or {@link #onParked} if the
 *       record's own request has no answer yet. Answers to waiting claims come in the engine's
 *       order; the request's own answer comes before or after them;
 *   <li>{@link #onStepEnd} when the record has been applied. Everything is checked here.
 * </ol>
 *
 * <p>Between records: {@link #onUnlogged} for an answer without a record, {@link #onForced}, {@link
 * #onReplyLeft}, {@link #onIdle}, {@link #full}. A life ends with {@link #onDeath}. The next begins
 * with {@link #onRecovered}, the engine's first records and {@link #onOpened}. A new ledger is at
 * the beginning of the first life.
 *
 * <p>An engine may die between appending and applying a record. If the record will be recovered,
 * let the dead state machine execute it, report the answers, and then call {@link #onDeath}.
 *
 * <p>One thread. A record costs about a microsecond and allocates little.
 */
public final class Ledger implements AnswerReporter.Listener {
  /** Memory of an empty state machine. */
  private static final long MEMORY_BASE_BYTES = 64L << 20;

  /** Live bytes of an empty state machine. */
  private static final long LIVE_BASE_BYTES = 256 << 10;

  /** Large blocks may exceed their content by one part in so many. */
  private static final int BLOCK_PARTS = 8;

  /** The log on the disk may be this many times the size that makes a snapshot due. */
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

  /** The type of the record that is being applied; 0 if there is none. */
  private int openType;

  private boolean isDamaged;
  private boolean isForcedWhole;
  private long forced;
  private long shown;

  /** The least that must be recovered. Deaths and damage before the recovery lower it. */
  private long expectedAtLeast = Long.MAX_VALUE;

  private final PeakHistory cellPeaks = new PeakHistory();
  private final PeakHistory contentPeaks = new PeakHistory();
  private String subject = "";

  /** How many callers were recovered, and whether a record says that they are gone. */
  private int callersFound;

  private boolean hasGoneRecord;

  /** For an engine that begins with an empty log. */
  public Ledger(LedgerConfig config) {
    this.config = config;
  }

  // Records.

  /**
   * A record has been appended.
   *
   * @param type a number of {@link RecordType}
   * @param payload its bytes; copied
   */
  public void onRecord(
      long sequence, long logTimeMs, int type, DirectBuffer payload, int offset, int length) {
    if (openType != 0) {
      throw new IllegalStateException("record @" + account.sequence + " is still being applied");
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

  /** A tick must handle what is due before any command of the same or a later time. */
  private void requireNothingDue(long nowMs) {
    if (account.nextDeadlineMs() > nowMs) {
      return;
    }
    throw noted(
        overdue(nowMs)
            .broken(
                Step.name(account.sequence + 1),
                "a tick first, as something is due at " + account.nextDeadlineMs(),
                "none at " + nowMs));
  }

  private Invariant overdue(long nowMs) {
    if (account.waiters.firstDeadlineMs() <= nowMs) {
      return Invariant.WAITS_END;
    }
    if (account.queues.firstExpiryMs() <= nowMs) {
      return Invariant.EXPIRED_NOT_HANDED_OUT;
    }
    if (account.queues.firstCountedMs() <= nowMs) {
      return Invariant.LAPSED_NOT_HANDED_OUT;
    }
    return account.policies.epoch() > 0 ? Invariant.GATE_OPENS : Invariant.CLAIMERS_SERVED;
  }

  /**
   * The record that is being applied has produced an answer.
   *
   * @param requestSequence the record of the request: this one, or that of a claim that waited
   * @param result the answer; copied
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
   * The claim of the record that is being applied waits, or has joined an earlier one that waits.
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
   * @param historyDigest of the state machine after the record; both digests are 0 if unknown
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

  /** Records that can no longer be lost need no undo. */
  private void forget() {
    long safe = config.losesPower() ? forced : account.sequence;
    long oldest = Math.min(safe, account.sequence) - config.recordsKept();
    if (oldest > past.first()) {
      past.forgetBefore(oldest);
      account.cells.forget(past.at(oldest).cells());
    }
  }

  /**
   * A command that found or changed nothing was answered without a record.
   *
   * @param type a number of {@link RecordType}
   * @param payload the command
   * @param result its answer, with the time
   */
  public void onUnlogged(
      int type, DirectBuffer payload, int offset, int length, ResultDecoder result) {
    if (openType != 0) {
      throw new IllegalStateException("record @" + step.sequence + " is still being applied");
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
   * The engine has done everything that is due.
   *
   * @param nowMs log time now
   * @param nextDeadlineMs when the engine says that it has something to do next
   */
  public void onIdle(long nowMs, long nextDeadlineMs) {
    requireNothingDue(nowMs);
    long expected = account.nextDeadlineMs();
    // What frees memory only, as the end of what is remembered, is not predicted.
    boolean isForMemory =
        account.hasPolicies() && nextDeadlineMs > nowMs && nextDeadlineMs < expected;
    if (nextDeadlineMs != expected && !isForMemory) {
      throw noted(Invariant.WAITS_END.broken("next deadline", expected, nextDeadlineMs));
    }
  }

  /** The engine reports everything up to a record as forced. */
  public void onForced(long sequence) {
    forced = Math.max(forced, sequence);
    forget();
  }

  /**
   * A reply to a write or a read has left.
   *
   * @param sequence the newest record that it shows
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
   * Files of the dead engine have been damaged.
   *
   * @param least records after this one may be lost, because nothing that is left proves them
   */
  public void onDamage(long least) {
    isDamaged = true;
    expectedAtLeast = Math.min(expectedAtLeast, least);
  }

  /** The engine is dead and reports nothing more. */
  public void onDeath(Death death) {
    openType = 0;
    // After a power loss, everything readable is on the disk; otherwise it may be in memory.
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
   * The engine has recovered and added nothing yet.
   *
   * @param sequence the newest record
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
   * The engine is open. Compares the whole state.
   *
   * @param machine of the engine; only read
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
   * A read begins between two records. The watcher checks what it shows. No record may come before
   * the end of one that lists no docs.
   *
   * @param request must not change until the read is over
   */
  public ReadWatcher onRead(Request request) {
    DirectBuffer query = request.command();
    int length = query.capacity();
    return switch (request.type()) {
      case Request.LIST_DOCS -> new DocListing(account, query, 0, length);
      case Request.LIST_NAMESPACES -> new NamespaceListing(account, query, 0, length);
      case Request.TASK_POSITION -> new PositionCheck(account, query, 0, length);
      default -> ReadWatcher.NONE;
    };
  }

  // Regular checks.

  /**
   * Compares the whole state: tasks, docs, queues and statistics. Takes time in proportion to the
   * state.
   *
   * @param machine of the engine; only read
   * @param since the record of the snapshot that the engine started from; 0 if none
   */
  public void full(StateMachine machine, long since) {
    count(machine);
    requireMemory(machine.memoryBytes(), since);
    requireLive(machine.liveBytes());
    sweep.sweep(past.first());
  }

  /**
   * Asks where some tasks stand, others each time.
   *
   * @param machine of the engine; only read
   */
  public void positions(StateMachine machine) {
    fullCount.positions(machine);
  }

  private void count(StateMachine machine) {
    try {
      fullCount.check(machine);
      fairness.check();
    } catch (Violation violation) {
      throw noted(violation);
    }
  }

  /** A living engine frees no memory, so the bound is the peak of what it has executed. */
  void requireMemory(long bytes, long since) {
    long most = MEMORY_BASE_BYTES + 3 * cellPeaks.since(since) + 6 * contentPeaks.since(since);
    if (bytes > most) {
      throw noted(
          Invariant.MEMORY_BOUNDED.broken(
              "the state", "up to " + most + " bytes", bytes + " bytes"));
    }
  }

  /** Live bytes are the size of an image, which is smaller than the account. */
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
   * The size of the data directory while no maintenance is running or overdue.
   *
   * @param usedBytes of all its files
   * @param liveBytes the largest snapshot that this life of the engine has found or written
   * @param snapshotLogBytes how much log makes a snapshot due
   */
  public void onDiskUse(long usedBytes, long liveBytes, long snapshotLogBytes) {
    long most = 4 * liveBytes + DISK_LOGS * snapshotLogBytes;
    if (usedBytes > most) {
      throw noted(
          Invariant.DISK_BOUNDED.broken(
              "the directory", "up to " + most + " bytes", usedBytes + " bytes"));
    }
  }

  /** Checks what shows only in many choices, at the end of a world. */
  public void end() {
    try {
      fairness.check();
    } catch (Violation violation) {
      throw noted(violation);
    }
  }

  // State.

  /** The newest record in the account. */
  public long sequence() {
    return account.sequence;
  }

  /** Log time of the newest record, milliseconds since the epoch. */
  public long logTimeMs() {
    return account.nowMs;
  }

  public int taskCount() {
    return account.tasks.size();
  }

  public int docCount() {
    return account.docs.size();
  }

  /** Bytes of values and error texts; those that copies share, once. */
  long contentBytes() {
    return account.contentBytes();
  }

  public int parkedCount() {
    return account.waiters.size();
  }

  /** How often each rule has decided so far; for reading. */
  public RuleCounts ruleCounts() {
    return account.rules;
  }

  /** When the engine has something to do next: never if {@link Long#MAX_VALUE}, now if past. */
  public long nextDeadlineMs() {
    return account.nextDeadlineMs();
  }

  /**
   * The last records that touched the subject of the last violation, the oldest first; if none is
   * known any more, the last records of any subject.
   */
  public List<String> lastCommands(int most) {
    return lastCommands(subject, most);
  }

  /** As {@link #lastCommands(int)}, for the subject of a violation found elsewhere. */
  public List<String> lastCommands(String about, int most) {
    List<String> found = recent.mentioning(about, most);
    return found.isEmpty() ? recent.mentioning("", most) : found;
  }

  private Violation noted(Violation violation) {
    subject = violation.subject();
    return violation;
  }

  /** How an engine ends, which decides what must be recovered. */
  public enum Death {
    /** Its process ended. Everything that it wrote is in the page cache or on the disk. */
    PROCESS,
    /** Power failed. Everything that was forced is on the disk. */
    POWER,
    /** Power failed, and the disk had falsely reported data as forced. */
    POWER_AND_LIES
  }
}

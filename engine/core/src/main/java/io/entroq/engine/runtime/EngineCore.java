package io.entroq.engine.runtime;

import io.entroq.api.EntroQException;
import io.entroq.codec.message.MalformedMessageException;
import io.entroq.codec.record.Crc32c;
import io.entroq.codec.record.RecordFrame;
import io.entroq.codec.record.RecordType;
import io.entroq.engine.fault.FaultHook;
import io.entroq.engine.fault.FaultPoint;
import io.entroq.engine.feed.FeedSwitch;
import io.entroq.engine.gateway.EngineStats;
import io.entroq.engine.log.CommandLog;
import io.entroq.engine.log.ForceStats;
import io.entroq.engine.space.SpaceGuard;
import io.entroq.engine.space.SpaceLevel;
import io.entroq.engine.state.ResultSink;
import io.entroq.engine.state.StateMachine;
import io.entroq.engine.time.ClockStats;
import io.entroq.engine.time.LogClock;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Turns commands into records and records into state: reads the clock, does what is due, checks a
 * command, logs it, applies it. Allocates nothing per command. One thread.
 *
 * <p>Its results are applied and written, not forced: the gate that releases them decides how
 * durable they must be.
 */
public final class EngineCore implements AutoCloseable {
  /**
   * Most bytes of values and error texts of the tasks whose leases a Modify changes: all that a
   * claim can give at once, whose last task may be as large as a command. Changes only with the
   * behavior level, like the estimates that are compared with it: members of a cluster refuse the
   * same commands after they are ordered.
   */
  private static final int LEASE_BYTES_MAX = 16 << 20;

  private static final DirectBuffer NOTHING = new UnsafeBuffer(new byte[0]);

  private final StateMachine machine;
  private final CommandLog log;
  private final LogClock clock;
  private final SpaceGuard space;
  private final FaultHook faults;
  private final FeedSwitch feedSwitch;
  private final Crc32c crc = new Crc32c();
  private final AtomicLong tasks = new AtomicLong();

  /** Null before the first record. */
  private volatile UUID logId;

  /** 0 before the first record. */
  private volatile int level;

  /** No later record has a log time before this; written by the applying thread. */
  private volatile long passedMs;

  private volatile boolean isTimeAsked;

  private Throwable failure;
  private boolean isClosed;

  /** Why writes are refused; null if they are not. */
  private String readOnly;

  public EngineCore(
      StateMachine machine, CommandLog log, LogClock clock, SpaceGuard space, FaultHook faults) {
    this(machine, log, clock, space, faults, new FeedSwitch());
  }

  /** The same with a switch that others know already. */
  public EngineCore(
      StateMachine machine,
      CommandLog log,
      LogClock clock,
      SpaceGuard space,
      FaultHook faults,
      FeedSwitch feedSwitch) {
    this.machine = machine;
    this.log = log;
    this.clock = clock;
    this.space = space;
    this.faults = faults;
    this.feedSwitch = feedSwitch;
    publish();
  }

  /** Shows other threads what they may see. */
  private void publish() {
    tasks.setRelease(machine.taskCount());
    if (logId == null && machine.level() > 0) {
      logId = new UUID(machine.logIdHigh(), machine.logIdLow());
    }
    if (level != machine.level()) {
      level = machine.level();
    }
  }

  /** The id of the log; null before its first record. Any thread. */
  public UUID logId() {
    return logId;
  }

  /** The behavior level of the log; 0 before its first record. Any thread. */
  public int level() {
    return level;
  }

  /**
   * Refuses all writes from now on, including what would become due. Call before the first command.
   *
   * @param why shown to callers that try to write
   */
  public void refuseWrites(String why) {
    readOnly = why;
  }

  public StateMachine machine() {
    return machine;
  }

  public CommandLog log() {
    return log;
  }

  public LogClock clock() {
    return clock;
  }

  /** Decides to whom effects are told. */
  public FeedSwitch feedSwitch() {
    return feedSwitch;
  }

  /**
   * A record that is not before the last one with this log time or an earlier one. Any thread.
   *
   * @return {@link Long#MAX_VALUE} while more of those may come; then the applying thread is asked
   *     to note the time
   */
  public long lastUntil(long timeMs) {
    // In this order: what is appended after the time was noted is later.
    if (passedMs > timeMs) {
      return log.appendedSequence();
    }
    isTimeAsked = true;
    return Long.MAX_VALUE;
  }

  /** Tells effects to who wants them, and notes the time if that is asked for. */
  public void serveFeed() {
    feedSwitch.look(machine);
    if (isTimeAsked) {
      isTimeAsked = false;
      notePassed(Math.max(clock.nowMs(), machine.logTimeMs()));
    }
  }

  /** Whether {@link #serveFeed} has something to do. Any thread. */
  public boolean isFeedDue() {
    return isTimeAsked || feedSwitch.isDue();
  }

  /** From now on no record has a log time before this. Applying thread. */
  public void notePassed(long timeMs) {
    if (timeMs > passedMs) {
      passedMs = timeMs;
    }
  }

  public SpaceGuard space() {
    return space;
  }

  /** Log time at which something is due even without a command; {@link Long#MAX_VALUE}: never. */
  public long nextDeadlineMs() {
    checkOpen();
    return readOnly == null ? machine.nextDeadlineMs() : Long.MAX_VALUE;
  }

  /**
   * Reads the clock and applies everything due by then, one record per step.
   *
   * @param sink gets the results of parked claims that this ends
   * @return the log time for the next command
   */
  public long advance(ResultSink sink) {
    checkOpen();
    // Before each command, so that a reader sees all that is asked for after it was opened.
    feedSwitch.look(machine);
    long nowMs = Math.max(clock.nowMs(), machine.logTimeMs());
    while (readOnly == null && machine.isDue(nowMs)) {
      apply(RecordType.TICK, NOTHING, 0, 0, nowMs, sink);
    }
    return nowMs;
  }

  /**
   * Logs a record that only carries the time, if the disk has space to spare.
   *
   * @return false if it has not; then nothing was done
   */
  boolean mark(ResultSink sink) {
    if (readOnly != null || !space.hasRoomToSpare(RecordFrame.HEADER_BYTES)) {
      return false;
    }
    apply(RecordType.TICK, NOTHING, 0, 0, advance(sink), sink);
    return true;
  }

  /**
   * Executes one command at the time that {@link #advance} returned just before.
   *
   * @return the sequence of its record; 0 if it was answered without one
   * @throws MalformedMessageException if the command cannot be decoded; nothing was done
   * @throws EntroQException.ResourceExhausted if the disk has no space for the record; nothing was
   *     done
   * @throws EntroQException.PermissionDenied if writes are refused. After any other exception this
   *     core has failed
   */
  public long execute(
      int type, DirectBuffer command, int offset, int length, long nowMs, ResultSink sink) {
    return execute(type, command, offset, length, false, 0, nowMs, sink);
  }

  /**
   * The same for a caller's request, or for a request ordered for several replicas: whether that is
   * refused depends on state and arguments only.
   *
   * @param isAskedOnce whether the request is never retried, so that a refusal needs no record
   * @param answerBytesMax most bytes of the docs of a ClaimDocs, or of the tasks whose leases a
   *     Modify changes; 0 for no limit of the caller's
   * @throws EntroQException.ResourceExhausted also if these exceed that; nothing was done
   */
  public long execute(
      int type,
      DirectBuffer command,
      int offset,
      int length,
      boolean isAskedOnce,
      int answerBytesMax,
      long nowMs,
      ResultSink sink) {
    checkUsable();
    if (readOnly != null) {
      throw new EntroQException.PermissionDenied(readOnly);
    }
    int verdict = prepare(type, command, offset, length, isAskedOnce, answerBytesMax, nowMs);
    try {
      if (verdict == StateMachine.ANSWER) {
        machine.answer(sink);
        return 0;
      }
      faults.reached(FaultPoint.AFTER_PREPARE_BEFORE_APPEND);
      long sequence = nextSequence();
      int payloadCrc = crc.of(command, offset, length);
      log.append(type, sequence, nowMs, payloadCrc, command, offset, length);
      faults.reached(FaultPoint.AFTER_APPEND_BEFORE_COMMIT);
      machine.commit(sequence, payloadCrc, sink);
      requireAt(sequence);
      publish();
      faults.reached(FaultPoint.AFTER_COMMIT_BEFORE_REPLY);
      return sequence;
    } catch (Throwable t) {
      // Log and state may differ now; only a replay can tell.
      failure = t;
      throw t;
    }
  }

  private int prepare(
      int type,
      DirectBuffer command,
      int offset,
      int length,
      boolean isAskedOnce,
      int answerBytesMax,
      long nowMs) {
    try {
      int verdict = machine.prepare(type, command, offset, length, nowMs);
      if (isAskedOnce && !machine.isDonePrepared()) {
        verdict = StateMachine.ANSWER;
      }
      requireAnswer(answerBytesMax);
      if (verdict == StateMachine.EXECUTE) {
        requireLeases(answerBytesMax);
        requireSpace(type, length, nowMs);
      }
      return verdict;
    } catch (MalformedMessageException | EntroQException.ResourceExhausted e) {
      throw e;
    } catch (Throwable t) {
      failure = t;
      throw t;
    }
  }

  private void requireAnswer(int bytesMax) {
    long bytes = bytesMax == 0 ? 0 : machine.preparedDocsBytes();
    if (bytes > bytesMax) {
      throw new EntroQException.ResourceExhausted(
          ("the docs of these keys have about %,d bytes, and an answer has room for %,d. Nothing was"
                  + " claimed. Claim them without their docs and list these, or use more keys")
              .formatted(bytes, bytesMax));
    }
  }

  private void requireLeases(int answerBytesMax) {
    long bytes = machine.preparedLeaseBytes();
    int bytesMax =
        answerBytesMax == 0 ? LEASE_BYTES_MAX : Math.min(LEASE_BYTES_MAX, answerBytesMax);
    if (bytes > bytesMax) {
      throw new EntroQException.ResourceExhausted(
          ("the tasks of these lease changes have about %,d bytes, and an answer has room for %,d."
                  + " Nothing was changed. Change the leases of fewer tasks at once")
              .formatted(bytes, bytesMax));
    }
    long copyBytes = machine.preparedCopyBytes();
    if (copyBytes > bytesMax) {
      throw new EntroQException.ResourceExhausted(
          ("the copies that these inserts make in the groups of topics take about %,d bytes of an"
                  + " answer, which has room for %,d. Nothing was inserted. Insert fewer tasks at"
                  + " once")
              .formatted(copyBytes, bytesMax));
    }
  }

  private void requireSpace(int type, int length, long nowMs) {
    int recordBytes = RecordFrame.HEADER_BYTES + length;
    boolean isOfCaller =
        type == RecordType.CLAIM
            || type == RecordType.MODIFY
            || type == RecordType.CLAIM_DOCS
            || type == RecordType.RAISE_LEVEL;
    if (isOfCaller) {
      space.requireForCaller(machine.isInsertPrepared(), recordBytes, nowMs);
    } else {
      space.requireForEngine(recordBytes, nowMs);
    }
  }

  /**
   * Logs a command and applies it as replay will, without doing first what is due. For commands
   * that cannot be refused and whose place in the log is fixed.
   *
   * @param nowMs at least the log time of the state
   */
  public void apply(
      int type, DirectBuffer command, int offset, int length, long nowMs, ResultSink sink) {
    checkUsable();
    try {
      space.requireForEngine(RecordFrame.HEADER_BYTES + length, nowMs);
      long sequence = nextSequence();
      int payloadCrc = crc.of(command, offset, length);
      log.append(type, sequence, nowMs, payloadCrc, command, offset, length);
      faults.reached(FaultPoint.AFTER_APPEND_BEFORE_COMMIT);
      machine.apply(type, command, offset, length, payloadCrc, nowMs, sequence, sink);
      requireAt(sequence);
      publish();
    } catch (Throwable t) {
      failure = t;
      throw t;
    }
  }

  /** Entry check: log and state are at the same record. */
  private long nextSequence() {
    long last = machine.sequence();
    requireAt(last);
    return last + 1;
  }

  /** Exit check: log and state both have this record and no later one. */
  private void requireAt(long sequence) {
    if (machine.sequence() != sequence || log.appendedSequence() != sequence) {
      throw new IllegalStateException(
          "expected record %d, but the state is at %d and the log at %d"
              .formatted(sequence, machine.sequence(), log.appendedSequence()));
    }
  }

  /** Statistics of the engine; any thread. */
  public EngineStats figures(MemoryBound memory, Housekeeper housekeeper, ForceStats forces) {
    return figures(memory, space, housekeeper, forces);
  }

  /**
   * The same for a core whose commands are admitted elsewhere.
   *
   * @param guard the one used for admission
   */
  public EngineStats figures(
      MemoryBound memory, SpaceGuard guard, Housekeeper housekeeper, ForceStats forces) {
    long usableBytes = guard.usableBytes();
    SpaceLevel level = guard.level(usableBytes);
    return new EngineStats(
        usableBytes,
        level != SpaceLevel.ENOUGH,
        level == SpaceLevel.FULL,
        guard.refused(),
        memory.refused(),
        log.appendedBytes(),
        log.appendedSequence(),
        log.forcedSequence(),
        tasks.getAcquire(),
        memory.bytesSeen(),
        housekeeper.liveBytes(),
        housekeeper.stats(),
        forces,
        new ClockStats(clock.wallMs() - clock.estimateMs(), clock.deviations()));
  }

  /** Stops the core for an external cause; only the first cause is kept. */
  public void fail(Throwable cause) {
    if (failure == null) {
      failure = cause;
    }
  }

  /** Whether log and state may differ, so that neither may change any more. */
  public boolean hasFailed() {
    return failure != null;
  }

  /** Frees the memory. Later calls throw before they touch it. */
  @Override
  public void close() {
    if (!isClosed) {
      isClosed = true;
      machine.close();
    }
  }

  private void checkOpen() {
    if (isClosed) {
      throw new IllegalStateException("the engine is closed");
    }
  }

  private void checkUsable() {
    checkOpen();
    if (failure != null) {
      throw new IllegalStateException("the engine has failed before: " + failure, failure);
    }
  }
}

package io.entroq.engine.runtime;

import io.entroq.api.EntroQException;
import io.entroq.codec.message.MalformedMessageException;
import io.entroq.codec.record.Crc32c;
import io.entroq.codec.record.RecordFrame;
import io.entroq.codec.record.RecordType;
import io.entroq.engine.fault.FaultHook;
import io.entroq.engine.fault.FaultPoint;
import io.entroq.engine.gateway.EngineStats;
import io.entroq.engine.log.CommandLog;
import io.entroq.engine.log.ForceStats;
import io.entroq.engine.space.SpaceGuard;
import io.entroq.engine.space.SpaceLevel;
import io.entroq.engine.state.ResultSink;
import io.entroq.engine.state.StateMachine;
import io.entroq.engine.time.ClockStats;
import io.entroq.engine.time.LogClock;
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
  private static final DirectBuffer NOTHING = new UnsafeBuffer(new byte[0]);

  private final StateMachine machine;
  private final CommandLog log;
  private final LogClock clock;
  private final SpaceGuard space;
  private final FaultHook faults;
  private final Crc32c crc = new Crc32c();
  private final AtomicLong tasks = new AtomicLong();
  private Throwable failure;
  private boolean isClosed;

  /** Why writes are refused; null: they are not. */
  private String readOnly;

  public EngineCore(
      StateMachine machine, CommandLog log, LogClock clock, SpaceGuard space, FaultHook faults) {
    this.machine = machine;
    this.log = log;
    this.clock = clock;
    this.space = space;
    this.faults = faults;
    tasks.setRelease(machine.taskCount());
  }

  /**
   * Refuses all writes from here on, and what the passing of time would do. Before the first
   * command.
   *
   * @param why for callers that want to write
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

  public SpaceGuard space() {
    return space;
  }

  /** Log time at which something is due without a command; {@link Long#MAX_VALUE}: never. */
  public long nextDeadlineMs() {
    checkOpen();
    return dueMs();
  }

  private long dueMs() {
    return readOnly == null ? machine.nextDeadlineMs() : Long.MAX_VALUE;
  }

  /**
   * Reads the clock and applies everything due by then, each step with a record of its own.
   *
   * @param sink gets the answers of parked claims that this ends
   * @return the log time for the next command
   */
  public long advance(ResultSink sink) {
    checkOpen();
    long nowMs = Math.max(clock.nowMs(), machine.logTimeMs());
    while (dueMs() <= nowMs) {
      apply(RecordType.TICK, NOTHING, 0, 0, nowMs, sink);
    }
    return nowMs;
  }

  /**
   * Logs a record that only carries the time, if the disk has room to spare.
   *
   * @return false if it has not; then nothing has happened
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
   * @throws MalformedMessageException if the command cannot be read; then nothing has happened
   * @throws EntroQException.ResourceExhausted if a caller's command finds no room on the disk; then
   *     nothing has happened
   * @throws EntroQException.PermissionDenied if nothing may be written. Any other exception is the
   *     end of this core
   */
  public long execute(
      int type, DirectBuffer command, int offset, int length, long nowMs, ResultSink sink) {
    return execute(type, command, offset, length, false, 0, nowMs, sink);
  }

  /**
   * The same for a request of a caller, or for one that has been put in order for several copies of
   * the state: whether that is refused depends on nothing but state and arguments.
   *
   * @param isAskedOnce whether nobody will ask for the answer again, so that a refusal needs no
   *     record
   * @param answerBytesMax how many bytes the docs of a ClaimDocs may have; 0: any number
   * @throws EntroQException.ResourceExhausted also if the docs of a ClaimDocs exceed that; then
   *     nothing has happened
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
      tasks.setRelease(machine.taskCount());
      faults.reached(FaultPoint.AFTER_COMMIT_BEFORE_REPLY);
      return sequence;
    } catch (Throwable t) {
      // Log and state may have come apart; only a replay can tell.
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
      if (verdict == StateMachine.EXECUTE) {
        requireAnswer(answerBytesMax);
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
          ("the docs of this key have about %,d bytes, and an answer has room for %,d. Nothing was"
                  + " claimed. Give them several keys, or claim them one by one by changes")
              .formatted(bytes, bytesMax));
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
   * Logs a command and applies it as a replay will, whatever else is due: for commands that cannot
   * be refused and have to stand where they stand.
   *
   * @param nowMs not before the log time of the state
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
      tasks.setRelease(machine.taskCount());
    } catch (Throwable t) {
      failure = t;
      throw t;
    }
  }

  /** Before a record: log and state are at the same one. */
  private long nextSequence() {
    long last = machine.sequence();
    requireAt(last);
    return last + 1;
  }

  /** After a record: log and state both have it, and nothing more. */
  private void requireAt(long sequence) {
    if (machine.sequence() != sequence || log.appendedSequence() != sequence) {
      throw new IllegalStateException(
          "record %d was due, and the state stands at %d, the log at %d"
              .formatted(sequence, machine.sequence(), log.appendedSequence()));
    }
  }

  /** Statistics of this core and what surrounds it; any thread. */
  public EngineStats figures(MemoryBound memory, Housekeeper housekeeper, ForceStats forces) {
    return figures(memory, space, housekeeper, forces);
  }

  /**
   * The same for a core whose commands are admitted elsewhere.
   *
   * @param guard used for admission there
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

  /** Stops the core for an outside cause; the first one counts. */
  public void fail(Throwable cause) {
    if (failure == null) {
      failure = cause;
    }
  }

  /** Whether log and state may differ, so that nothing may be added to either. */
  public boolean hasFailed() {
    return failure != null;
  }

  /** Frees the memory. Later calls are refused before they touch it. */
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

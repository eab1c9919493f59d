package io.entroq.engine.embedded;

import io.entroq.api.Durability;
import io.entroq.api.EntroQException;
import io.entroq.codec.command.ClaimEncoder;
import io.entroq.codec.command.ModifyEncoder;
import io.entroq.codec.message.MalformedMessageException;
import io.entroq.codec.record.RecordType;
import io.entroq.codec.result.ResultCodes;
import io.entroq.codec.result.ResultDecoder;
import io.entroq.engine.Closing;
import io.entroq.engine.call.LevelRequest;
import io.entroq.engine.fault.FaultHook;
import io.entroq.engine.fault.FaultPoint;
import io.entroq.engine.gateway.EngineStats;
import io.entroq.engine.log.ForceStats;
import io.entroq.engine.runtime.EngineCore;
import io.entroq.engine.runtime.Housekeeper;
import io.entroq.engine.runtime.MemoryBound;
import io.entroq.engine.state.StateMachine;
import java.nio.file.Path;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;

/**
 * The engine without threads and without allocation per call, for a caller that counts nanoseconds
 * and uses its own thread.
 *
 * <pre>{@code
 * engine.modify().claimant(me).insert(id, data);
 * if (engine.execute() == ResultCodes.OK) { ... engine.result().inserted(0).version() ... }
 * }</pre>
 *
 * <p>Fill what {@link #claim()} or {@link #modify()} returns, then {@link #execute()} it and read
 * {@link #result()}, which is valid until the next call. Waiting claims are answered later, in a
 * call of {@link #execute()} or {@link #poll()}, through a {@link WaitingListener}. With nothing to
 * execute, call poll in time for {@link #nextDeadlineMs()}. At durability {@code DISK} every call
 * forces before it returns; {@link #executeUnforced()} leaves that to {@link #force()}, and until
 * then nothing that was read may leave the caller.
 *
 * <p>A modify gets the limit {@link EmbeddedConfig#queueTasksMax}. One that would put too many
 * tasks into a queue ends with the code {@code QUEUE_FULL}, or {@code NEVER_FITS} if its own tasks
 * are too many already. The limit ends the command: an executed command can be executed again, but
 * for anything else {@link #modify()} begins a new one.
 *
 * <p>One thread at a time; only a force blocks. After an exception whose description does not say
 * that nothing was done, the engine can only be closed.
 */
public final class DrivenEngine implements AutoCloseable {
  /** The field's number in Modify, in command.proto. */
  private static final int QUEUE_TASKS_MAX_FIELD = 13;

  /** Returned by {@link #execute()} for a claim that waits; not a code of a result. */
  public static final int WAITS = -1;

  private final EngineStore store;
  private final EngineCore core;
  private final MemoryBound memory;
  private final Housekeeper housekeeper;
  private final boolean isForced;
  private final int commandBytesMax;
  private final long queueTasksMax;
  private final ExpandableArrayBuffer command = new ExpandableArrayBuffer(1024);
  private final ClaimEncoder claim = new ClaimEncoder();
  private final ModifyEncoder modify = new ModifyEncoder();
  private final DrivenSink sink;
  private int type;
  private boolean isLimited;
  private long commandSequence;

  private DrivenEngine(EmbeddedConfig config, EngineStore store, WaitingListener listener) {
    this.store = store;
    core = store.core();
    memory = new MemoryBound(core.machine(), config.memoryBytesMax());
    housekeeper = store.startUpkeep(config, () -> {});
    isForced = config.durability() == Durability.DISK;
    commandBytesMax = config.commandBytesMax();
    queueTasksMax = config.queueTasksMax();
    sink = new DrivenSink(listener);
  }

  /** Receives the answers of claims that had to wait. */
  @FunctionalInterface
  public interface WaitingListener {
    /**
     * A claim that waited was answered. Do not call the engine from here. At durability {@code
     * DISK} the answer is not forced yet: it must not leave the caller before {@link #execute()}
     * has returned or thrown, or before {@link #force()} if that is left to the caller.
     *
     * @param claimSequence what {@link #sequence()} was when the claim was executed
     * @param result valid during the call
     */
    void onResult(long claimSequence, ResultDecoder result);
  }

  /**
   * Opens an engine in a directory at durability {@code OS}, for callers whose claims do not wait.
   *
   * @throws io.entroq.engine.log.LogException if the directory is in use or cannot be read
   */
  public static DrivenEngine open(Path directory) {
    return open(EmbeddedConfig.in(directory).build(), (sequence, result) -> {});
  }

  /**
   * Opens an engine.
   *
   * @param config of which the bounds on callers and the idle time do not matter here
   * @param listener gets the answers of claims that wait, inside the calls that bring them about
   * @throws io.entroq.engine.log.LogException if the directory is in use or cannot be read
   */
  public static DrivenEngine open(EmbeddedConfig config, WaitingListener listener) {
    return open(config, listener, EngineEnvironment.ofThisMachine());
  }

  /**
   * Opens an engine in a world of its own making.
   *
   * @param config whose directory may be of any file system
   * @param listener gets the answers of claims that wait, inside the calls that bring them about
   * @param seams what that world has for what is taken from a machine
   * @throws io.entroq.engine.log.LogException if the directory is in use or cannot be read
   */
  public static DrivenEngine open(
      EmbeddedConfig config, WaitingListener listener, EngineEnvironment seams) {
    EngineStore store = EngineStore.open(config, seams);
    try {
      return new DrivenEngine(config, store, listener);
    } catch (Throwable t) {
      // No thread could be had for snapshots.
      Closing.after(t, () -> store.close(true));
      throw t;
    }
  }

  /** Begins a claim, and discards what was begun before. */
  public ClaimEncoder claim() {
    type = RecordType.CLAIM;
    return claim.wrap(command, 0);
  }

  /**
   * Begins a modify, and discards what was begun before. Leave its {@link
   * ModifyEncoder#queueTasksMax} to the engine.
   */
  public ModifyEncoder modify() {
    type = RecordType.MODIFY;
    isLimited = false;
    return modify.wrap(command, 0);
  }

  /**
   * Executes what was begun, and at level {@code DISK} forces it.
   *
   * @return the result's code; {@link #WAITS} for a claim that waits
   * @throws MalformedMessageException if it makes no sense; nothing was done
   * @throws IllegalStateException if the caller has set a modify's limit; nothing was done
   * @throws IllegalArgumentException if it is too long; nothing was done
   * @throws EntroQException.ResourceExhausted if there is no memory for what it inserts or changes,
   *     or no room for it on the disk; nothing was done
   */
  public int execute() {
    try {
      int code = executeUnforced();
      forceAtDisk();
      return code;
    } catch (MalformedMessageException | EntroQException.ResourceExhausted e) {
      // Whatever was due has happened nevertheless, and the listener was called.
      forceAtDisk();
      throw e;
    }
  }

  private void forceAtDisk() {
    if (isForced) {
      force();
    }
  }

  /** As {@link #execute()}, without the force. */
  public int executeUnforced() {
    int length = type == RecordType.CLAIM ? claim.length() : limited().length();
    return execute(type, command, 0, length);
  }

  /**
   * Executes a command that is encoded already, without the force. The limit of {@link
   * EmbeddedConfig#queueTasksMax} is not added: a modify brings its own, or none.
   *
   * @param commandType a {@link RecordType}: CLAIM, MODIFY, CLAIM_DOCS, CANCEL or ACKNOWLEDGE
   * @return the result's code; {@link #WAITS} for a claim that waits; {@link ResultCodes#OK} for
   *     ACKNOWLEDGE, which has no result
   * @throws MalformedMessageException if it makes no sense; nothing was done
   * @throws IllegalArgumentException if it is too long, or of another type; nothing was done
   * @throws EntroQException.ResourceExhausted if there is no memory for what it inserts or changes,
   *     or no room for it on the disk; nothing was done
   */
  public int executeEncoded(int commandType, DirectBuffer encoded, int offset, int length) {
    return switch (commandType) {
      case RecordType.CLAIM, RecordType.MODIFY, RecordType.CLAIM_DOCS, RecordType.CANCEL ->
          execute(commandType, encoded, offset, length);
      case RecordType.ACKNOWLEDGE -> {
        execute(commandType, encoded, offset, length);
        yield ResultCodes.OK;
      }
      default ->
          throw new IllegalArgumentException(
              RecordType.name(commandType) + " is no command of a caller");
    };
  }

  private int execute(int commandType, DirectBuffer encoded, int offset, int length) {
    if (length > commandBytesMax) {
      throw new IllegalArgumentException(
          "command has " + length + " bytes, commandBytesMax allows " + commandBytesMax);
    }
    commandSequence = 0;
    keepHouse();
    long nowMs = core.advance(sink);
    memory.require(commandType, encoded, offset, length);
    sink.ofCaller();
    commandSequence = core.execute(commandType, encoded, offset, length, nowMs, sink);
    return sink.isAnswered() ? sink.code() : WAITS;
  }

  /** The modify that was begun, with the limit in it; once, however often it is executed. */
  private ModifyEncoder limited() {
    if (isLimited) {
      return modify;
    }
    if (modify.lastField() >= QUEUE_TASKS_MAX_FIELD) {
      throw new IllegalStateException(
          "queueTasksMax of a modify is set by the engine; nothing was done. Begin anew with"
              + " modify() without it, and open the engine with EmbeddedConfig.queueTasksMax");
    }
    if (queueTasksMax > 0) {
      isLimited = true;
      modify.queueTasksMax(queueTasksMax);
    }
    return modify;
  }

  /** The answer to what was executed last. */
  public ResultDecoder result() {
    return sink.result();
  }

  /**
   * The sequence of the record of the command that was executed last; 0 if it was answered without
   * one. Before and behind it the same call may have logged records of the engine's own.
   */
  public long commandSequence() {
    return commandSequence;
  }

  /**
   * Where the command that was executed last waits: under which sequence the listener will hear its
   * answer. That is its own, or, for the retry of a claim that waits already, the sequence of that
   * one. 0 if it does not wait.
   */
  public long waitingSequence() {
    return sink.waiting();
  }

  /** Does what is due, such as ending a wait or taking a snapshot; forces nothing. */
  public void poll() {
    keepHouse();
    core.advance(sink);
  }

  private void keepHouse() {
    sink.ofNobody();
    try {
      housekeeper.poll(sink);
    } catch (Throwable t) {
      core.fail(t);
      throw t;
    }
  }

  /** Forces everything that was executed. */
  public void force() {
    if (core.log().appendedSequence() == core.log().forcedSequence()) {
      return;
    }
    FaultHook faults = store.faults();
    try {
      faults.reached(FaultPoint.BEFORE_FORCE);
      core.log().force();
      faults.reached(FaultPoint.AFTER_FORCE_BEFORE_RELEASE);
    } catch (Throwable t) {
      core.fail(t);
      throw t;
    }
  }

  /** What recovery found; null if there is no directory. */
  public RecoveryPoint found() {
    return store.found();
  }

  /** The behavior level: the version of the rules by which commands are executed. */
  public int level() {
    return core.machine().level();
  }

  /**
   * Raises the behavior level, for good, and at durability {@code DISK} forces that. Does nothing
   * if it is the level already.
   *
   * @param to up to {@link io.entroq.engine.state.Levels#MAX}, which says what each has changed
   * @throws EntroQException.InvalidArgument if this build does not support the level, or if it is
   *     below the present one
   */
  public void raiseLevel(int to) {
    LevelRequest.check(to, level());
    if (to == level()) {
      return;
    }
    // Not in the command's buffer, where the caller may have begun something.
    ExpandableArrayBuffer raise = new ExpandableArrayBuffer();
    int length = LevelRequest.encode(raise, to);
    sink.ofNobody();
    long nowMs = core.advance(sink);
    sink.ofCaller();
    core.execute(RecordType.RAISE_LEVEL, raise, 0, length, nowMs, sink);
    if (isForced) {
      force();
    }
  }

  /** The state, for reading between two calls. */
  public StateMachine machine() {
    return core.machine();
  }

  /** The sequence of the newest record. */
  public long sequence() {
    return core.machine().sequence();
  }

  /** The newest record that is on the disk, with all before it. */
  public long forcedSequence() {
    return core.log().forcedSequence();
  }

  /** Log time at which {@link #poll()} has something to do; {@link Long#MAX_VALUE}: never. */
  public long nextDeadlineMs() {
    return core.nextDeadlineMs();
  }

  /** Log time now, milliseconds since the epoch. */
  public long nowMs() {
    return Math.max(core.clock().nowMs(), core.machine().logTimeMs());
  }

  /** Statistics, for metrics. Any thread, also after close. */
  public EngineStats stats() {
    return core.figures(memory, housekeeper, ForceStats.NONE);
  }

  /** Number of tasks. */
  public long taskCount() {
    return core.machine().taskCount();
  }

  /**
   * Forces and closes the log, and releases the directory; an engine that has failed forces
   * nothing. All memory is freed even if something fails. A second call has no effect.
   */
  @Override
  public void close() {
    store.close(!core.hasFailed());
  }

  /**
   * Ends like a killed process, for simulations: frees the memory and the lock on the directory,
   * and changes nothing on the disk. Errors when closing files are ignored.
   */
  public void abandon() {
    IllegalStateException cause = new IllegalStateException("the engine was abandoned");
    core.fail(cause);
    store.abandon(cause);
  }
}

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
import io.entroq.engine.feed.FeedHub;
import io.entroq.engine.feed.FeedSource;
import io.entroq.engine.gateway.EffectFeed;
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
 * The engine without threads of its own and without allocation per call, for callers that need the
 * lowest latency and bring their own thread.
 *
 * <pre>{@code
 * engine.modify().claimant(me).insert(id, data);
 * if (engine.execute() == ResultCodes.OK) { ... engine.result().inserted(0).version() ... }
 * }</pre>
 *
 * <p>Fill what {@link #claim()} or {@link #modify()} returns, {@link #execute()} it, and read
 * {@link #result()}, which is valid until the next call. Waiting claims are answered later, through
 * a {@link WaitingListener} and during a call of {@link #execute()} or {@link #poll()}. With
 * nothing to execute, call poll by {@link #nextDeadlineMs()}. At durability {@code DISK} every call
 * forces before it returns. {@link #executeUnforced()} leaves that to {@link #force()}; do not
 * publish what you have read before then.
 *
 * <p>The engine adds the limits {@link EmbeddedConfig#queueTasksMax} and {@link
 * EmbeddedConfig#policiesMax} to a modify. A modify that would put too many tasks into a queue ends
 * with the code {@code QUEUE_FULL}, or {@code NEVER_FITS} if its own tasks alone are too many; one
 * that would add too many policies with {@code TOO_MANY_POLICIES}. The limits come last: a modify
 * that was executed with one can be executed again, but not changed.
 *
 * <p>One thread at a time; only a force blocks. After an exception that is not documented with
 * "nothing was done", the engine can only be closed.
 */
public final class DrivenEngine implements AutoCloseable {
  // Numbers of fields of Modify, in command.proto.

  private static final int QUEUE_TASKS_MAX_FIELD = 13;
  private static final int POLICIES_MAX_FIELD = 18;

  /** Returned by {@link #execute()} for a claim that waits; not a code of a result. */
  public static final int WAITS = -1;

  private final EngineStore store;
  private final EngineCore core;
  private final MemoryBound memory;
  private final Housekeeper housekeeper;
  private final boolean isForced;
  private final int commandBytesMax;
  private final long queueTasksMax;
  private final int policiesMax;
  private final ExpandableArrayBuffer command = new ExpandableArrayBuffer(1024);
  private final ClaimEncoder claim = new ClaimEncoder();
  private final ModifyEncoder modify = new ModifyEncoder();
  private final ModifyEncoder limits = new ModifyEncoder();
  private final DrivenSink sink;
  private final FeedHub feed;
  private int type;

  /** Bytes of the current modify when limits were added to it; -1: none were. */
  private int limitedBytes;

  private long commandSequence;

  private DrivenEngine(EmbeddedConfig config, EngineStore store, WaitingListener listener) {
    this.store = store;
    core = store.core();
    memory = new MemoryBound(core.machine(), config.memoryBytesMax());
    housekeeper = store.startUpkeep(config, () -> {});
    isForced = config.durability() == Durability.DISK;
    commandBytesMax = config.commandBytesMax();
    queueTasksMax = config.queueTasksMax();
    policiesMax = config.policiesMax();
    sink = new DrivenSink(listener);
    FeedSource source = store.feedSource(config.durability(), store.nanoTime(), () -> {});
    feed = new FeedHub(core.feedSwitch(), source, store.feedRingBytes(), false);
  }

  /** Receives the results of claims that waited. */
  @FunctionalInterface
  public interface WaitingListener {
    /**
     * A waiting claim was answered. Do not call the engine from here. At durability {@code DISK}
     * the result is not forced yet: do not publish it before {@link #execute()} has returned or
     * thrown, or before {@link #force()} if you force yourself.
     *
     * @param claimSequence {@link #sequence()} after the claim was executed
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
   * @param config its limits on callers and its idle time are ignored
   * @param listener gets the results of waiting claims, during the calls that produce them
   * @throws io.entroq.engine.log.LogException if the directory is in use or cannot be read
   */
  public static DrivenEngine open(EmbeddedConfig config, WaitingListener listener) {
    return open(config, listener, EngineEnvironment.ofThisMachine());
  }

  /**
   * Opens an engine in a simulated environment.
   *
   * @param config its directory may be on any {@link java.nio.file.FileSystem}
   * @param listener gets the results of waiting claims, during the calls that produce them
   * @param environment replaces the machine's clock, random numbers and so on
   * @throws io.entroq.engine.log.LogException if the directory is in use or cannot be read
   */
  public static DrivenEngine open(
      EmbeddedConfig config, WaitingListener listener, EngineEnvironment environment) {
    EngineStore store = EngineStore.open(config, environment);
    try {
      return new DrivenEngine(config, store, listener);
    } catch (Throwable t) {
      // The snapshot thread could not be started.
      Closing.after(t, () -> store.close(true));
      throw t;
    }
  }

  /** Begins a claim and discards any command begun before. */
  public ClaimEncoder claim() {
    type = RecordType.CLAIM;
    return claim.wrap(command, 0);
  }

  /**
   * Begins a modify and discards any command begun before. Do not set its {@link
   * ModifyEncoder#queueTasksMax} and {@link ModifyEncoder#policiesMax}; the engine does.
   */
  public ModifyEncoder modify() {
    type = RecordType.MODIFY;
    limitedBytes = -1;
    return modify.wrap(command, 0);
  }

  /**
   * Executes the command that was begun, and at durability {@code DISK} forces it.
   *
   * @return the result's code; {@link #WAITS} for a claim that waits
   * @throws MalformedMessageException if it is invalid; nothing was done
   * @throws IllegalStateException if the caller has set a modify's limit, or changed a modify that
   *     was executed with one; nothing was done
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
      // What was due has happened anyway, and the listener may have been called.
      forceAtDisk();
      throw e;
    }
  }

  private void forceAtDisk() {
    if (isForced) {
      force();
    }
  }

  /** Like {@link #execute()}, but does not force. */
  public int executeUnforced() {
    int length = type == RecordType.CLAIM ? claim.length() : limitedLength();
    return execute(type, command, 0, length);
  }

  /**
   * Executes an encoded command without forcing it. Does not add the limit {@link
   * EmbeddedConfig#queueTasksMax}: a modify has its own or none.
   *
   * @param commandType a {@link RecordType}: CLAIM, MODIFY, CLAIM_DOCS, CANCEL or ACKNOWLEDGE
   * @return the result's code; {@link #WAITS} for a claim that waits; {@link ResultCodes#OK} for
   *     ACKNOWLEDGE, which has no result
   * @throws MalformedMessageException if it is invalid; nothing was done
   * @throws IllegalArgumentException if it is too long or of another type; nothing was done
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
              RecordType.name(commandType) + " is not a caller's command");
    };
  }

  private int execute(int commandType, DirectBuffer encoded, int offset, int length) {
    if (length > commandBytesMax) {
      throw new IllegalArgumentException(
          "the command has " + length + " bytes, but commandBytesMax is " + commandBytesMax);
    }
    commandSequence = 0;
    doHousekeeping();
    long nowMs = core.advance(sink);
    memory.require(commandType, encoded, offset, length);
    sink.ofCaller();
    commandSequence = core.execute(commandType, encoded, offset, length, nowMs, sink);
    return sink.isAnswered() ? sink.code() : WAITS;
  }

  /**
   * Adds the limits to the current modify, as a message of their own right after it: decoders merge
   * the two, so the modify may end with any field.
   *
   * @return the length of both
   */
  private int limitedLength() {
    int own = modify.length();
    int last = modify.lastField();
    if (last == QUEUE_TASKS_MAX_FIELD || last == POLICIES_MAX_FIELD) {
      throw new IllegalStateException(
          "the engine sets queueTasksMax of a modify, and policiesMax; nothing was done. Begin again"
              + " with modify(), leave them out, and open the engine with"
              + " EmbeddedConfig.queueTasksMax and policiesMax");
    }
    if (limitedBytes != -1 && limitedBytes != own) {
      throw new IllegalStateException(
          "a modify that was executed with a limit was changed; nothing was done. Begin again with"
              + " modify()");
    }
    boolean isOfPolicies = last > QUEUE_TASKS_MAX_FIELD && policiesMax > 0;
    if (queueTasksMax == 0 && !isOfPolicies) {
      return own;
    }
    limitedBytes = own;
    limits.wrap(command, own).queueTasksMax(queueTasksMax);
    if (isOfPolicies) {
      limits.policiesMax(policiesMax);
    }
    return own + limits.length();
  }

  /** The result of the last command. */
  public ResultDecoder result() {
    return sink.result();
  }

  /**
   * The sequence of the last command's record; 0 if it was answered without one. The same call may
   * have logged records of the engine's own before and after it.
   */
  public long commandSequence() {
    return commandSequence;
  }

  /**
   * The sequence under which the listener will receive the result of the last command; 0 if it does
   * not wait. For the retry of a claim that already waits, it is that claim's sequence; otherwise
   * it is the command's own.
   */
  public long waitingSequence() {
    return sink.waiting();
  }

  /** Does what is due, such as ending a wait or taking a snapshot. Does not force. */
  public void poll() {
    doHousekeeping();
    core.advance(sink);
    feed.step();
  }

  /**
   * Shows what happens to tasks and docs. While somebody reads, and for a minute after, that takes
   * 64 MiB of direct memory. At durability {@code DISK} it shows what is forced. Any thread may
   * read it; readers that wait are told by {@link #poll}.
   */
  public EffectFeed feed() {
    return feed;
  }

  private void doHousekeeping() {
    sink.ofEngine();
    try {
      housekeeper.poll(sink);
    } catch (Throwable t) {
      core.fail(t);
      throw t;
    }
  }

  /** Forces all executed commands. */
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

  /** What recovery found; null for an engine in memory. */
  public RecoveryPoint found() {
    return store.found();
  }

  /** The behavior level: the version of the rules by which commands are executed. */
  public int level() {
    return core.machine().level();
  }

  /**
   * Raises the behavior level permanently, and at durability {@code DISK} forces that. Does nothing
   * if it is the current level.
   *
   * @param to up to {@link io.entroq.engine.state.Levels#MAX}, which lists what each level changed
   * @throws EntroQException.InvalidArgument if this build does not support the level, or if it is
   *     below the current one
   */
  public void raiseLevel(int to) {
    LevelRequest.check(to, level());
    if (to == level()) {
      return;
    }
    // Not in the command's buffer: the caller may have begun a command there.
    ExpandableArrayBuffer raise = new ExpandableArrayBuffer();
    int length = LevelRequest.encode(raise, to);
    sink.ofEngine();
    long nowMs = core.advance(sink);
    sink.ofCaller();
    core.execute(RecordType.RAISE_LEVEL, raise, 0, length, nowMs, sink);
    if (isForced) {
      force();
    }
  }

  /** The state, to be read between calls. */
  public StateMachine machine() {
    return core.machine();
  }

  /** Sequence of the newest record. */
  public long sequence() {
    return core.machine().sequence();
  }

  /** Sequence of the newest forced record; all earlier ones are forced, too. */
  public long forcedSequence() {
    return core.log().forcedSequence();
  }

  /** Log time by which to call {@link #poll()}; {@link Long#MAX_VALUE} if nothing is due. */
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

  public long taskCount() {
    return core.machine().taskCount();
  }

  /**
   * Forces and closes the log and releases the directory. After a failure it does not force. Frees
   * all memory even if a step fails. A second call has no effect.
   */
  @Override
  public void close() {
    feed.close();
    store.close(!core.hasFailed());
  }

  /**
   * Ends like a killed process, for simulations: frees the memory and the lock on the directory but
   * changes nothing on disk. Ignores errors while closing files.
   */
  public void abandon() {
    IllegalStateException cause = new IllegalStateException("the engine was abandoned");
    core.fail(cause);
    feed.close();
    store.abandon(cause);
  }
}

package io.entroq.engine.embedded;

import io.entroq.api.Durability;
import io.entroq.engine.Closing;
import io.entroq.engine.fault.FaultHook;
import io.entroq.engine.fault.FaultPoint;
import io.entroq.engine.feed.DirectoryHistory;
import io.entroq.engine.feed.FeedSource;
import io.entroq.engine.gateway.HistoryPoint;
import io.entroq.engine.history.HistoryDirectory;
import io.entroq.engine.history.ReplayBudget;
import io.entroq.engine.history.StateAt;
import io.entroq.engine.idfilter.IdRecorder;
import io.entroq.engine.log.ClusterMemberMarker;
import io.entroq.engine.log.CommandLog;
import io.entroq.engine.log.Forcer;
import io.entroq.engine.log.LogConfig;
import io.entroq.engine.log.LogDirectory;
import io.entroq.engine.log.LogException;
import io.entroq.engine.log.SegmentedLog;
import io.entroq.engine.log.VolatileLog;
import io.entroq.engine.log.retention.LogHold;
import io.entroq.engine.log.scan.HolePolicy;
import io.entroq.engine.log.scan.LogWarning;
import io.entroq.engine.maintenance.Maintenance;
import io.entroq.engine.recovery.RecoveredLog;
import io.entroq.engine.recovery.RecoveredState;
import io.entroq.engine.recovery.SnapshotWarning;
import io.entroq.engine.recovery.StateRecovery;
import io.entroq.engine.runtime.EngineCore;
import io.entroq.engine.runtime.GenesisSeed;
import io.entroq.engine.runtime.Housekeeper;
import io.entroq.engine.snapshot.SnapshotDirectory;
import io.entroq.engine.space.SpaceGuard;
import io.entroq.engine.state.ResultSink;
import io.entroq.engine.state.StateMachine;
import io.entroq.engine.state.StateMachineConfig;
import io.entroq.engine.time.ClockWarning;
import io.entroq.engine.time.LogClock;
import io.entroq.engine.time.ManualClock;
import io.entroq.engine.time.SlewedClock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.function.LongSupplier;

/** A state, its log and their directory, opened and closed together. */
final class EngineStore {
  private static final long CLOCK_BEHIND_MS_MAX = 60_000;

  private final EngineCore core;
  private final EngineEnvironment environment;
  private final OnDisk disk;
  private final RecoveryPoint found;
  private Housekeeper housekeeper;
  private boolean isClosed;

  /**
   * The directory of the store, and what recovery found in it.
   *
   * @param ids notes the ids that steps have effects on; null if no history is kept
   */
  record OnDisk(
      LogDirectory directory,
      SnapshotDirectory snapshots,
      RecoveredState state,
      RecoveryPoint found,
      SpaceGuard space,
      IdRecorder ids) {}

  /**
   * @param disk null for a store in memory
   */
  EngineStore(EngineCore core, EngineEnvironment environment, OnDisk disk) {
    this(core, environment, disk, disk == null ? null : disk.found);
  }

  private EngineStore(
      EngineCore core, EngineEnvironment environment, OnDisk disk, RecoveryPoint found) {
    this.core = core;
    this.environment = environment;
    this.disk = disk;
    this.found = found;
  }

  /**
   * Opens the configured store: locks the directory, replays its log, and logs the {@link
   * FirstCommands} in a new run. Opens the directory of a cluster member read-only, without a lock,
   * any directory as of a point likewise, and any other directory if the configuration says so.
   *
   * @throws LogException if the directory is in use, cannot be read, or is ahead of the clock
   * @throws io.entroq.engine.log.LogDamagedException if the log is damaged
   */
  static EngineStore open(EmbeddedConfig config, EngineEnvironment environment) {
    if (config.directory().isEmpty()) {
      return inMemory(config, new VolatileLog(logConfig(config)), environment);
    }
    if (config.asOf().isPresent()) {
      return asOf(config, config.asOf().get(), environment);
    }
    if (ClusterMemberMarker.isIn(config.directory().get())) {
      return ofMember(config, environment);
    }
    if (config.readOnly()) {
      return readOnly(config, environment);
    }
    LogDirectory directory = LogDirectory.open(config.directory().get(), environment.processId());
    try {
      return open(config, directory, environment);
    } catch (Throwable t) {
      Closing.after(t, directory);
      throw t;
    }
  }

  /** A new state over an empty log. */
  static EngineStore inMemory(
      EmbeddedConfig config, CommandLog log, EngineEnvironment environment) {
    StateMachine machine = new StateMachine(StateMachineConfig.DEFAULT);
    try {
      LogClock clock = clock(config);
      clock.start(Long.MIN_VALUE);
      EngineCore core =
          new EngineCore(machine, log, clock, SpaceGuard.ofNothing(), environment.faults());
      new FirstCommands(core, environment.firstAnswers())
          .genesis(GenesisSeed.random(environment.seeds()));
      return new EngineStore(core, environment, null);
    } catch (Throwable t) {
      Closing.after(t, machine);
      throw t;
    }
  }

  /** Opens the mirror of a cluster member, read-only; the member may be running. */
  private static EngineStore ofMember(EmbeddedConfig config, EngineEnvironment environment) {
    LogDirectory directory = LogDirectory.read(config.directory().get());
    SnapshotDirectory snapshots = new SnapshotDirectory(directory.directory(), Forcer.DISK);
    LogHold hold = LogHold.of(directory, "engine");
    StateMachine machine;
    try {
      machine = recover(HolePolicy.REFUSE, directory, snapshots, null).machine();
    } finally {
      hold.close();
    }
    return readOnly(
        config, environment, machine, ClusterMemberMarker.refusal(directory.directory()));
  }

  /**
   * Reads the directory and leaves it as it is. Locks it meanwhile against engines, unless the disk
   * is read-only: then none can run in it.
   */
  private static EngineStore readOnly(EmbeddedConfig config, EngineEnvironment environment) {
    Path path = config.directory().get();
    LogDirectory.requireFinished(path);
    StateMachine machine;
    try (LogDirectory directory =
        Files.isWritable(path)
            ? LogDirectory.open(path, environment.processId())
            : LogDirectory.read(path)) {
      RecoveredState state =
          StateRecovery.readOnly(
                  directory, HolePolicy.of(config.durability()), true, SnapshotWarning::log)
              .recover(ResultSink.DISCARDING);
      state.log().report().warnings().forEach(LogWarning::log);
      machine = state.machine();
    }
    return readOnly(
        config,
        environment,
        machine,
        path.toAbsolutePath() + " is open for reading only: nothing was changed");
  }

  /** Shows the directory as it was; an engine or a member may be running in it. */
  private static EngineStore asOf(
      EmbeddedConfig config, HistoryPoint point, EngineEnvironment environment) {
    Path path = config.directory().get();
    HolePolicy policy = HolePolicy.of(config.durability());
    StateMachine machine;
    try (HistoryDirectory history = HistoryDirectory.open(path, policy, "as-of")) {
      machine = new StateAt(history, config.memoryBytesMax(), config.asOfWatch()).open(point);
    }
    return asOf(config, point, machine, path.toAbsolutePath().toString(), environment);
  }

  /**
   * Shows a state that was restored.
   *
   * @param point of the state; time stands still there
   * @param machine closed with the store, also if this fails
   * @param what was restored, for messages
   */
  static EngineStore asOf(
      EmbeddedConfig config,
      HistoryPoint point,
      StateMachine machine,
      String what,
      EngineEnvironment environment) {
    try {
      long timeMs = point.timeMs() == Long.MAX_VALUE ? machine.logTimeMs() : point.timeMs();
      LogClock clock = new ManualClock(Instant.ofEpochMilli(timeMs));
      EngineCore core = coreInMemory(config, environment, machine, clock);
      core.refuseWrites(
          "%s is shown as it was at record %d: nothing was changed"
              .formatted(what, machine.sequence()));
      return new EngineStore(core, environment, null, RecoveryPoint.of(machine));
    } catch (Throwable t) {
      Closing.after(t, machine);
      throw t;
    }
  }

  /**
   * A store that keeps nothing, and refuses to change what was recovered.
   *
   * @param refusal why
   */
  private static EngineStore readOnly(
      EmbeddedConfig config, EngineEnvironment environment, StateMachine machine, String refusal) {
    RecoveryPoint found = RecoveryPoint.of(machine);
    EngineCore core = coreInMemory(config, environment, machine, clock(config));
    // What has become due since the last record, in memory alone.
    long unusedMs = core.advance(ResultSink.DISCARDING);
    core.refuseWrites(refusal);
    return new EngineStore(core, environment, null, found);
  }

  private static EngineCore coreInMemory(
      EmbeddedConfig config, EngineEnvironment environment, StateMachine machine, LogClock clock) {
    clock.start(machine.logTimeMs());
    CommandLog log = new VolatileLog(logConfig(config), machine.sequence());
    return new EngineCore(machine, log, clock, SpaceGuard.ofNothing(), environment.faults());
  }

  private static EngineStore open(
      EmbeddedConfig config, LogDirectory directory, EngineEnvironment environment) {
    SnapshotDirectory snapshots = new SnapshotDirectory(directory.directory(), Forcer.DISK);
    snapshots.removeUnfinished();
    // Also of the tail, which the next snapshot's file is to name.
    IdRecorder ids = config.upkeep().history().isOn() ? new IdRecorder() : null;
    RecoveredState state = recover(HolePolicy.of(config.durability()), directory, snapshots, ids);
    try {
      return open(config, directory, snapshots, state, ids, environment);
    } catch (Throwable t) {
      Closing.after(t, state.machine());
      throw t;
    }
  }

  private static EngineStore open(
      EmbeddedConfig config,
      LogDirectory directory,
      SnapshotDirectory snapshots,
      RecoveredState state,
      IdRecorder ids,
      EngineEnvironment environment) {
    RecoveredLog recovered = state.log();
    RecoveryPoint found = RecoveryPoint.of(state.machine());
    if (recovered.report().isTorn()) {
      TornTailWarning.log(directory.directory(), recovered.report().tornTail());
    }
    LogClock clock = clock(config);
    if (!recovered.isEmpty() && !config.acceptClock()) {
      checkClock(clock, directory.directory(), recovered.logTimeMs());
    }
    clock.start(recovered.isEmpty() ? Long.MIN_VALUE : recovered.logTimeMs());
    GenesisSeed seed = GenesisSeed.random(environment.seeds());
    int logTag = recovered.isEmpty() ? seed.logTag() : recovered.logTag();
    CommandLog log =
        SegmentedLog.open(
            directory,
            environment.runs(),
            logConfig(config),
            environment.faults(),
            logTag,
            recovered.sequence(),
            recovered.forcedSequence());
    try {
      environment.faults().reached(FaultPoint.BEFORE_FIRST_COMMANDS);
      SpaceGuard space = config.spaceGuard(directory.directory(), environment.nanoTime());
      EngineCore core = new EngineCore(state.machine(), log, clock, space, environment.faults());
      new FirstCommands(core, environment.firstAnswers()).write(recovered, seed);
      return new EngineStore(
          core, environment, new OnDisk(directory, snapshots, state, found, space, ids));
    } catch (Throwable t) {
      Closing.after(t, log);
      throw t;
    }
  }

  private static RecoveredState recover(
      HolePolicy policy, LogDirectory directory, SnapshotDirectory snapshots, IdRecorder ids) {
    StateRecovery recovery =
        new StateRecovery(
            directory,
            snapshots,
            policy,
            Forcer.DISK,
            StateMachineConfig.DEFAULT,
            SnapshotWarning::log);
    return (ids == null ? recovery : recovery.beginningWith(ids::begin))
        .recover(ResultSink.DISCARDING);
  }

  private static void checkClock(LogClock clock, Path directory, long logTimeMs) {
    long wallMs = clock.wallMs();
    if (logTimeMs - wallMs > CLOCK_BEHIND_MS_MAX) {
      throw LogException.error(
          ("The wall clock says %s, which is %,d s behind the newest record in %s (%s). Correct the"
                  + " clock, or accept it (acceptClock): log time then stays ahead of the wall clock"
                  + " until that catches up.")
              .formatted(
                  Instant.ofEpochMilli(wallMs),
                  (logTimeMs - wallMs) / 1000,
                  directory.toAbsolutePath(),
                  Instant.ofEpochMilli(logTimeMs)));
    }
  }

  private static LogClock clock(EmbeddedConfig config) {
    return config.clock().orElseGet(() -> new SlewedClock(new ClockWarning()));
  }

  private static LogConfig logConfig(EmbeddedConfig config) {
    return LogConfig.defaults()
        .withSegmentBytes(config.segmentBytes())
        .withForcedOften(config.durability() == Durability.DISK);
  }

  /**
   * Starts to take snapshots and to remove what they make obsolete. Called once, by the thread that
   * opens the store.
   *
   * @param wakeEngine makes the engine's thread poll the housekeeper even without a request
   */
  Housekeeper startUpkeep(EmbeddedConfig config, Runnable wakeEngine) {
    Maintenance upkeep =
        disk == null
            ? null
            : Maintenance.start(
                config.upkeep(),
                disk.directory,
                disk.snapshots,
                disk.state,
                disk.ids,
                core.log(),
                config.memoryBytesMax(),
                disk.space,
                wakeEngine,
                environment.upkeep(),
                environment.nanoTime(),
                environment.faults());
    housekeeper = new Housekeeper(core, upkeep);
    return housekeeper;
  }

  /** What can be read of the past; null for a store in memory. */
  DirectoryHistory history(EmbeddedConfig config, FeedSource source) {
    return disk == null
        ? null
        : new DirectoryHistory(
            disk.directory.directory(),
            HolePolicy.of(config.durability()),
            new ReplayBudget(config.replayBytesMax()),
            source,
            () -> 1);
  }

  EngineCore core() {
    return core;
  }

  /** What recovery found; null for a store in memory. */
  RecoveryPoint found() {
    return found;
  }

  /**
   * What a feed asks of this store: it shows what replies promise.
   *
   * @param wakeEngine as for {@link FeedSource}
   */
  FeedSource feedSource(Durability durability, LongSupplier nanoTime, Runnable wakeEngine) {
    CommandLog log = core.log();
    LongSupplier visible =
        durability == Durability.DISK ? log::forcedSequence : log::appendedSequence;
    return new FeedSource(
        visible, core::lastUntil, core::logId, nanoTime, core.clock()::wallMs, wakeEngine);
  }

  /** Bytes of the memory of a feed; see {@link EngineEnvironment#feedRingBytes}. */
  int feedRingBytes() {
    return environment.feedRingBytes();
  }

  LongSupplier nanoTime() {
    return environment.nanoTime();
  }

  FaultHook faults() {
    return environment.faults();
  }

  /**
   * Closes log and directory and frees the memory. A second call has no effect.
   *
   * @param isSound whether to force the log first; false after a failure
   */
  void close(boolean isSound) {
    if (isClosed) {
      return;
    }
    isClosed = true;
    CommandLog log = core.log();
    AutoCloseable force = isSound ? log::force : null;
    AutoCloseable directory = disk == null ? null : disk.directory;
    Closing.all(housekeeper, force, log, directory, core);
  }

  /**
   * Frees memory and locks and leaves the disk as it is, as if the process had been killed. No
   * effect after {@link #close} or a first call.
   *
   * @param cause the reason; errors while closing files are attached to it
   */
  void abandon(Throwable cause) {
    if (isClosed) {
      return;
    }
    isClosed = true;
    CommandLog log = core.log();
    AutoCloseable directory = disk == null ? null : disk.directory;
    // Snapshots must have stopped before another process may lock the directory.
    Closing.all(housekeeper, () -> Closing.after(cause, log::abandon, directory), core);
  }
}

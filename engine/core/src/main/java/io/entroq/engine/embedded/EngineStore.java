package io.entroq.engine.embedded;

import io.entroq.api.Durability;
import io.entroq.engine.Closing;
import io.entroq.engine.fault.FaultHook;
import io.entroq.engine.fault.FaultPoint;
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
import io.entroq.engine.time.SlewedClock;
import java.nio.file.Path;
import java.time.Instant;

/** A state, its log and the directory they live in, opened together and closed together. */
final class EngineStore {
  /** A wall clock that is further than this behind the log is refused. */
  private static final long CLOCK_BEHIND_MS_MAX = 60_000;

  private final EngineCore core;
  private final EngineEnvironment seams;
  private final OnDisk disk;
  private final RecoveryPoint found;
  private Housekeeper housekeeper;
  private boolean isClosed;

  /** Where the store lives, and how it was found. */
  record OnDisk(
      LogDirectory directory,
      SnapshotDirectory snapshots,
      RecoveredState state,
      RecoveryPoint found,
      SpaceGuard space) {}

  /**
   * @param disk its directory is closed with the rest; null if there is none
   */
  EngineStore(EngineCore core, EngineEnvironment seams, OnDisk disk) {
    this(core, seams, disk, disk == null ? null : disk.found);
  }

  private EngineStore(EngineCore core, EngineEnvironment seams, OnDisk disk, RecoveryPoint found) {
    this.core = core;
    this.seams = seams;
    this.disk = disk;
    this.found = found;
  }

  /**
   * Opens what the set-up names: takes the directory, replays its log, and says in a new run what
   * has to be said first. The directory of a member is not taken, and nothing is written there.
   *
   * @throws LogException if the directory is in use, cannot be read, or is ahead of the clock
   * @throws io.entroq.engine.log.LogDamagedException if the log is damaged
   */
  static EngineStore open(EmbeddedConfig config, EngineEnvironment seams) {
    if (config.directory().isEmpty()) {
      return inMemory(config, new VolatileLog(logConfig(config)), seams);
    }
    if (ClusterMemberMarker.isIn(config.directory().get())) {
      return ofMember(config, seams);
    }
    LogDirectory directory = LogDirectory.open(config.directory().get(), seams.processId());
    try {
      return open(config, directory, seams);
    } catch (Throwable t) {
      Closing.after(t, directory);
      throw t;
    }
  }

  /** A new state over an empty log. */
  static EngineStore inMemory(EmbeddedConfig config, CommandLog log, EngineEnvironment seams) {
    StateMachine machine = new StateMachine(StateMachineConfig.DEFAULT);
    try {
      LogClock clock = clock(config);
      clock.start(Long.MIN_VALUE);
      EngineCore core = new EngineCore(machine, log, clock, SpaceGuard.ofNothing(), seams.faults());
      new FirstCommands(core, seams.firstAnswers()).genesis(GenesisSeed.random(seams.seeds()));
      return new EngineStore(core, seams, null);
    } catch (Throwable t) {
      Closing.after(t, machine);
      throw t;
    }
  }

  /** What the mirror of a member holds, to be looked at; the member may be running. */
  private static EngineStore ofMember(EmbeddedConfig config, EngineEnvironment seams) {
    LogDirectory directory = LogDirectory.read(config.directory().get());
    SnapshotDirectory snapshots = new SnapshotDirectory(directory.directory(), Forcer.DISK);
    LogHold hold = LogHold.of(directory, "engine");
    StateMachine machine;
    try {
      machine = recover(HolePolicy.REFUSE, directory, snapshots).machine();
    } finally {
      hold.close();
    }
    RecoveryPoint found = RecoveryPoint.of(machine);
    LogClock clock = clock(config);
    clock.start(machine.logTimeMs());
    CommandLog log = new VolatileLog(logConfig(config), machine.sequence());
    EngineCore core = new EngineCore(machine, log, clock, SpaceGuard.ofNothing(), seams.faults());
    core.refuseWrites(ClusterMemberMarker.refusal(directory.directory()));
    return new EngineStore(core, seams, null, found);
  }

  private static EngineStore open(
      EmbeddedConfig config, LogDirectory directory, EngineEnvironment seams) {
    SnapshotDirectory snapshots = new SnapshotDirectory(directory.directory(), Forcer.DISK);
    snapshots.removeUnfinished();
    RecoveredState state = recover(HolePolicy.of(config.durability()), directory, snapshots);
    try {
      return open(config, directory, snapshots, state, seams);
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
      EngineEnvironment seams) {
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
    GenesisSeed seed = GenesisSeed.random(seams.seeds());
    int logTag = recovered.isEmpty() ? seed.logTag() : recovered.logTag();
    CommandLog log =
        SegmentedLog.open(
            directory,
            seams.runs(),
            logConfig(config),
            seams.faults(),
            logTag,
            recovered.sequence(),
            recovered.forcedSequence());
    try {
      seams.faults().reached(FaultPoint.BEFORE_FIRST_COMMANDS);
      SpaceGuard space = config.spaceGuard(directory.directory(), seams.nanoTime());
      EngineCore core = new EngineCore(state.machine(), log, clock, space, seams.faults());
      new FirstCommands(core, seams.firstAnswers()).write(recovered, seed);
      return new EngineStore(core, seams, new OnDisk(directory, snapshots, state, found, space));
    } catch (Throwable t) {
      Closing.after(t, log);
      throw t;
    }
  }

  private static RecoveredState recover(
      HolePolicy policy, LogDirectory directory, SnapshotDirectory snapshots) {
    return new StateRecovery(
            directory,
            snapshots,
            policy,
            Forcer.DISK,
            StateMachineConfig.DEFAULT,
            SnapshotWarning::log)
        .recover(ResultSink.DISCARDING);
  }

  private static void checkClock(LogClock clock, Path directory, long logTimeMs) {
    long wallMs = clock.wallMs();
    if (logTimeMs - wallMs > CLOCK_BEHIND_MS_MAX) {
      throw LogException.error(
          ("The wall clock says %s, which is %,d s behind the newest record in %s (%s). Set the"
                  + " clock right; or accept it (acceptClock), and log time will stand ahead of the"
                  + " wall clock until that catches up.")
              .formatted(
                  Instant.ofEpochMilli(wallMs),
                  (logTimeMs - wallMs) / 1000,
                  directory.toAbsolutePath(),
                  Instant.ofEpochMilli(logTimeMs)));
    }
  }

  private static LogClock clock(EmbeddedConfig config) {
    return config.clock().orElseGet(() -> new SlewedClock(ClockWarning::log));
  }

  private static LogConfig logConfig(EmbeddedConfig config) {
    return LogConfig.defaults()
        .withSegmentBytes(config.segmentBytes())
        .withForcedOften(config.durability() == Durability.DISK);
  }

  /**
   * Begins to take snapshots and to let go what they make superfluous. Once, by the thread that
   * opens.
   *
   * @param wakeEngine lets the engine's thread look after the housekeeper though no request comes
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
                core.log(),
                config.memoryBytesMax(),
                disk.space,
                wakeEngine,
                seams.upkeep(),
                seams.nanoTime(),
                seams.faults());
    housekeeper = new Housekeeper(core, upkeep);
    return housekeeper;
  }

  EngineCore core() {
    return core;
  }

  /** What was found when it was opened; null if it lives in no directory. */
  RecoveryPoint found() {
    return found;
  }

  FaultHook faults() {
    return seams.faults();
  }

  /**
   * Closes log and directory and gives the memory back; nothing may use them any more. A second
   * call does nothing.
   *
   * @param isSound whether to force the log first, which an engine that has failed must not
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
   * Gives back what this process has taken and leaves the disk as it is, as if the process had been
   * killed. A second call, or one after {@link #close}, does nothing.
   *
   * @param cause why; what goes wrong with files is attached to it
   */
  void abandon(Throwable cause) {
    if (isClosed) {
      return;
    }
    isClosed = true;
    CommandLog log = core.log();
    AutoCloseable directory = disk == null ? null : disk.directory;
    // Whoever writes snapshots has to end before the directory may be somebody else's.
    Closing.all(housekeeper, () -> Closing.after(cause, log::abandon, directory), core);
  }
}

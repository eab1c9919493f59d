package io.entroq.simulator.host;

import io.entroq.api.Durability;
import io.entroq.codec.record.RecordFrame;
import io.entroq.engine.embedded.DrivenEngine;
import io.entroq.engine.embedded.EmbeddedConfig;
import io.entroq.engine.embedded.EngineEnvironment;
import io.entroq.engine.fault.FaultPoint;
import io.entroq.engine.maintenance.SteppedMaintenance;
import io.entroq.engine.time.SlewedClock;
import io.entroq.simulator.call.PendingRequest;
import io.entroq.simulator.call.Reply;
import io.entroq.simulator.call.Reply.Status;
import io.entroq.simulator.call.Request;
import io.entroq.simulator.call.ServingSystem;
import io.entroq.simulator.check.Invariant;
import io.entroq.simulator.check.Ledger;
import io.entroq.simulator.disk.Damage;
import io.entroq.simulator.disk.DiskProcess;
import io.entroq.simulator.disk.PowerLoss;
import io.entroq.simulator.disk.SimulatedDisk;
import io.entroq.simulator.fault.FaultKind;
import io.entroq.simulator.fault.Faults;
import io.entroq.simulator.feed.FeedWatch;
import io.entroq.simulator.virtual.EventQueue;
import io.entroq.simulator.virtual.SeededRandom;
import io.entroq.simulator.virtual.Trace;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Function;
import org.agrona.DirectBuffer;

/**
 * The machine that runs the engine: starts its process and passes requests to it. After each end of
 * the engine it starts another. If that refuses to start, the host reacts to the reason as an
 * operator would. One thread.
 */
public final class EngineHost implements ServingSystem {
  public static final String DIRECTORY = "/data";

  private static final String LOG = DIRECTORY + "/log/";

  private static final Reply UNAVAILABLE = new Reply(Status.UNAVAILABLE, null);
  private static final long MILLISECOND = 1_000_000;
  private static final long PAUSE_NS_LEAST = 20 * MILLISECOND;
  private static final long PAUSE_NS_MOST = 5_000 * MILLISECOND;

  /** A wall clock further behind the log than this keeps an engine from opening. */
  private static final long CLOCK_BEHIND_MS_MAX = 60_000;

  private final EventQueue events;
  private final SeededRandom random;
  private final EngineLimits limits;
  private final Durability durability;
  private final SimulatedDisk disk;
  private final HostClock clock;
  private final Faults faults;
  private final ForceWatch forceWatch;
  private final EngineObserver observer;
  private final LifeListener listener;
  private final ForceTiming forces;
  private final DiskFaultCounter counter;
  private final FailureJudge judge;
  private final FreeSpaceWatch freeSpace;
  private final SnapshotWatch snapshots;
  private final DiskUseWatch diskUse;
  private final PowerSupply power;
  private final FeedWatch feed;
  private final LogProgress progress;
  private final RecordEnds ends = new RecordEnds();
  private final FaultPoints points;
  private final RecordTap.Listener recordListener = this::onRecord;

  private DiskProcess diskProcess;

  /** Null while there is none. */
  private EngineProcess process;

  private Incident incident;
  private Runnable atOpening = () -> {};
  private boolean isFull;
  private boolean isClockAccepted;

  /** While opening: whether the recovered record is still unknown. */
  private boolean isRecovering;

  /** The record of the snapshot that this life started from; 0: none. */
  private long base;

  /**
   * A machine that is switched off.
   *
   * @param ledger observes what the engine writes and answers
   * @param listener learns of the engine's lives
   */
  public EngineHost(
      EventQueue events,
      SeededRandom random,
      EngineLimits limits,
      Durability durability,
      SimulatedDisk disk,
      HostClock clock,
      Faults faults,
      Ledger ledger,
      Trace trace,
      LifeListener listener) {
    this.events = events;
    this.random = random;
    this.limits = limits;
    this.durability = durability;
    this.disk = disk;
    this.clock = clock;
    this.faults = faults;
    this.forceWatch = new ForceWatch(disk, ends);
    this.observer = new EngineObserver(ledger, trace, forceWatch);
    this.listener = listener;
    this.points = new FaultPoints(this::killDiskProcess, faults);
    this.counter = new DiskFaultCounter(disk.faults(), faults);
    this.judge = new FailureJudge(disk);
    this.freeSpace = new FreeSpaceWatch(limits);
    this.snapshots = new SnapshotWatch(disk);
    this.diskUse = new DiskUseWatch(disk, snapshots, ledger, limits.snapshotLogBytes());
    this.progress = new LogProgress(disk);
    this.power =
        new PowerSupply(disk, random.fork("power"), snapshots, progress, forceWatch, observer);
    this.feed =
        new FeedWatch(
            disk, DIRECTORY, durability, random.fork("feed"), snapshots::isAnythingSuspect);
    boolean isAwaited = durability == Durability.DISK;
    this.forces = new ForceTiming(random.fork("forces"), isAwaited, limits);
    this.incident = incident();
    disk.limit(limits.diskBytes());
  }

  @Override
  public void onRequest(Request request, ReplyEnd replies) {
    if (process == null) {
      replies.reply(request, UNAVAILABLE);
    } else {
      process.take(new PendingRequest(request, replies));
    }
  }

  public boolean isUp() {
    return process != null;
  }

  @Override
  public void requireAtRest() {
    if (!isUp()) {
      throw Invariant.OPENS_UNDAMAGED.broken(DIRECTORY, "an engine", "none");
    }
    if (!process.isAtRest()) {
      throw Invariant.ALL_ANSWERED.broken(DIRECTORY, "no request without a reply", "some");
    }
  }

  @Override
  public void count() {
    if (isUp()) {
      observer.count(base);
      feed.count(engine());
    }
  }

  private DrivenEngine engine() {
    return process.engine();
  }

  // Opening.

  /** Starts a process, and another one later if it fails to open the directory. */
  @Override
  public void open() {
    atOpening.run();
    atOpening = () -> {};
    diskProcess = disk.startProcess();
    isRecovering = true;
    snapshots.onOpening();
    diskUse.onOpening();
    freeSpace.onOpening();
    SlewedClock logClock = new SlewedClock(clock::nanoTime, clock::wallMs, aheadMs -> {});
    SteppedMaintenance maintenance = new SteppedMaintenance();
    EngineWatch watch = new EngineWatch(clock, disk, freeSpace, snapshots, diskUse, ends);
    EngineProcess next =
        new EngineProcess(
            events, random, logClock, maintenance, forces, observer, watch, feed, this::onEnd);
    DrivenEngine engine = null;
    long snapshot;
    try {
      engine = DrivenEngine.open(config(logClock), next.answers(), seams(maintenance));
      // Accesses the disk, which may kill the process.
      snapshot = engine.stats().snapshots().sequence();
    } catch (RuntimeException | Error e) {
      if (engine != null) {
        engine.abandon();
      }
      onRefused(e);
      return;
    }
    next.start(engine);
    process = next;
    onOpened(engine, snapshot);
  }

  private void onOpened(DrivenEngine engine, long snapshot) {
    recovered(engine.sequence());
    base = snapshot;
    snapshots.onOpened(snapshot, engine.found().sequence());
    isClockAccepted = false;
    feed.onOpened(engine);
    if (power.isFailing()) {
      // The opening ended before the power failed.
      disarm();
    }
    if (observer.onOpened(engine)) {
      listener.onLoss();
    }
    listener.onOpened();
  }

  private EmbeddedConfig config(SlewedClock logClock) {
    return EmbeddedConfig.in(diskProcess.path(DIRECTORY))
        .durability(durability)
        .segmentBytes(limits.segmentBytes())
        .snapshotLogBytes(limits.snapshotLogBytes())
        .snapshotInterval(Duration.ofMillis(limits.snapshotIntervalMs()))
        .memoryBytesMax(limits.memoryBytesMax())
        .diskLowBytes(limits.diskLowBytes())
        .diskFullBytes(limits.diskFullBytes())
        .clock(logClock)
        .acceptClock(isClockAccepted)
        .build();
  }

  private EngineEnvironment seams(SteppedMaintenance maintenance) {
    return new EngineEnvironment(
        new RecordTap(diskProcess.runs(), recordListener),
        points,
        random::next,
        clock::nanoTime,
        maintenance,
        observer.firstAnswers(),
        diskProcess.number(),
        feed.ringBytes());
  }

  /** The recovered record is known. */
  private void recovered(long sequence) {
    if (isRecovering) {
      isRecovering = false;
      incident.requireFound(sequence);
      progress.onFound(sequence);
      power.onFound(sequence);
      incident = incident();
    }
  }

  private Incident incident() {
    return new Incident(disk, snapshots, progress, durability == Durability.OS);
  }

  private void onRefused(Throwable thrown) {
    boolean isClockReported = !isClockAccepted && isClockBehind();
    FailureJudge.Refusal why =
        judge.onRefusal(
            thrown,
            !diskProcess.isAlive(),
            isClockReported,
            incident.mayBeRefused(),
            snapshots.isReadFatal());
    if (why == FailureJudge.Refusal.DEATH) {
      faults.count(deathIn(FaultKind.DIES_IN_RECOVERY));
    }
    boolean isPowerOut = power.isFailing() && why == FailureJudge.Refusal.DEATH;
    releaseDisk();
    observer.onNotOpened(new DirectoryReplay(disk, DIRECTORY, durability));
    switch (why) {
      case DEATH -> {
        if (isPowerOut) {
          losePageCache();
        }
      }
      case CLOCK -> acceptClock();
      case DAMAGE -> {
        incident.undo();
        forceWatch.onAllForced();
      }
      case DISK -> {
        // The failure does not recur, or space is freed later.
      }
    }
    openLater();
  }

  private boolean isClockBehind() {
    return progress.appendedTimeMs() - clock.wallMs() > CLOCK_BEHIND_MS_MAX;
  }

  /** Sets the clock right. If the log is still ahead, the engine is told to accept the clock. */
  private void acceptClock() {
    clock.setRight();
    isClockAccepted = isClockBehind();
  }

  private void openLater() {
    events.in(random.between(PAUSE_NS_LEAST, PAUSE_NS_MOST), this::open);
  }

  // The end of a process.

  private void onEnd(EngineProcess ended, Throwable thrown) {
    boolean isDead = !diskProcess.isAlive();
    judge.onEnd(thrown, isDead);
    boolean isPowerOut = power.isFailing() && isDead;
    if (isDead) {
      faults.count(deathIn(FaultKind.ENGINE_DIES_AT_DISK));
    }
    end(isDead ? ended::die : () -> ended.stop(judge));
    if (isPowerOut) {
      losePageCache();
    }
    openLater();
  }

  /** The kind of fault that killed the process. */
  private FaultKind deathIn(FaultKind atDisk) {
    return points.hasKilled()
        ? FaultKind.ENGINE_DIES_AT_POINT
        : power.isFailing() ? FaultKind.POWER_LOST_IN_RECOVERY : atDisk;
  }

  private void end(Runnable how) {
    if (engine() != null) {
      progress.onForced(engine().forcedSequence());
    }
    incident = incident();
    observer.onDeath(engine(), Ledger.Death.PROCESS);
    how.run();
    process = null;
    releaseDisk();
  }

  private void killDiskProcess() {
    diskProcess.die();
  }

  private void releaseDisk() {
    killDiskProcess();
    disarm();
    counter.count();
  }

  // Operator, kernel and power.

  /** Kills the process; only while there is one. */
  void kill() {
    end(process::die);
    openLater();
  }

  /**
   * Closes the engine and opens another later; only while there is one.
   *
   * @return false if closing failed
   */
  public boolean close() {
    EngineProcess closing = process;
    progress.onForced(engine().forcedSequence());
    try {
      closing.close();
    } catch (RuntimeException | Error e) {
      onEnd(closing, e);
      return false;
    }
    progress.onClosed();
    end(() -> {});
    openLater();
    return true;
  }

  @Override
  public void restart() {
    close();
  }

  /** Pauses the engine for a while. */
  void stall(long forNs) {
    process.stall(forNs);
  }

  /** The power fails; only while there is an engine. */
  PowerLoss losePower() {
    kill();
    return losePageCache();
  }

  /** The power fails a while after the process was killed or the engine closed. */
  void losePowerWhileDown(boolean isClosed) {
    if (!isClosed) {
      kill();
    } else if (!close()) {
      return;
    }
    atOpening = this::losePageCache;
  }

  /**
   * The process is killed, and the power fails while the next one opens.
   *
   * @param calls the number of the call to the disk
   * @param inTheMiddle whether half of the call is done
   */
  void losePowerInOpening(long calls, boolean inTheMiddle) {
    killAndThen(() -> power.failIn(calls, inTheMiddle));
  }

  /** The power fails while no process is running. */
  private PowerLoss losePageCache() {
    return power.fail(incident);
  }

  /** Until the next power loss, the disk falsely reports data as forced. */
  void lie() {
    power.lie(engine().forcedSequence());
  }

  boolean isLying() {
    return power.isLying();
  }

  /** The power fails, and the disk stops lying. */
  PowerLoss endLie() {
    PowerLoss loss = losePower();
    power.endLie();
    return loss;
  }

  /**
   * The process ends, and the disk is damaged before the next one opens.
   *
   * @param isClosed whether the engine is closed, which marks the end of the log, or killed
   */
  Damage damage(boolean isClosed, Function<SimulatedDisk, Damage> what) {
    if (!isClosed) {
      kill();
    } else {
      close();
    }
    Incident.Backup before = Incident.Backup.of(disk, snapshots, progress);
    Damage damage = what.apply(disk);
    if (damage != null) {
      if (damage.path().startsWith(LOG)) {
        forceWatch.onAllForced();
        snapshots.onLogDamage(progress.appended());
      }
      if (SnapshotNames.sequence(damage.path()) > 0) {
        snapshots.onDamage(damage.path());
      }
      progress.onDamage(damage.path());
      incident.onDamage(before, progress.isMarked());
      observer.onDamage(incident.least());
    }
    return damage;
  }

  /** Runs an action a while after the engine's next snapshot, if it lives until then. */
  void afterSnapshot(long delayNs, Runnable what) {
    EngineProcess now = process;
    snapshots.atNext(
        () ->
            events.in(
                delayNs,
                () -> {
                  if (process == now) {
                    what.run();
                  }
                }));
  }

  /** Cancels everything that was planned for later points of a process. */
  void disarm() {
    snapshots.atNext(() -> {});
    points.disarm();
    power.disarm();
    disk.faults().disarm();
    atOpening = () -> {};
  }

  /**
   * Kills the process when it reaches a fault point for the n-th time. For a point in an opening or
   * a close, the engine is closed and dies there the first time.
   */
  void dieAt(FaultPoint point, int times) {
    switch (point) {
      case BEFORE_FIRST_COMMANDS, AFTER_CLOSED_MARK_REMOVED -> {
        close();
        atOpening = () -> points.arm(point, 1);
      }
      case BEFORE_CLOSED_MARK -> {
        points.arm(point, 1);
        close();
      }
      default -> points.arm(point, times);
    }
  }

  /** Kills the process, and runs an action when the next one opens. */
  void killAndThen(Runnable inOpening) {
    kill();
    atOpening = inOpening;
  }

  /** Gives back the memory of the engine, if there is one; for the end of a world. */
  @Override
  public void switchOff() {
    if (process != null && engine() != null) {
      process.die();
      process = null;
      killDiskProcess();
    }
  }

  /** Fills the disk except for so many bytes. */
  void fill(long leftBytes) {
    isFull = true;
    freeSpace.changed(events.nowNs());
    disk.limit(disk.usedBytes() + leftBytes);
  }

  /** Frees the space again. */
  void makeRoom() {
    isFull = false;
    freeSpace.changed(events.nowNs());
    disk.limit(limits.diskBytes());
  }

  /** Whether forces take much longer than usual. */
  void slowForces(boolean slow) {
    forces.slow(slow);
  }

  private void onRecord(RecordFrame frame, DirectBuffer record, Path file, long position) {
    recovered(frame.sequence() - 1);
    forceWatch.onForced(frame.forcedSequence());
    progress.onRecord(frame.sequence(), frame.logTimeMs());
    ends.add(file, frame.sequence(), position, frame.length());
    if (isFull) {
      freeSpace.onRecord(frame, record, events.nowNs(), disk.usableBytes());
    }
    observer.onRecord(frame, record);
  }
}

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
import io.entroq.simulator.virtual.EventQueue;
import io.entroq.simulator.virtual.SeededRandom;
import io.entroq.simulator.virtual.Trace;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Function;
import org.agrona.DirectBuffer;

/**
 * The machine that runs the engine: starts its process and passes requests to it. When the engine
 * has died, ended or been closed, it starts another, like an operator who is told why one does not
 * start. One thread.
 */
public final class EngineHost implements ServingSystem {
  /** The data directory. */
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

  /** Whether what was recovered is not known yet, in an opening. */
  private boolean isRecovering;

  /** The record of the snapshot that the engine of this life began with; 0: none. */
  private long base;

  /**
   * A machine that is switched off.
   *
   * @param ledger is told all that the engine writes and answers
   * @param trace hears of it
   * @param listener hears of its lives
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

  /** Whether an engine is open. */
  public boolean isUp() {
    return process != null;
  }

  /**
   * Some time after all trouble: fails if no engine is open, or if it has not replied to all.
   *
   * @throws Violation that says so
   */
  @Override
  public void requireAtRest() {
    if (!isUp()) {
      throw Invariant.OPENS_UNDAMAGED.broken(DIRECTORY, "an engine", "none");
    }
    if (!process.isAtRest()) {
      throw Invariant.ALL_ANSWERED.broken(DIRECTORY, "no request without a reply", "some");
    }
  }

  /** Counts everything that the engine has, if one is open. */
  @Override
  public void count() {
    if (isUp()) {
      observer.count(base);
    }
  }

  /** The engine that is open. */
  private DrivenEngine engine() {
    return process.engine();
  }

  // Opening.

  /** Starts a process, and another one later if this one does not come to open the directory. */
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
            events, random, logClock, maintenance, forces, observer, watch, this::onEnd);
    DrivenEngine engine = null;
    long snapshot;
    try {
      engine = DrivenEngine.open(config(logClock), next.answers(), seams(maintenance));
      // Looks at the disk, too, of which the process may die.
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
    if (power.isFailing()) {
      // The opening was over before.
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
        diskProcess.number());
  }

  /** What was found is what is there from now on. */
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
        // It fails once, and room is made after a while.
      }
    }
    openLater();
  }

  private boolean isClockBehind() {
    return progress.appendedTimeMs() - clock.wallMs() > CLOCK_BEHIND_MS_MAX;
  }

  /** An operator sets the clock right, and if that does not help has the engine take it. */
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

  /** Which kind of trouble it was that a process has died of. */
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

  // What an operator, a kernel and a power station do.

  /** The process is killed; only with one. */
  void kill() {
    end(process::die);
    openLater();
  }

  /**
   * The engine is closed in order, and another one opened later; only where there is one.
   *
   * @return false if it has failed at that
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

  /** The engine does nothing for a while. */
  void stall(long forNs) {
    process.stall(forNs);
  }

  /** The power fails; only where there is an engine. */
  PowerLoss losePower() {
    kill();
    return losePageCache();
  }

  /** The power fails a while after the process was killed, or the engine closed in order. */
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
   * @param calls at which call to the disk
   * @param inTheMiddle whether half of that call is done
   */
  void losePowerInOpening(long calls, boolean inTheMiddle) {
    killAndThen(() -> power.failIn(calls, inTheMiddle));
  }

  /** The power fails where no process is left. */
  private PowerLoss losePageCache() {
    return power.fail(incident);
  }

  /** From now on what is said to be forced may be lost with the power, until that is lost. */
  void lie() {
    power.lie(engine().forcedSequence());
  }

  /** Whether the disk says what is not so. */
  boolean isLying() {
    return power.isLying();
  }

  /** The power fails, and the disk is one that keeps what it has said. */
  PowerLoss endLie() {
    PowerLoss loss = losePower();
    power.endLie();
    return loss;
  }

  /**
   * The process ends, and something on the disk is not as it was when the next one opens.
   *
   * @param isClosed whether it is closed in order, which says where the log ends, or killed
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

  /**
   * Something happens a while after the engine has taken its next snapshot, if it lives until then.
   */
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

  /** Nothing that was to happen to a process when it comes somewhere happens any more. */
  void disarm() {
    snapshots.atNext(() -> {});
    points.disarm();
    power.disarm();
    disk.faults().disarm();
    atOpening = () -> {};
  }

  /**
   * The process dies at a named point, when it comes there for the n-th time; at one that lies in
   * an opening or a close the first time, and it is closed for that.
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

  /** The process is killed, and something happens to the next one as it opens. */
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

  /** There is no room left but so many bytes. */
  void fill(long leftBytes) {
    isFull = true;
    freeSpace.changed(events.nowNs());
    disk.limit(disk.usedBytes() + leftBytes);
  }

  /** There is room again. */
  void makeRoom() {
    isFull = false;
    freeSpace.changed(events.nowNs());
    disk.limit(limits.diskBytes());
  }

  /** Forces take much longer, or as long as they should again. */
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

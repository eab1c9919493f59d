package io.entroq.simulator.host;

import io.entroq.api.Durability;
import io.entroq.codec.record.RecordFrame;
import io.entroq.engine.embedded.DrivenEngine;
import io.entroq.engine.embedded.EmbeddedConfig;
import io.entroq.engine.embedded.EngineSeams;
import io.entroq.engine.fault.FaultPoint;
import io.entroq.engine.time.SlewedClock;
import io.entroq.engine.upkeep.SteppedUpkeep;
import io.entroq.simulator.call.Reply;
import io.entroq.simulator.call.Reply.Ending;
import io.entroq.simulator.call.Request;
import io.entroq.simulator.call.Service;
import io.entroq.simulator.check.Death;
import io.entroq.simulator.check.Invariant;
import io.entroq.simulator.check.Ledger;
import io.entroq.simulator.disk.Damage;
import io.entroq.simulator.disk.DiskImage;
import io.entroq.simulator.disk.DiskProcess;
import io.entroq.simulator.disk.PowerLoss;
import io.entroq.simulator.disk.SimulatedDisk;
import io.entroq.simulator.fault.FaultKind;
import io.entroq.simulator.fault.Faults;
import io.entroq.simulator.model.Violation;
import io.entroq.simulator.virtual.Agenda;
import io.entroq.simulator.virtual.Chance;
import io.entroq.simulator.virtual.Trace;
import java.time.Duration;
import java.util.function.Function;
import org.agrona.DirectBuffer;

/**
 * The machine on which the engine runs: starts its process, hands requests to it, and when it has
 * died, stopped or been closed starts another, as an operator would who is told why one does not
 * start. One thread.
 */
public final class EngineHost implements Service {
  /** The data directory. */
  public static final String DIRECTORY = "/data";

  private static final String LOG = DIRECTORY + "/log/";
  private static final Reply UNAVAILABLE = new Reply(Ending.UNAVAILABLE, null);
  private static final long MILLISECOND = 1_000_000;
  private static final long PAUSE_NS_LEAST = 20 * MILLISECOND;
  private static final long PAUSE_NS_MOST = 5_000 * MILLISECOND;

  /** A wall clock further behind the log than this keeps an engine from opening. */
  private static final long CLOCK_BEHIND_MS_MAX = 60_000;

  private final Agenda agenda;
  private final Chance chance;
  private final EngineLimits limits;
  private final Durability durability;
  private final SimulatedDisk disk;
  private final HostClock clock;
  private final Faults faults;
  private final Witness witness;
  private final LifeListener listener;
  private final ForcePace forces;
  private final DiskTally tally;
  private final Verdict verdict;
  private final RoomWatch room;
  private final SnapshotWatch snapshots;
  private final UseWatch use;
  private final FaultPoints points = new FaultPoints(this::killFiles);
  private final RecordTap.Taker taker = this::onRecord;

  private DiskProcess files;

  /** Null while there is none. */
  private EngineProcess process;

  private Incident incident = new Incident(0);
  private Runnable atOpening = () -> {};
  private boolean isFull;
  private boolean isLying;
  private boolean isClockAccepted;

  /** Whether what was recovered is not known yet, in an opening. */
  private boolean isRecovering;

  private long appended;
  private long appendedTimeMs = Long.MIN_VALUE;

  /** What the newest record says is forced, which whoever finds it can hold against a gap. */
  private long carriedForced;

  /** What was forced when the last process ended, as far as it knew. */
  private long forced;

  /** What was forced when the disk began to lie. */
  private long forcedInTruth;

  /**
   * A machine that is switched off.
   *
   * @param ledger is told all that the engine writes and answers
   * @param trace hears of it
   * @param listener hears of its lives
   */
  public EngineHost(
      Agenda agenda,
      Chance chance,
      EngineLimits limits,
      Durability durability,
      SimulatedDisk disk,
      HostClock clock,
      Faults faults,
      Ledger ledger,
      Trace trace,
      LifeListener listener) {
    this.agenda = agenda;
    this.chance = chance;
    this.limits = limits;
    this.durability = durability;
    this.disk = disk;
    this.clock = clock;
    this.faults = faults;
    this.witness = new Witness(ledger, trace);
    this.listener = listener;
    this.tally = new DiskTally(disk.faults(), faults);
    this.verdict = new Verdict(disk);
    this.room = new RoomWatch(limits);
    this.snapshots = new SnapshotWatch(disk);
    this.use = new UseWatch(disk, snapshots, ledger, limits.snapshotLogBytes());
    boolean isAwaited = durability == Durability.DISK;
    this.forces = new ForcePace(chance.fork("forces"), isAwaited, limits);
    disk.limit(limits.diskBytes());
  }

  @Override
  public void onRequest(Request request, ReplyEnd replies) {
    if (process == null) {
      replies.reply(request, UNAVAILABLE);
    } else {
      process.take(request, replies);
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
  public void requireAtRest() {
    if (!isUp()) {
      throw Invariant.OPENS_UNDAMAGED.broken(DIRECTORY, "an engine", "none");
    }
    if (!process.isAtRest()) {
      throw Invariant.ALL_ANSWERED.broken(DIRECTORY, "no request without a reply", "some");
    }
  }

  /** Counts everything that the engine has, if one is open. */
  public void count() {
    if (isUp()) {
      witness.count();
    }
  }

  /** The engine that is open. */
  private DrivenEngine engine() {
    return process.engine();
  }

  // Opening.

  /** Starts a process, and another one later if this one does not come to open the directory. */
  public void open() {
    files = disk.startProcess();
    isRecovering = true;
    atOpening.run();
    atOpening = () -> {};
    SlewedClock logClock = new SlewedClock(clock::nanoTime, clock::wallMs, aheadMs -> {});
    SteppedUpkeep upkeep = new SteppedUpkeep();
    EngineCare care = new EngineCare(clock, disk, room, snapshots, use);
    EngineProcess next =
        new EngineProcess(agenda, chance, logClock, upkeep, forces, witness, care, this::onEnd);
    try {
      snapshots.onOpening();
      use.onOpening();
      DrivenEngine engine = DrivenEngine.open(config(logClock), next.answers(), seams(upkeep));
      recovered(engine.sequence());
      snapshots.onOpened(engine.figures().snapshots().sequence());
      process = next;
      isClockAccepted = false;
      boolean isLoss = witness.onOpened(engine);
      next.start(engine);
      if (isLoss) {
        listener.onLoss();
      }
      listener.onOpened();
    } catch (RuntimeException | Error e) {
      onRefused(e);
    }
  }

  private EmbeddedConfig config(SlewedClock logClock) {
    return EmbeddedConfig.in(files.path(DIRECTORY))
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

  private EngineSeams seams(SteppedUpkeep upkeep) {
    return new EngineSeams(
        new RecordTap(files.runs(), taker),
        points,
        chance::next,
        clock::nanoTime,
        upkeep,
        witness.firstAnswers());
  }

  /** What was found is what is there from now on. */
  private void recovered(long sequence) {
    if (isRecovering) {
      isRecovering = false;
      Violation.check(
          sequence >= incident.least(),
          "open-finds-end",
          "@" + (sequence + 1),
          "all up to @" + incident.least(),
          "found up to @" + sequence);
      incident = new Incident(sequence);
      appended = sequence;
    }
  }

  private void onRefused(Throwable thrown) {
    boolean isClockTold = !isClockAccepted && isClockBehind();
    Verdict.Refusal why =
        verdict.onRefusal(
            thrown,
            !files.isAlive(),
            isClockTold,
            incident.mayBeRefused(),
            snapshots.isReadFatal());
    endFiles();
    witness.onNotOpened(new Replay(disk, DIRECTORY, durability));
    switch (why) {
      case DEATH -> faults.count(FaultKind.DIES_IN_RECOVERY);
      case CLOCK -> acceptClock();
      case DAMAGE -> disk.restore(incident.undo());
      case DISK -> {
        // It fails once, and room is made after a while.
      }
    }
    openLater();
  }

  private boolean isClockBehind() {
    return appendedTimeMs - clock.wallMs() > CLOCK_BEHIND_MS_MAX;
  }

  /** An operator sets the clock right, and if that does not help has the engine take it. */
  private void acceptClock() {
    clock.setRight();
    isClockAccepted = isClockBehind();
  }

  private void openLater() {
    agenda.in(chance.between(PAUSE_NS_LEAST, PAUSE_NS_MOST), this::open);
  }

  // The end of a process.

  private void onEnd(EngineProcess ended, Throwable thrown) {
    boolean isDead = !files.isAlive();
    verdict.onEnd(thrown, isDead);
    if (isDead) {
      faults.count(
          points.hasKilled() ? FaultKind.ENGINE_DIES_AT_POINT : FaultKind.ENGINE_DIES_AT_DISK);
    }
    end(isDead ? ended::die : () -> ended.stop(verdict), Death.PROCESS);
    openLater();
  }

  private void end(Runnable how, Death death) {
    if (engine() != null) {
      forced = engine().forcedSequence();
    }
    incident = new Incident(appended);
    witness.onDeath(engine(), death);
    how.run();
    process = null;
    endFiles();
  }

  private void killFiles() {
    files.die();
  }

  private void endFiles() {
    killFiles();
    disarm();
    tally.count();
  }

  // What an operator, a kernel and a power station do.

  /** The process is killed; only with one. */
  void kill() {
    end(process::die, Death.PROCESS);
    openLater();
  }

  /**
   * The engine is closed in order, and another one opened later; only where there is one.
   *
   * @return false if it has failed at that
   */
  public boolean close() {
    EngineProcess closing = process;
    forced = engine().forcedSequence();
    try {
      closing.close();
    } catch (RuntimeException | Error e) {
      onEnd(closing, e);
      return false;
    }
    forced = appended;
    end(() -> {}, Death.PROCESS);
    openLater();
    return true;
  }

  /** The engine does nothing for a while. */
  void stall(long forNs) {
    process.stall(forNs);
  }

  /** The power fails; only where there is an engine. */
  PowerLoss losePower() {
    DiskImage before = isLying || durability == Durability.OS ? disk.image() : null;
    end(process::die, isLying ? Death.POWER_AND_LIES : Death.POWER);
    incident.mayLose(isLying ? Math.min(forced, forcedInTruth) : forced);
    if (before != null) {
      incident.mayBeRefused(before, () -> {});
    }
    if (isLying) {
      snapshots.onAnyDamage();
    }
    openLater();
    return disk.losePower(chance);
  }

  /** From now on what is said to be forced may be lost with the power, until that is lost. */
  void lie() {
    if (!isLying) {
      forcedInTruth = engine().forcedSequence();
    }
    isLying = true;
    disk.lie(true);
  }

  /** The power fails, and the disk is one that keeps what it has said. */
  PowerLoss endLie() {
    PowerLoss loss = losePower();
    isLying = false;
    disk.lie(false);
    return loss;
  }

  /**
   * The process ends, and something on the disk is not as it was when the next one opens.
   *
   * @param isClosed whether it is closed in order, which says where the log ends, or killed
   * @param losesEnd whether the end of a file may be missing
   */
  Damage damage(boolean isClosed, boolean losesEnd, Function<SimulatedDisk, Damage> what) {
    boolean isMarked = isClosed && isClosedWithMark();
    if (!isClosed) {
      kill();
    }
    DiskImage before = disk.image();
    Damage damage = what.apply(disk);
    if (damage != null) {
      boolean isInLog = damage.path().startsWith(LOG);
      if (isInLog && !isMarked) {
        incident.mayLose(leastAfter(losesEnd));
      }
      if (isInLog) {
        snapshots.onLogDamage(appended);
      }
      if (SnapshotNames.sequence(damage.path()) > 0) {
        snapshots.onDamage(damage.path());
      }
      if (isInLog || !snapshots.isEnough()) {
        incident.mayBeRefused(before, () -> snapshots.onRestored(damage.path()));
      }
      witness.onDamage(incident.least());
    }
    return damage;
  }

  /** Closes; false if that failed, or if nothing was written since the opening. */
  private boolean isClosedWithMark() {
    boolean hasWritten = engine().sequence() > engine().found().sequence();
    return close() && hasWritten;
  }

  /** Up to which record a log that was damaged must be found, unless it is refused. */
  private long leastAfter(boolean losesEnd) {
    if (losesEnd) {
      return Math.min(carriedForced, SnapshotNames.newest(disk));
    }
    // Of a log that is not forced only a bad record at the very end is taken for a torn one.
    return durability == Durability.DISK ? carriedForced : appended - 1;
  }

  /** Nothing that was to happen to a process when it comes somewhere happens any more. */
  void disarm() {
    points.disarm();
    disk.faults().disarm();
  }

  /** The process dies at a named point, when it comes there for the n-th time. */
  void dieAt(FaultPoint point, int times) {
    points.arm(point, times);
  }

  /** The process is killed, and something happens to the next one as it opens. */
  void killAndThen(Runnable inOpening) {
    kill();
    atOpening = inOpening;
  }

  /** Gives back the memory of the engine, if there is one; for the end of a world. */
  public void switchOff() {
    if (process != null && engine() != null) {
      process.die();
      process = null;
      killFiles();
    }
  }

  /** There is no room left but so many bytes. */
  void fill(long leftBytes) {
    isFull = true;
    room.changed(agenda.nowNs());
    disk.limit(disk.usedBytes() + leftBytes);
  }

  /** There is room again. */
  void makeRoom() {
    isFull = false;
    room.changed(agenda.nowNs());
    disk.limit(limits.diskBytes());
  }

  /** Forces take much longer, or as long as they should again. */
  void slowForces(boolean slow) {
    forces.slow(slow);
  }

  private void onRecord(RecordFrame frame, DirectBuffer record) {
    recovered(frame.sequence() - 1);
    appended = frame.sequence();
    appendedTimeMs = frame.logTimeMs();
    carriedForced = frame.forcedSequence();
    if (isFull) {
      room.onRecord(frame, record, agenda.nowNs(), disk.usableBytes());
    }
    witness.onRecord(frame, record);
  }
}

package io.entroq.simulator.host;

import io.entroq.engine.fault.FaultPoint;
import io.entroq.simulator.disk.Damage;
import io.entroq.simulator.disk.SimulatedDisk;
import io.entroq.simulator.fault.FaultKind;
import io.entroq.simulator.fault.Faults;
import io.entroq.simulator.fault.RecurringFault;
import io.entroq.simulator.virtual.EventQueue;
import io.entroq.simulator.virtual.SeededRandom;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Makes trouble for an engine, its disk and its clock. One thread. */
public final class EngineTrouble {
  private static final long MILLISECOND = 1_000_000;
  private static final long SECOND = 1_000 * MILLISECOND;
  private static final long MINUTE = 60 * SECOND;
  private static final long MIB = 1 << 20;
  private static final FaultPoint[] POINTS = FaultPoint.values();

  /** In one world of so many there is a lot of a kind, and much that is wrong shows only there. */
  private static final int LAVISH_ONE_IN = 8;

  private static final int LAVISH_TIMES = 8;

  /** Misfortunes seldom come alone: after one of so many another one follows soon. */
  private static final int FOLLOWED_ONE_IN = 4;

  private static final long FOLLOWED_NS = 15 * SECOND;

  /** So little has been logged by then that a cut goes to what was logged before. */
  private static final long SOON_NS = 50 * MILLISECOND;

  /** What every other one is followed by; the rest by anything. */
  private static final List<FaultKind> ENDINGS =
      List.of(FaultKind.POWER_LOST, FaultKind.ENGINE_KILLED, FaultKind.ENGINE_CLOSED);

  private static final List<FaultKind> MADE =
      Stream.of(FaultKind.values()).filter(kind -> meanNs(kind) > 0).toList();

  private final EventQueue agenda;
  private final EngineHost host;
  private final SimulatedDisk disk;
  private final HostClock clock;
  private final Faults faults;
  private final RecurringFault recurrence;
  private final Set<FaultKind> lavish = EnumSet.noneOf(FaultKind.class);

  public EngineTrouble(
      EventQueue agenda,
      SeededRandom chance,
      EngineHost host,
      SimulatedDisk disk,
      HostClock clock,
      Faults faults) {
    this.agenda = agenda;
    this.host = host;
    this.disk = disk;
    this.clock = clock;
    this.faults = faults;
    this.recurrence = new RecurringFault(agenda, chance, faults, this::gapNs, this::attempt);
    for (FaultKind kind : FaultKind.values()) {
      if (chance.fork("lavish/" + kind.label()).oneIn(LAVISH_ONE_IN)) {
        lavish.add(kind);
      }
    }
  }

  /** Begins. */
  public void start() {
    recurrence.start();
  }

  /** Ends all trouble, and begins none any more. */
  public void end() {
    recurrence.end();
    host.makeRoom();
    host.slowForces(false);
    clock.setRight();
    host.disarm();
    endLie(recurrence.chance(FaultKind.LYING_DISK));
  }

  private long gapNs(FaultKind kind) {
    return lavish.contains(kind) ? meanNs(kind) / LAVISH_TIMES : meanNs(kind);
  }

  private void attempt(FaultKind kind, SeededRandom chance) {
    if (host.isUp()) {
      make(kind, chance);
      follow(chance);
    }
  }

  private void follow(SeededRandom chance) {
    List<FaultKind> following = chance.oneIn(2) ? ENDINGS : MADE;
    FaultKind next = following.get(chance.below(following.size()));
    if (chance.oneIn(FOLLOWED_ONE_IN) && faults.isOn(next)) {
      agenda.in(
          chance.waitNs(FOLLOWED_NS),
          () -> {
            if (!recurrence.isOver() && host.isUp()) {
              make(next, chance);
            }
          });
    }
  }

  /** How long on average from one to the next; 0: not made here. */
  private static long meanNs(FaultKind kind) {
    return switch (kind) {
      case ENGINE_STALLED -> 7 * MINUTE;
      case ENGINE_KILLED, ENGINE_DIES_AT_POINT, ENGINE_DIES_AT_DISK -> 15 * MINUTE;
      case FORCE_SLOW, DISK_FULL -> 20 * MINUTE;
      case CLOCK_FORWARD, CLOCK_BACK, CLOCK_FROZEN, CLOCK_DRIFTS -> 20 * MINUTE;
      case ENGINE_CLOSED, POWER_LOST, DIES_IN_RECOVERY, POWER_LOST_IN_RECOVERY -> 30 * MINUTE;
      case SNAPSHOT_WRITE_FAILS, FORCE_FAILS, READ_FAILS, LYING_DISK -> 40 * MINUTE;
      case BIT_FLIPPED_IN_LOG, BIT_FLIPPED_IN_SNAPSHOT, BIT_FLIPPED_IN_MANIFEST -> 40 * MINUTE;
      case FILE_TRUNCATED, FILE_MISSING -> 40 * MINUTE;
      case LOG_END_LOST -> 30 * MINUTE;
      default -> 0;
    };
  }

  private void make(FaultKind kind, SeededRandom chance) {
    switch (kind) {
      case ENGINE_KILLED -> {
        faults.count(kind);
        host.kill();
      }
      case ENGINE_CLOSED -> {
        faults.count(kind);
        host.close();
      }
      case ENGINE_STALLED -> {
        faults.count(kind);
        host.stall(chance.waitNs(5 * SECOND));
      }
      case ENGINE_DIES_AT_POINT ->
          host.dieAt(POINTS[chance.below(POINTS.length)], 1 + chance.below(3));
      case ENGINE_DIES_AT_DISK -> disk.faults().dieIn(1 + chance.below(2_000), chance.oneIn(2));
      case DIES_IN_RECOVERY ->
          host.killAndThen(() -> disk.faults().dieIn(1 + chance.below(80), chance.oneIn(2)));
      case READ_FAILS -> host.killAndThen(() -> disk.faults().failReads(any(chance), 1));
      case POWER_LOST -> {
        faults.count(kind);
        losePower(chance);
      }
      case POWER_LOST_IN_RECOVERY ->
          host.losePowerInOpening(1 + chance.below(150), chance.oneIn(2));
      case LYING_DISK -> lie(chance);
      case BIT_FLIPPED_IN_LOG ->
          damage(kind, chance, disk -> disk.flipBit(EngineTrouble::isLog, chance));
      case BIT_FLIPPED_IN_SNAPSHOT ->
          damage(kind, chance, disk -> disk.flipBit(EngineTrouble::isSnapshot, chance));
      case BIT_FLIPPED_IN_MANIFEST ->
          damage(kind, chance, disk -> disk.flipBit(SnapshotNames::isManifest, chance));
      case FILE_TRUNCATED -> damage(kind, chance, disk -> disk.truncate(any(chance), chance));
      case FILE_MISSING -> damage(kind, chance, disk -> disk.remove(any(chance), chance));
      case LOG_END_LOST -> host.afterSnapshot(chance.waitNs(SOON_NS), () -> loseEnd(chance));
      case DISK_FULL -> fill(chance);
      case FORCE_FAILS -> disk.faults().failForces(EngineTrouble::isLog, 1);
      case SNAPSHOT_WRITE_FAILS ->
          disk.faults().failWrites(EngineTrouble::isInSnapshots, 1 + chance.below(3));
      case FORCE_SLOW -> lasting(kind, chance, () -> host.slowForces(true), this::forceAsUsual);
      case CLOCK_FORWARD -> lasting(kind, chance, () -> clock.jump(farNs(chance)), clock::setRight);
      case CLOCK_BACK -> lasting(kind, chance, () -> clock.jump(-farNs(chance)), clock::setRight);
      case CLOCK_FROZEN -> lasting(kind, chance, () -> clock.run(0), clock::setRight);
      case CLOCK_DRIFTS ->
          lasting(kind, chance, () -> clock.run(700 + chance.below(600)), clock::setRight);
      default -> throw new IllegalArgumentException(kind + " is not made here");
    }
  }

  private void forceAsUsual() {
    host.slowForces(false);
  }

  /** What is wrong for a while, and then put right. */
  private void lasting(FaultKind kind, SeededRandom chance, Runnable begin, Runnable end) {
    faults.count(kind);
    begin.run();
    agenda.in(chance.waitNs(MINUTE), end::run);
  }

  /** Mostly seconds, now and then hours. */
  private static long farNs(SeededRandom chance) {
    return chance.oneIn(4) ? chance.waitNs(60 * MINUTE) : chance.waitNs(20 * SECOND);
  }

  private void losePower(SeededRandom chance) {
    if (chance.oneIn(3)) {
      host.losePowerWhileDown(chance.oneIn(2));
    } else {
      host.losePower();
    }
  }

  private void lie(SeededRandom chance) {
    host.lie();
    // Some are long enough for a snapshot to be taken meanwhile, whose log is lost with it.
    long lengthNs = chance.oneIn(2) ? 20 * SECOND : 3 * MINUTE;
    agenda.in(chance.waitNs(lengthNs), () -> endLie(chance));
  }

  /** Once there is an engine; unless another one has ended it, or the end of all trouble. */
  private void endLie(SeededRandom chance) {
    if (!host.isLying()) {
      return;
    }
    if (!host.isUp()) {
      agenda.in(chance.waitNs(SECOND), () -> endLie(chance));
    } else if (host.endLie().isPromiseBroken()) {
      faults.count(FaultKind.LYING_DISK);
    }
  }

  /** Too little room for inserts, for whatever callers want, or for the engine itself. */
  private void fill(SeededRandom chance) {
    long leftBytes =
        switch (chance.below(3)) {
          case 0 -> 48 * MIB;
          case 1 -> 20 * MIB;
          default -> chance.below((int) (16 * MIB));
        };
    lasting(FaultKind.DISK_FULL, chance, () -> host.fill(leftBytes), host::makeRoom);
  }

  private void damage(FaultKind kind, SeededRandom chance, Function<SimulatedDisk, Damage> what) {
    if (host.damage(chance.oneIn(2), what) != null) {
      faults.count(kind);
    }
  }

  /**
   * What is lost is mostly of what the snapshot holds, so that nothing but its name tells of it.
   */
  private void loseEnd(SeededRandom chance) {
    if (recurrence.isOver()) {
      return;
    }
    if (host.damage(false, disk -> disk.truncateLast(EngineTrouble::isLog, chance)) != null) {
      faults.count(FaultKind.LOG_END_LOST);
    }
  }

  /** Some files and not others, by chance. */
  private static Predicate<String> any(SeededRandom chance) {
    int kind = chance.below(3);
    return kind == 0
        ? EngineTrouble::isLog
        : kind == 1 ? EngineTrouble::isInSnapshots : file -> true;
  }

  private static boolean isLog(String path) {
    return path.startsWith(EngineHost.DIRECTORY + "/log/");
  }

  private static boolean isInSnapshots(String path) {
    return path.startsWith(EngineHost.DIRECTORY + "/snapshots/");
  }

  private static boolean isSnapshot(String path) {
    return isInSnapshots(path) && !SnapshotNames.isManifest(path);
  }
}

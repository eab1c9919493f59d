package io.entroq.simulator.host;

import io.entroq.engine.fault.FaultPoint;
import io.entroq.simulator.disk.Damage;
import io.entroq.simulator.disk.SimulatedDisk;
import io.entroq.simulator.fault.FaultKind;
import io.entroq.simulator.fault.Faults;
import io.entroq.simulator.fault.RecurringFault;
import io.entroq.simulator.fault.Trouble;
import io.entroq.simulator.virtual.EventQueue;
import io.entroq.simulator.virtual.SeededRandom;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Injects faults into an engine, its disk and its clock. One thread. */
public final class EngineTrouble implements Trouble {
  private static final long MILLISECOND = 1_000_000;
  private static final long SECOND = 1_000 * MILLISECOND;
  private static final long MINUTE = 60 * SECOND;
  private static final long MIB = 1 << 20;
  private static final FaultPoint[] POINTS = FaultPoint.values();

  /** In one of so many worlds a kind is frequent; some bugs show only then. */
  private static final int LAVISH_ONE_IN = 8;

  private static final int LAVISH_TIMES = 8;

  /** One fault of so many is soon followed by another. */
  private static final int FOLLOWED_ONE_IN = 4;

  private static final long FOLLOWED_NS = 15 * SECOND;

  /** Short enough for a cut to hit what was logged before the snapshot. */
  private static final long SOON_NS = 50 * MILLISECOND;

  /** Half of the following faults are one of these. */
  private static final List<FaultKind> ENDINGS =
      List.of(FaultKind.POWER_LOST, FaultKind.ENGINE_KILLED, FaultKind.ENGINE_CLOSED);

  private static final List<FaultKind> MADE =
      Stream.of(FaultKind.values()).filter(kind -> meanNs(kind) > 0).toList();

  private final EventQueue events;
  private final EngineHost host;
  private final SimulatedDisk disk;
  private final HostClock clock;
  private final Faults faults;
  private final RecurringFault recurrence;
  private final Set<FaultKind> lavish = EnumSet.noneOf(FaultKind.class);

  public EngineTrouble(
      EventQueue events,
      SeededRandom random,
      EngineHost host,
      SimulatedDisk disk,
      HostClock clock,
      Faults faults) {
    this.events = events;
    this.host = host;
    this.disk = disk;
    this.clock = clock;
    this.faults = faults;
    this.recurrence = new RecurringFault(events, random, faults, this::gapNs, this::attempt);
    for (FaultKind kind : FaultKind.values()) {
      if (random.fork("lavish/" + kind.label()).oneIn(LAVISH_ONE_IN)) {
        lavish.add(kind);
      }
    }
  }

  @Override
  public void start() {
    recurrence.start();
  }

  @Override
  public void end() {
    recurrence.end();
    host.makeRoom();
    host.slowForces(false);
    clock.setRight();
    host.disarm();
    endLie(recurrence.random(FaultKind.LYING_DISK));
  }

  private long gapNs(FaultKind kind) {
    return lavish.contains(kind) ? meanNs(kind) / LAVISH_TIMES : meanNs(kind);
  }

  private void attempt(FaultKind kind, SeededRandom random) {
    if (host.isUp()) {
      make(kind, random);
      follow(random);
    }
  }

  private void follow(SeededRandom random) {
    List<FaultKind> following = random.oneIn(2) ? ENDINGS : MADE;
    FaultKind next = following.get(random.below(following.size()));
    if (random.oneIn(FOLLOWED_ONE_IN) && faults.isOn(next)) {
      events.in(
          random.waitNs(FOLLOWED_NS),
          () -> {
            if (!recurrence.isOver() && host.isUp()) {
              make(next, random);
            }
          });
    }
  }

  /** Mean time between two faults; 0: not injected here. */
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

  private void make(FaultKind kind, SeededRandom random) {
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
        host.stall(random.waitNs(5 * SECOND));
      }
      case ENGINE_DIES_AT_POINT ->
          host.dieAt(POINTS[random.below(POINTS.length)], 1 + random.below(3));
      case ENGINE_DIES_AT_DISK -> disk.faults().dieIn(1 + random.below(2_000), random.oneIn(2));
      case DIES_IN_RECOVERY ->
          host.killAndThen(() -> disk.faults().dieIn(1 + random.below(80), random.oneIn(2)));
      case READ_FAILS -> host.killAndThen(() -> disk.faults().failReads(any(random), 1));
      case POWER_LOST -> {
        faults.count(kind);
        losePower(random);
      }
      case POWER_LOST_IN_RECOVERY ->
          host.losePowerInOpening(1 + random.below(150), random.oneIn(2));
      case LYING_DISK -> lie(random);
      case BIT_FLIPPED_IN_LOG ->
          damage(kind, random, disk -> disk.flipBit(EngineTrouble::isLog, random));
      case BIT_FLIPPED_IN_SNAPSHOT ->
          damage(kind, random, disk -> disk.flipBit(EngineTrouble::isSnapshot, random));
      case BIT_FLIPPED_IN_MANIFEST ->
          damage(kind, random, disk -> disk.flipBit(SnapshotNames::isManifest, random));
      case FILE_TRUNCATED -> damage(kind, random, disk -> disk.truncate(any(random), random));
      case FILE_MISSING -> damage(kind, random, disk -> disk.remove(any(random), random));
      case LOG_END_LOST -> host.afterSnapshot(random.waitNs(SOON_NS), () -> loseEnd(random));
      case DISK_FULL -> fill(random);
      case FORCE_FAILS -> disk.faults().failForces(EngineTrouble::isLog, 1);
      case SNAPSHOT_WRITE_FAILS ->
          disk.faults().failWrites(EngineTrouble::isInSnapshots, 1 + random.below(3));
      case FORCE_SLOW -> lasting(kind, random, () -> host.slowForces(true), this::forceAsUsual);
      case CLOCK_FORWARD -> lasting(kind, random, () -> clock.jump(farNs(random)), clock::setRight);
      case CLOCK_BACK -> lasting(kind, random, () -> clock.jump(-farNs(random)), clock::setRight);
      case CLOCK_FROZEN -> lasting(kind, random, () -> clock.run(0), clock::setRight);
      case CLOCK_DRIFTS ->
          lasting(kind, random, () -> clock.run(700 + random.below(600)), clock::setRight);
      default -> throw new IllegalArgumentException(kind + " is not injected here");
    }
  }

  private void forceAsUsual() {
    host.slowForces(false);
  }

  /** A fault that is repaired after a while. */
  private void lasting(FaultKind kind, SeededRandom random, Runnable begin, Runnable end) {
    faults.count(kind);
    begin.run();
    events.in(random.waitNs(MINUTE), end::run);
  }

  /** Mostly seconds, sometimes hours. */
  private static long farNs(SeededRandom random) {
    return random.oneIn(4) ? random.waitNs(60 * MINUTE) : random.waitNs(20 * SECOND);
  }

  private void losePower(SeededRandom random) {
    if (random.oneIn(3)) {
      host.losePowerWhileDown(random.oneIn(2));
    } else {
      host.losePower();
    }
  }

  private void lie(SeededRandom random) {
    host.lie();
    // Some last long enough for a snapshot whose log is then lost.
    long lengthNs = random.oneIn(2) ? 20 * SECOND : 3 * MINUTE;
    events.in(random.waitNs(lengthNs), () -> endLie(random));
  }

  /** Ends the lie once there is an engine, unless it has ended already. */
  private void endLie(SeededRandom random) {
    if (!host.isLying()) {
      return;
    }
    if (!host.isUp()) {
      events.in(random.waitNs(SECOND), () -> endLie(random));
    } else if (host.endLie().isPromiseBroken()) {
      faults.count(FaultKind.LYING_DISK);
    }
  }

  /** Leaves too little space for inserts, for all writes, or for the engine itself. */
  private void fill(SeededRandom random) {
    long leftBytes =
        switch (random.below(3)) {
          case 0 -> 48 * MIB;
          case 1 -> 20 * MIB;
          default -> random.below((int) (16 * MIB));
        };
    lasting(FaultKind.DISK_FULL, random, () -> host.fill(leftBytes), host::makeRoom);
  }

  private void damage(FaultKind kind, SeededRandom random, Function<SimulatedDisk, Damage> what) {
    if (host.damage(random.oneIn(2), what) != null) {
      faults.count(kind);
    }
  }

  /** Mostly loses records that the snapshot covers, so that only its name proves them. */
  private void loseEnd(SeededRandom random) {
    if (recurrence.isOver()) {
      return;
    }
    if (host.damage(false, disk -> disk.truncateLast(EngineTrouble::isLog, random)) != null) {
      faults.count(FaultKind.LOG_END_LOST);
    }
  }

  /** A random choice of files. */
  private static Predicate<String> any(SeededRandom random) {
    int kind = random.below(3);
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

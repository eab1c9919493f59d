package io.entroq.simulator.replica;

import io.entroq.simulator.disk.Damage;
import io.entroq.simulator.disk.SimulatedDisk;
import io.entroq.simulator.fault.FaultKind;
import io.entroq.simulator.fault.Faults;
import io.entroq.simulator.fault.RecurringFault;
import io.entroq.simulator.fault.Trouble;
import io.entroq.simulator.virtual.EventQueue;
import io.entroq.simulator.virtual.SeededRandom;
import java.util.function.Function;

/** Injects faults into members, their disks and their clocks. One thread. */
public final class ClusterTrouble implements Trouble {
  private static final String MANIFEST = "/manifest";
  private static final long MILLISECOND = 1_000_000;
  private static final long SECOND = 1_000 * MILLISECOND;
  private static final long MINUTE = 60 * SECOND;

  private final EventQueue events;
  private final Cluster cluster;
  private final Faults faults;
  private final RecurringFault recurrence;

  public ClusterTrouble(EventQueue events, SeededRandom random, Cluster cluster, Faults faults) {
    this.events = events;
    this.cluster = cluster;
    this.faults = faults;
    this.recurrence =
        new RecurringFault(events, random, faults, ClusterTrouble::meanNs, this::attempt);
  }

  @Override
  public void start() {
    recurrence.start();
  }

  @Override
  public void end() {
    recurrence.end();
    cluster.endTrouble();
  }

  private void attempt(FaultKind kind, SeededRandom random) {
    Member member = cluster.member(random.below(cluster.size()));
    if (member.isUp()) {
      attempt(kind, member, random);
    }
  }

  /** Mean time between two faults; 0: not injected here. */
  private static long meanNs(FaultKind kind) {
    return switch (kind) {
      case LEADER_CHANGED, ENGINE_STALLED, MEMBER_SLOW, SESSION_CLOSED -> 4 * MINUTE;
      case ENGINE_KILLED, POWER_LOST, ENGINE_DIES_AT_DISK -> 6 * MINUTE;
      case BIT_FLIPPED_IN_SNAPSHOT, BIT_FLIPPED_IN_MANIFEST -> 15 * MINUTE;
      case FILE_TRUNCATED, FILE_MISSING, DISK_REPLACED -> 15 * MINUTE;
      case CLOCK_FORWARD, CLOCK_BACK, CLOCK_DRIFTS, CLOCK_FROZEN -> 10 * MINUTE;
      default -> 0;
    };
  }

  /** Injects a fault and counts it; deaths at a disk are counted when they happen. */
  private void attempt(FaultKind kind, Member member, SeededRandom random) {
    boolean hasHappened =
        switch (kind) {
          case LEADER_CHANGED -> cluster.interrupt();
          case SESSION_CLOSED -> cluster.closeSession(member);
          case ENGINE_DIES_AT_DISK -> {
            member.disk().dieIn(1 + random.below(60), random.oneIn(2));
            yield false;
          }
          case BIT_FLIPPED_IN_SNAPSHOT ->
              damage(member, disk -> disk.flipBit(file -> !file.endsWith(MANIFEST), random));
          case BIT_FLIPPED_IN_MANIFEST ->
              damage(member, disk -> disk.flipBit(file -> file.endsWith(MANIFEST), random));
          case FILE_TRUNCATED -> damage(member, disk -> disk.truncate(file -> true, random));
          case FILE_MISSING -> damage(member, disk -> disk.remove(file -> true, random));
          default -> {
            make(kind, member, random);
            yield true;
          }
        };
    if (hasHappened) {
      faults.count(kind);
    }
  }

  private void make(FaultKind kind, Member member, SeededRandom random) {
    switch (kind) {
      case ENGINE_STALLED -> member.life().pause(random.waitNs(5 * SECOND));
      case MEMBER_SLOW -> {
        MemberLife life = member.life();
        lasting(random, () -> life.slow(true), () -> life.slow(false));
      }
      case ENGINE_KILLED -> member.die();
      case POWER_LOST -> {
        member.die();
        member.disk().losePower(random);
      }
      case DISK_REPLACED -> {
        member.die();
        member.disk().replace();
      }
      case CLOCK_FORWARD -> clock(member, random, random.waitNs(5 * SECOND));
      case CLOCK_BACK -> clock(member, random, -random.waitNs(5 * SECOND));
      case CLOCK_FROZEN ->
          lasting(random, () -> member.clock().run(0), () -> member.clock().setRight());
      case CLOCK_DRIFTS ->
          lasting(
              random,
              () -> member.clock().run(700 + random.below(600)),
              () -> member.clock().setRight());
      default -> throw new IllegalArgumentException(kind + " is not injected here");
    }
  }

  private void clock(Member member, SeededRandom random, long byNs) {
    lasting(random, () -> member.clock().jump(byNs), () -> member.clock().setRight());
  }

  /** A fault that is repaired after a while. */
  private void lasting(SeededRandom random, Runnable begin, Runnable end) {
    begin.run();
    events.in(random.waitNs(20 * SECOND), end::run);
  }

  private static boolean damage(Member member, Function<SimulatedDisk, Damage> what) {
    member.die();
    Damage damage = what.apply(member.disk().disk());
    if (damage != null) {
      member.disk().markDamaged(damage);
    }
    return damage != null;
  }
}

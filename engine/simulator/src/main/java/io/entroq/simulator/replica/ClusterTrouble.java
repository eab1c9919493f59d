package io.entroq.simulator.replica;

import io.entroq.simulator.disk.Damage;
import io.entroq.simulator.disk.SimulatedDisk;
import io.entroq.simulator.fault.FaultKind;
import io.entroq.simulator.fault.Faults;
import io.entroq.simulator.fault.RecurringFault;
import io.entroq.simulator.virtual.EventQueue;
import io.entroq.simulator.virtual.SeededRandom;
import java.util.function.Function;

/** Makes trouble for members, their disks and their clocks. One thread. */
public final class ClusterTrouble {
  private static final String MANIFEST = "/manifest";
  private static final long MILLISECOND = 1_000_000;
  private static final long SECOND = 1_000 * MILLISECOND;
  private static final long MINUTE = 60 * SECOND;

  private final EventQueue agenda;
  private final Cluster cluster;
  private final Faults faults;
  private final RecurringFault recurrence;

  public ClusterTrouble(EventQueue agenda, SeededRandom chance, Cluster cluster, Faults faults) {
    this.agenda = agenda;
    this.cluster = cluster;
    this.faults = faults;
    this.recurrence =
        new RecurringFault(agenda, chance, faults, ClusterTrouble::meanNs, this::attempt);
  }

  /** Begins. */
  public void start() {
    recurrence.start();
  }

  /** Ends all trouble, and begins none any more. */
  public void end() {
    recurrence.end();
    cluster.endTrouble();
  }

  private void attempt(FaultKind kind, SeededRandom chance) {
    Member member = cluster.member(chance.below(cluster.size()));
    if (member.isUp()) {
      attempt(kind, member, chance);
    }
  }

  /** How long on average from one to the next; 0: not made here. */
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

  /** Counts what comes of it; where a process is to die at its disk, that is counted there. */
  private void attempt(FaultKind kind, Member member, SeededRandom chance) {
    boolean hasHappened =
        switch (kind) {
          case LEADER_CHANGED -> cluster.interrupt();
          case SESSION_CLOSED -> cluster.closeSession(member);
          case ENGINE_DIES_AT_DISK -> {
            member.disk().dieIn(1 + chance.below(60), chance.oneIn(2));
            yield false;
          }
          case BIT_FLIPPED_IN_SNAPSHOT ->
              damage(member, disk -> disk.flipBit(file -> !file.endsWith(MANIFEST), chance));
          case BIT_FLIPPED_IN_MANIFEST ->
              damage(member, disk -> disk.flipBit(file -> file.endsWith(MANIFEST), chance));
          case FILE_TRUNCATED -> damage(member, disk -> disk.truncate(file -> true, chance));
          case FILE_MISSING -> damage(member, disk -> disk.remove(file -> true, chance));
          default -> {
            make(kind, member, chance);
            yield true;
          }
        };
    if (hasHappened) {
      faults.count(kind);
    }
  }

  private void make(FaultKind kind, Member member, SeededRandom chance) {
    switch (kind) {
      case ENGINE_STALLED -> member.life().rest(chance.waitNs(5 * SECOND));
      case MEMBER_SLOW -> {
        MemberLife life = member.life();
        lasting(chance, () -> life.slow(true), () -> life.slow(false));
      }
      case ENGINE_KILLED -> member.die();
      case POWER_LOST -> {
        member.die();
        member.disk().losePower(chance);
      }
      case DISK_REPLACED -> {
        member.die();
        member.disk().replace();
      }
      case CLOCK_FORWARD -> clock(member, chance, chance.waitNs(5 * SECOND));
      case CLOCK_BACK -> clock(member, chance, -chance.waitNs(5 * SECOND));
      case CLOCK_FROZEN ->
          lasting(chance, () -> member.clock().run(0), () -> member.clock().setRight());
      case CLOCK_DRIFTS ->
          lasting(
              chance,
              () -> member.clock().run(700 + chance.below(600)),
              () -> member.clock().setRight());
      default -> throw new IllegalArgumentException(kind + " is not made here");
    }
  }

  private void clock(Member member, SeededRandom chance, long byNs) {
    lasting(chance, () -> member.clock().jump(byNs), () -> member.clock().setRight());
  }

  /** What is wrong for a while, and then put right. */
  private void lasting(SeededRandom chance, Runnable begin, Runnable end) {
    begin.run();
    agenda.in(chance.waitNs(20 * SECOND), end::run);
  }

  /** Whether there was anything to damage. */
  private static boolean damage(Member member, Function<SimulatedDisk, Damage> what) {
    member.die();
    Damage damage = what.apply(member.disk().disk());
    if (damage != null) {
      member.disk().noteDamage(damage);
    }
    return damage != null;
  }
}

package io.entroq.simulator.replica;

import io.entroq.engine.replica.ClientHosts;
import io.entroq.engine.state.StateMachine;
import io.entroq.engine.state.StateMachineConfig;
import io.entroq.simulator.check.Invariant;
import io.entroq.simulator.disk.SimulatedDeath;
import io.entroq.simulator.fault.FaultKind;
import io.entroq.simulator.host.HostClock;
import io.entroq.simulator.virtual.SeededRandom;
import io.entroq.simulator.virtual.Trace;
import java.util.function.Consumer;

/**
 * A member of a cluster over all its lives. Each life starts from a snapshot of an earlier one if
 * there is any. One thread.
 */
final class Member {
  private static final long SECOND = 1_000_000_000;
  private static final long SNAPSHOT_NS_LEAST = 20 * SECOND;
  private static final long SNAPSHOT_NS_MOST = 200 * SECOND;

  private final String name;
  private final int number;
  private final ClusterContext context;
  private final SeededRandom random;
  private final Trace trace;
  private final Consumer<Member> onDown;
  private final MemberDisk disk = new MemberDisk();
  private final HostClock clock;

  /** This life; null while it is down. */
  private MemberLife life;

  /**
   * @param onDown learns that the member has died
   */
  Member(
      int number,
      ClusterContext context,
      SeededRandom random,
      Trace trace,
      Consumer<Member> onDown) {
    this.name = "member " + number;
    this.number = number;
    this.context = context;
    this.random = random;
    this.trace = trace;
    this.onDown = onDown;
    this.clock = new HostClock(context.events());
  }

  MemberDisk disk() {
    return disk;
  }

  HostClock clock() {
    return clock;
  }

  /** This life; null while it is down. */
  MemberLife life() {
    return life;
  }

  boolean isUp() {
    return life != null;
  }

  /** Whether it has applied the whole log. */
  boolean isCurrent() {
    return isUp() && life.isCurrent();
  }

  /** The entry that it applies for an entry of the log. */
  Entry read(Entry entry) {
    return context.reader().read(context.log(), number, entry);
  }

  /**
   * Starts a life from a snapshot, or from nothing if the log is complete.
   *
   * @param passedOver how many of the newest snapshots to skip if there are older ones
   * @return false if there is nothing to start from
   */
  boolean start(int passedOver) {
    disk.open();
    StateMachine loaded = disk.load(passedOver);
    if (loaded == null && context.log().first() > 1) {
      disk.die();
      return false;
    }
    MemberDisk.ClusterState clusterState = MemberDisk.ClusterState.NOTHING;
    if (loaded != null) {
      clusterState = disk.clusterState(loaded.sequence());
      requireKnown(loaded, clusterState.index());
    }
    StateMachine machine = loaded == null ? new StateMachine(StateMachineConfig.DEFAULT) : loaded;
    trace.add(number + machine.sequence());
    ClientHosts holders =
        ClientHosts.read(clusterState.holders(), 0, clusterState.holders().capacity());
    life =
        new MemberLife(
            this,
            context,
            new SeededRandom(random.next()),
            clock,
            machine,
            holders,
            clusterState.index());
    life.often(SNAPSHOT_NS_LEAST, SNAPSHOT_NS_MOST, this::writeSnapshot);
    life.begin();
    return true;
  }

  /** A snapshot must be the state at one record of the log. */
  private void requireKnown(StateMachine loaded, long index) {
    OrderedLog log = context.log();
    Invariant.REPLICAS_AGREE.require(
        index >= log.first() - 1 && index <= log.last(),
        "entry " + index,
        "a snapshot from " + log.first() + " to " + log.last(),
        name);
    context.records().requireState(name, loaded);
  }

  /** The process dies; only while it is up. */
  void die() {
    switchOff();
    disk.die();
    onDown.accept(this);
  }

  /** Frees the memory; for the end of a world. */
  void switchOff() {
    if (isUp()) {
      life.end();
      life = null;
    }
  }

  /**
   * Fails unless everything in the log by some time has been applied, if the member has been
   * running since.
   */
  void requireCurrent(long byNs) {
    if (isUp() && !isCurrent() && life.isAwakeSince(byNs)) {
      long next = life.index() + 1;
      Invariant.REPLICAS_CATCH_UP.require(
          context.log().get(next).committedNs() > byNs,
          "entry " + next,
          "applied by " + name + " a while after it was committed",
          "not yet");
    }
  }

  /** Whether its newest snapshot, rewritten if damaged, is good for another member. */
  boolean hasSnapshotToGive() {
    if (isUp() && !disk.hasGood()) {
      writeSnapshot();
    }
    return isUp() && disk.hasGood();
  }

  private void writeSnapshot() {
    if (life.machine().sequence() == 0) {
      return;
    }
    try {
      disk.write(life.machine(), life.index(), life.holders());
    } catch (SimulatedDeath e) {
      context.faults().count(FaultKind.ENGINE_DIES_AT_DISK);
      die();
    }
  }

  @Override
  public String toString() {
    return name;
  }
}

package io.entroq.system.scenario;

import io.entroq.system.member.Cluster;
import java.time.Duration;
import java.util.List;

/** Faults of processes, network and clocks. */
final class Faults {
  private static final Duration SOON = Duration.ofSeconds(2);
  private static final Duration HOUR = Duration.ofHours(1);
  private static final double LOSS = 0.05;
  private static final Duration PULSE = Duration.ofMillis(200);
  private static final int PULSES = 20;

  private Faults() {}

  static void killLeader(FaultContext context) throws Exception {
    context.cluster().kill(context.leader());
    context.settle();
  }

  static void killLeaderForLong(FaultContext context) throws Exception {
    context.cluster().kill(context.leader());
    context.work(context.heartbeats(3).plus(context.upTo(SOON)));
    context.settle();
  }

  static void killFollower(FaultContext context) throws Exception {
    context.cluster().kill(context.follower());
    context.work(context.upTo(SOON));
    context.settle();
  }

  static void killMajority(FaultContext context) throws Exception {
    context.cluster().kill(context.leader());
    for (int id : context.cluster().ids()) {
      if (context.cluster().isAlive(id)) {
        context.cluster().kill(id);
        break;
      }
    }
    context.work(context.upTo(SOON));
    context.settle();
  }

  static void restartAll(FaultContext context) throws Exception {
    for (int id : context.cluster().ids()) {
      context.cluster().kill(id);
    }
    context.settle();
  }

  /** Kills a member again while it starts. */
  static void killWhileStarting(FaultContext context) throws Exception {
    Cluster cluster = context.cluster();
    int id = context.any();
    for (int i = 0; i < 3; i++) {
      cluster.kill(id);
      cluster.start(id);
      context.work(context.upTo(Duration.ofSeconds(4)));
    }
    context.settle();
  }

  static void freezeLeader(FaultContext context) throws Exception {
    freeze(context, context.leader(), context.heartbeats(2));
  }

  static void freezeFollower(FaultContext context) throws Exception {
    freeze(context, context.follower(), context.heartbeats(2));
  }

  /** For less than the heartbeat timeout, so it must stay the leader. */
  static void freezeLeaderBriefly(FaultContext context) throws Exception {
    keepTerm(context, () -> freeze(context, context.leader(), context.heartbeats(0.4)));
  }

  /** For longer than its process timeout: it may end, and is restarted. */
  static void freezeForVeryLong(FaultContext context) throws Exception {
    int id = context.any();
    context.cluster().mayEnd(id);
    freeze(context, id, context.cluster().config().processTimeout().plusSeconds(3));
  }

  private static void freeze(FaultContext context, int id, Duration time) throws Exception {
    context.cluster().freeze(id);
    context.work(time);
    context.cluster().thaw();
    // If it ends, it does so soon.
    context.work(SOON);
    context.settle();
  }

  static void slowFollower(FaultContext context) throws Exception {
    slow(context, context.follower());
  }

  static void slowLeader(FaultContext context) throws Exception {
    slow(context, context.leader());
  }

  /** Stops a member for half of the time. */
  private static void slow(FaultContext context, int id) throws Exception {
    for (int i = 0; i < PULSES; i++) {
      context.cluster().freeze(id);
      context.work(PULSE);
      context.cluster().thaw();
      context.work(PULSE);
    }
    context.settle();
  }

  static void isolateLeader(FaultContext context) throws Exception {
    isolate(context, context.leader());
  }

  static void isolateFollower(FaultContext context) throws Exception {
    isolate(context, context.follower());
  }

  private static void isolate(FaultContext context, int id) throws Exception {
    context.cluster().isolate(id);
    context.work(context.heartbeats(3));
    context.cluster().heal();
    context.settle();
  }

  static void deafLeader(FaultContext context) throws Exception {
    deafen(context, context.leader());
  }

  static void deafFollower(FaultContext context) throws Exception {
    deafen(context, context.follower());
  }

  /** The member sends, but receives nothing. */
  private static void deafen(FaultContext context, int id) throws Exception {
    context.cluster().deafen(id, context.cluster().others(id));
    context.work(context.heartbeats(3));
    context.cluster().heal();
    context.settle();
  }

  /** Separates the leader from one follower; the other follower reaches both. */
  static void bridge(FaultContext context) throws Exception {
    int leader = context.leader();
    int follower = context.follower();
    context.cluster().deafen(leader, follower);
    context.cluster().deafen(follower, leader);
    context.work(context.heartbeats(4));
    context.cluster().heal();
    context.settle();
  }

  static void loseSome(FaultContext context) throws Exception {
    context.cluster().lose(LOSS);
    context.work(context.heartbeats(3));
    context.cluster().heal();
    context.settle();
  }

  /** Log time runs a tenth faster or slower, so neither the leader nor a lease is lost. */
  static void clockJumps(FaultContext context) throws Exception {
    int id = context.leader();
    keepTerm(
        context,
        () -> {
          context.cluster().setClock(id, context.random().nextBoolean() ? HOUR : HOUR.negated());
          context.work(context.heartbeats(1));
          context.cluster().setClock(id, Duration.ZERO);
          context.work(context.upTo(SOON));
          context.settle();
        });
  }

  private interface Step {
    void run() throws Exception;
  }

  /** Requires the same term afterwards, unless the machine stalled. */
  private static void keepTerm(FaultContext context, Step step) throws Exception {
    context.leader();
    long before = context.cluster().term();
    try (StallDetector detector = new StallDetector()) {
      step.run();
      TermCheck check = new TermCheck(before, context.cluster().term(), detector.longest());
      if (check.isUnexplained(context.heartbeats(0.25))) {
        throw new IllegalStateException(check.toString());
      } else if (!check.isSame()) {
        context.note(check.toString());
      }
    }
  }

  /** The next leader may have another clock. */
  static void killLeaderWithOddClock(FaultContext context) throws Exception {
    context.cluster().setClock(context.any(), context.upTo(Duration.ofSeconds(60)));
    killLeader(context);
  }

  static void snapshotWhileVoting(FaultContext context) throws Exception {
    context.cluster().snapshot();
    context.work(context.upTo(Duration.ofMillis(100)));
    context.cluster().kill(context.leader());
    context.cluster().snapshot();
    context.work(context.heartbeats(1.5));
    context.cluster().snapshot();
    context.settle();
  }

  static void snapshotThenRestartAll(FaultContext context) throws Exception {
    context.cluster().snapshot();
    context.work(SOON);
    restartAll(context);
  }

  /** Any fault that leaves clocks alone. */
  static void anything(FaultContext context) throws Exception {
    List<Fault> all =
        List.of(
            Faults::killLeader,
            Faults::killFollower,
            Faults::killMajority,
            Faults::restartAll,
            Faults::freezeLeader,
            Faults::freezeLeaderBriefly,
            Faults::isolateLeader,
            Faults::isolateFollower,
            Faults::deafLeader,
            Faults::bridge,
            Faults::loseSome,
            Faults::snapshotWhileVoting);
    all.get(context.random().nextInt(all.size())).inject(context);
  }
}

package io.entroq.system.scenario;

import io.entroq.system.member.Cluster;
import java.time.Duration;
import java.util.List;

/** What can befall processes, network and clocks, and leaves nothing behind. */
final class Faults {
  private static final Duration SOON = Duration.ofSeconds(2);
  private static final Duration HOUR = Duration.ofHours(1);
  private static final double LOSS = 0.05;
  private static final Duration PULSE = Duration.ofMillis(200);
  private static final int PULSES = 20;

  private Faults() {}

  static void killLeader(Stage stage) throws Exception {
    stage.cluster().kill(stage.leader());
    stage.settle();
  }

  static void killLeaderForLong(Stage stage) throws Exception {
    stage.cluster().kill(stage.leader());
    stage.work(stage.heartbeats(3).plus(stage.upTo(SOON)));
    stage.settle();
  }

  static void killFollower(Stage stage) throws Exception {
    stage.cluster().kill(stage.follower());
    stage.work(stage.upTo(SOON));
    stage.settle();
  }

  static void killMajority(Stage stage) throws Exception {
    stage.cluster().kill(stage.leader());
    for (int id : stage.cluster().ids()) {
      if (stage.cluster().isAlive(id)) {
        stage.cluster().kill(id);
        break;
      }
    }
    stage.work(stage.upTo(SOON));
    stage.settle();
  }

  static void restartAll(Stage stage) throws Exception {
    for (int id : stage.cluster().ids()) {
      stage.cluster().kill(id);
    }
    stage.settle();
  }

  /** Killed again while it starts. */
  static void killWhileStarting(Stage stage) throws Exception {
    Cluster cluster = stage.cluster();
    int id = stage.any();
    for (int i = 0; i < 3; i++) {
      cluster.kill(id);
      cluster.start(id);
      stage.work(stage.upTo(Duration.ofSeconds(4)));
    }
    stage.settle();
  }

  static void freezeLeader(Stage stage) throws Exception {
    freeze(stage, stage.leader(), stage.heartbeats(2));
  }

  static void freezeFollower(Stage stage) throws Exception {
    freeze(stage, stage.follower(), stage.heartbeats(2));
  }

  /** For less than anybody waits for it, so it leads on. */
  static void freezeLeaderBriefly(Stage stage) throws Exception {
    keepTerm(stage, () -> freeze(stage, stage.leader(), stage.heartbeats(0.4)));
  }

  /** For longer than its own parts wait for each other: it may end, and is started again. */
  static void freezeForVeryLong(Stage stage) throws Exception {
    int id = stage.any();
    stage.cluster().mayEnd(id);
    freeze(stage, id, stage.cluster().config().processTimeout().plusSeconds(3));
  }

  private static void freeze(Stage stage, int id, Duration time) throws Exception {
    stage.cluster().freeze(id);
    stage.work(time);
    stage.cluster().thaw();
    // If it ends, it does so soon.
    stage.work(SOON);
    stage.settle();
  }

  static void slowFollower(Stage stage) throws Exception {
    slow(stage, stage.follower());
  }

  static void slowLeader(Stage stage) throws Exception {
    slow(stage, stage.leader());
  }

  /** Runs for half of the time. */
  private static void slow(Stage stage, int id) throws Exception {
    for (int i = 0; i < PULSES; i++) {
      stage.cluster().freeze(id);
      stage.work(PULSE);
      stage.cluster().thaw();
      stage.work(PULSE);
    }
    stage.settle();
  }

  static void isolateLeader(Stage stage) throws Exception {
    isolate(stage, stage.leader());
  }

  static void isolateFollower(Stage stage) throws Exception {
    isolate(stage, stage.follower());
  }

  private static void isolate(Stage stage, int id) throws Exception {
    stage.cluster().isolate(id);
    stage.work(stage.heartbeats(3));
    stage.cluster().heal();
    stage.settle();
  }

  static void deafLeader(Stage stage) throws Exception {
    deafen(stage, stage.leader());
  }

  static void deafFollower(Stage stage) throws Exception {
    deafen(stage, stage.follower());
  }

  /** It is heard, but hears nobody. */
  private static void deafen(Stage stage, int id) throws Exception {
    stage.cluster().deafen(id, stage.cluster().others(id));
    stage.work(stage.heartbeats(3));
    stage.cluster().heal();
    stage.settle();
  }

  /** The leader and one follower are cut from each other; the other follower hears both. */
  static void bridge(Stage stage) throws Exception {
    int leader = stage.leader();
    int follower = stage.follower();
    stage.cluster().deafen(leader, follower);
    stage.cluster().deafen(follower, leader);
    stage.work(stage.heartbeats(4));
    stage.cluster().heal();
    stage.settle();
  }

  static void loseSome(Stage stage) throws Exception {
    stage.cluster().lose(LOSS);
    stage.work(stage.heartbeats(3));
    stage.cluster().heal();
    stage.settle();
  }

  /** Log time becomes a tenth faster or slower, so nobody is given up for it, nor any lease. */
  static void clockJumps(Stage stage) throws Exception {
    int id = stage.leader();
    keepTerm(
        stage,
        () -> {
          stage.cluster().setClock(id, stage.random().nextBoolean() ? HOUR : HOUR.negated());
          stage.work(stage.heartbeats(1));
          stage.cluster().setClock(id, Duration.ZERO);
          stage.work(stage.upTo(SOON));
          stage.settle();
        });
  }

  private interface Step {
    void run() throws Exception;
  }

  /** Whatever it is, nobody has a reason to vote; but if the machine stands still, all have. */
  private static void keepTerm(Stage stage, Step step) throws Exception {
    stage.leader();
    long before = stage.cluster().term();
    try (Stalls stalls = new Stalls()) {
      step.run();
      Terms terms = new Terms(before, stage.cluster().term(), stalls.longest());
      if (terms.isWrong(stage.heartbeats(0.25))) {
        throw new IllegalStateException(terms.toString());
      } else if (!terms.isSame()) {
        stage.note(terms.toString());
      }
    }
  }

  /** The next leader has another clock. */
  static void killLeaderWithOddClock(Stage stage) throws Exception {
    stage.cluster().setClock(stage.any(), stage.upTo(Duration.ofSeconds(60)));
    killLeader(stage);
  }

  static void snapshotWhileVoting(Stage stage) throws Exception {
    stage.cluster().snapshot();
    stage.work(stage.upTo(Duration.ofMillis(100)));
    stage.cluster().kill(stage.leader());
    stage.cluster().snapshot();
    stage.work(stage.heartbeats(1.5));
    stage.cluster().snapshot();
    stage.settle();
  }

  static void snapshotThenRestartAll(Stage stage) throws Exception {
    stage.cluster().snapshot();
    stage.work(SOON);
    restartAll(stage);
  }

  /** Any of those that leave clocks alone. */
  static void anything(Stage stage) throws Exception {
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
    all.get(stage.random().nextInt(all.size())).befall(stage);
  }
}

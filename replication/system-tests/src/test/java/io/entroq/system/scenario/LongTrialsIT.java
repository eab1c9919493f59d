package io.entroq.system.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.Durability;
import io.entroq.system.history.CheckConfig;
import io.entroq.system.history.Harm;
import io.entroq.system.member.Cluster;
import io.entroq.system.member.ClusterConfig;
import io.entroq.system.member.Namespaces;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.opentest4j.TestAbortedException;

/**
 * Everything that can befall a cluster, for two minutes each. {@code -Dtrial=EXPRESSION} asks for
 * those whose names match it, {@code -Dtrial.seconds=N} for another time, {@code -Dtest.seed=N} for
 * the chance of an earlier run.
 */
@Tag("long")
@EnabledOnOs(value = OS.LINUX, disabledReason = "it needs more addresses on the loopback interface")
class LongTrialsIT {
  private static final Duration LENGTH = Duration.ofSeconds(Long.getLong("trial.seconds", 120));
  private static final String WANTED = System.getProperty("trial", ".*");
  private static final List<String> REPORT = new ArrayList<>();
  private static boolean isAnyWanted;
  private static final Fault NOTHING = stage -> stage.work(stage.heartbeats(1));

  private static final List<TrialPlan> PLANS =
      List.of(
          TrialPlan.of("kill the leader", Faults::killLeader),
          TrialPlan.of("kill the leader", Faults::killLeader).onDisk(),
          TrialPlan.of("kill the leader for long", Faults::killLeaderForLong),
          TrialPlan.of("kill a follower", Faults::killFollower),
          TrialPlan.of("kill a follower", Faults::killFollower).onDisk(),
          TrialPlan.of("kill a majority", Faults::killMajority),
          TrialPlan.of("kill a majority", Faults::killMajority).onDisk(),
          TrialPlan.of("kill while starting", Faults::killWhileStarting).onDisk(),
          TrialPlan.of("restart all", Faults::restartAll).untrimmed(),
          TrialPlan.of("restart all", Faults::restartAll).onDisk(),
          TrialPlan.of("freeze the leader", Faults::freezeLeader).onDisk(),
          TrialPlan.of("freeze the leader briefly", Faults::freezeLeaderBriefly),
          TrialPlan.of("freeze a follower", Faults::freezeFollower),
          TrialPlan.of("freeze for very long", Faults::freezeForVeryLong),
          TrialPlan.of("slow leader", Faults::slowLeader),
          TrialPlan.of("slow follower", Faults::slowFollower),
          TrialPlan.of("isolate the leader", Faults::isolateLeader),
          TrialPlan.of("isolate the leader", Faults::isolateLeader).onDisk(),
          TrialPlan.of("isolate a follower", Faults::isolateFollower),
          TrialPlan.of("deaf leader", Faults::deafLeader).onDisk(),
          TrialPlan.of("deaf follower", Faults::deafFollower),
          TrialPlan.of("bridge", Faults::bridge).onDisk(),
          TrialPlan.of("lose some", Faults::loseSome),
          TrialPlan.of("kill the leader", Faults::killLeader).withClocksApart(),
          TrialPlan.of("clock jumps", Faults::clockJumps),
          TrialPlan.of("odd clocks", Faults::killLeaderWithOddClock).withOddClocks(),
          TrialPlan.of("snapshot while voting", Faults::snapshotWhileVoting).untrimmed(),
          TrialPlan.of("snapshot, then restart all", Faults::snapshotThenRestartAll).onDisk(),
          TrialPlan.of("wiped", NOTHING).after(DiskFaults::wipe).onDisk(),
          TrialPlan.of("damaged log", NOTHING).after(DiskFaults::damageLog).untrimmed(),
          TrialPlan.of("damaged snapshot", NOTHING).after(DiskFaults::damageSnapshot).untrimmed(),
          TrialPlan.of("anything", Faults::anything),
          TrialPlan.of("anything", Faults::anything).onDisk());

  @TestFactory
  Stream<DynamicTest> shouldLoseNothingAndDoNothingTwice() {
    return PLANS.stream()
        .filter(plan -> isWanted(plan.name()))
        .map(plan -> test(plan.name(), scene -> run(plan, scene)));
  }

  @TestFactory
  Stream<DynamicTest> shouldKeepWhatKilledCallersHaveDone() {
    return Stream.of("killed callers")
        .filter(LongTrialsIT::isWanted)
        .map(name -> test(name, LongTrialsIT::runWithMortalCallers));
  }

  @TestFactory
  Stream<DynamicTest> shouldOutliveAFullDisk() {
    return Stream.of("full disk")
        .filter(LongTrialsIT::isWanted)
        .map(name -> test(name, LongTrialsIT::runWithSmallDisk));
  }

  @TestFactory
  Stream<DynamicTest> shouldOutliveARealPartition() {
    return Stream.of("network")
        .filter(LongTrialsIT::isWanted)
        .map(name -> test(name, LongTrialsIT::runInNamespaces));
  }

  @AfterAll
  static void report() {
    System.out.println("Trials of " + LENGTH.toSeconds() + " s each:");
    REPORT.forEach(line -> System.out.println("  " + line));
    assertThat(isAnyWanted).as("whether a trial is called %s", WANTED).isTrue();
  }

  private static boolean isWanted(String name) {
    boolean isWanted = name.matches(WANTED);
    isAnyWanted |= isWanted;
    return isWanted;
  }

  private interface Run {
    Report in(Scene scene) throws Exception;
  }

  private record Scene(String name, Path directory, long seed) {
    void note(String what) {
      System.out.println(name + ": " + what);
    }
  }

  private static DynamicTest test(String name, Run run) {
    return DynamicTest.dynamicTest(name, () -> tryOut(name, run));
  }

  private static void tryOut(String name, Run run) throws Exception {
    long seed = Long.getLong("test.seed", System.nanoTime());
    Path directory = Files.createTempDirectory("entroq-trial-");
    Scene scene = new Scene(name, directory, seed);
    scene.note("seed " + seed + " in " + directory);
    try {
      Report report = run.in(scene);
      REPORT.add(name + ", seed " + seed + ": " + report.line());
      scene.note(report.text());
      assertThat(report.isGood()).as(() -> again(scene) + "\n" + report.text()).isTrue();
    } catch (TestAbortedException e) {
      delete(directory);
      scene.note("not tried: " + e.getMessage());
      throw e;
    } catch (Throwable t) {
      REPORT.add(name + ", seed " + seed + ": FAILED, " + t.getMessage());
      throw t;
    }
    delete(directory);
  }

  private static String again(Scene scene) {
    return "kept in %s; again with -Dtrial='%s' -Dtest.seed=%d"
        .formatted(scene.directory(), scene.name(), scene.seed());
  }

  private static void delete(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  private static Report run(TrialPlan plan, Scene scene) throws Exception {
    Cluster cluster = Cluster.bootstrap(plan.set().apply(ClusterConfig.in(scene.directory())));
    try (Trial trial = Trial.begin(cluster, scene.seed(), scene::note)) {
      long endNs = System.nanoTime() + LENGTH.toNanos();
      trial.befall(NOTHING);
      trial.befall(plan.first());
      repeat(trial, plan.fault(), endNs, scene);
      return trial.end(plan.hasOddClocks() ? CheckConfig.USUAL.withOddClocks() : CheckConfig.USUAL);
    }
  }

  private static void repeat(Trial trial, Fault fault, long endNs, Scene scene) throws Exception {
    int times = 0;
    while (System.nanoTime() - endNs < 0 && !trial.isBroken()) {
      trial.befall(fault);
      times++;
      scene.note(times + " times, " + trial.answers() + " answers");
    }
  }

  /** Or nothing that a trial says of ends would be worth much. */
  @Test
  void shouldNotPassWhereAMemberEndsByItself() throws Exception {
    Path directory = Files.createTempDirectory("entroq-trial-");
    Cluster cluster = Cluster.bootstrap(ClusterConfig.in(directory));
    try (Trial trial = Trial.begin(cluster, 1, line -> System.out.println(line))) {
      trial.befall(
          stage -> {
            cluster.end(stage.leader());
            stage.settle();
          });
      assertThat(trial.end(CheckConfig.USUAL).findings())
          .singleElement()
          .satisfies(
              found -> {
                assertThat(found.harm()).isEqualTo(Harm.ENDED);
                assertThat(found.what()).contains("has ended by itself", "told to end");
              });
    }
    delete(directory);
  }

  private static Report runWithMortalCallers(Scene scene) throws Exception {
    MortalCallers callers = new MortalCallers();
    Cluster cluster =
        Cluster.bootstrap(ClusterConfig.in(scene.directory()).withDurability(Durability.DISK));
    try (Trial trial = Trial.begin(cluster, scene.seed(), scene::note)) {
      long endNs = System.nanoTime() + LENGTH.toNanos();
      repeat(trial, callers::oneMore, endNs, scene);
      return trial.end(CheckConfig.USUAL.withDead(callers.dead()), callers.history());
    }
  }

  private static Report runWithSmallDisk(Scene scene) throws Exception {
    Assumptions.assumeTrue(SmallDisk.isAllowed(scene.directory()), "nothing can be mounted here");
    try (SmallDisks disks = SmallDisks.mount(scene.directory(), Cluster.MEMBERS)) {
      Cluster cluster =
          Cluster.bootstrap(ClusterConfig.in(scene.directory()).withDurability(Durability.DISK));
      try (Trial trial = Trial.begin(cluster, scene.seed(), scene::note)) {
        long endNs = System.nanoTime() + LENGTH.toNanos();
        repeat(trial, disks::fillOne, endNs, scene);
        return trial.end(CheckConfig.USUAL);
      }
    }
  }

  private static Report runInNamespaces(Scene scene) throws Exception {
    Assumptions.assumeTrue(Namespaces.areAllowed(), "no namespaces can be made here");
    try (Namespaces network = Namespaces.make(Cluster.MEMBERS)) {
      Cluster cluster = Cluster.bootstrap(ClusterConfig.in(scene.directory()), network.places());
      try (Trial trial = Trial.begin(cluster, scene.seed(), scene::note)) {
        long endNs = System.nanoTime() + LENGTH.toNanos();
        repeat(trial, stage -> part(stage, network), endNs, scene);
        return trial.end(CheckConfig.USUAL);
      }
    }
  }

  /** Cuts the leader off, both ways or one way, or from one follower alone. */
  private static void part(Stage stage, Namespaces network) throws Exception {
    int leader = stage.leader();
    int[] others = stage.cluster().others(leader);
    boolean isBridge = stage.random().nextInt(3) == 0;
    boolean isOneWay = stage.random().nextInt(3) == 0;
    for (int other : isBridge ? new int[] {others[0]} : others) {
      network.cut(leader, other);
      if (!isOneWay) {
        network.cut(other, leader);
      }
    }
    stage.work(stage.heartbeats(3));
    network.heal();
    stage.settle();
  }
}

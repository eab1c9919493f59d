package io.entroq.system.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.Durability;
import io.entroq.system.history.CheckConfig;
import io.entroq.system.history.ViolationKind;
import io.entroq.system.member.Cluster;
import io.entroq.system.member.ClusterConfig;
import io.entroq.system.member.NetworkNamespaces;
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
 * All faults, for two minutes each. {@code -Dtrial=EXPRESSION} selects trials by name, {@code
 * -Dtrial.seconds=N} sets the time, {@code -Dtest.seed=N} repeats the random choices of a run.
 */
@Tag("long")
@EnabledOnOs(value = OS.LINUX, disabledReason = "it needs more addresses on the loopback interface")
class LongTrialsIT {
  private static final Duration LENGTH = Duration.ofSeconds(Long.getLong("trial.seconds", 120));
  private static final String WANTED = System.getProperty("trial", ".*");
  private static final List<String> REPORT = new ArrayList<>();
  private static boolean isAnyWanted;
  private static final Fault NOTHING = context -> context.work(context.heartbeats(1));

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
          TrialPlan.of("odd clocks", Faults::killLeaderWithOddClock).withClockChanges(),
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
        .map(plan -> test(plan.name(), setup -> run(plan, setup)));
  }

  @TestFactory
  Stream<DynamicTest> shouldKeepWhatKilledCallersHaveDone() {
    return Stream.of("killed callers")
        .filter(LongTrialsIT::isWanted)
        .map(name -> test(name, LongTrialsIT::runWithKilledClients));
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
    TrialReport in(TrialContext setup) throws Exception;
  }

  private record TrialContext(String name, Path directory, long seed) {
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
    TrialContext setup = new TrialContext(name, directory, seed);
    setup.note("seed " + seed + " in " + directory);
    try {
      TrialReport report = run.in(setup);
      REPORT.add(name + ", seed " + seed + ": " + report.line());
      setup.note(report.text());
      assertThat(report.isGood()).as(() -> again(setup) + "\n" + report.text()).isTrue();
    } catch (TestAbortedException e) {
      delete(directory);
      setup.note("skipped: " + e.getMessage());
      throw e;
    } catch (Throwable t) {
      REPORT.add(name + ", seed " + seed + ": FAILED, " + t.getMessage());
      throw t;
    }
    delete(directory);
  }

  private static String again(TrialContext setup) {
    return "kept in %s; repeat with -Dtrial='%s' -Dtest.seed=%d"
        .formatted(setup.directory(), setup.name(), setup.seed());
  }

  private static void delete(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  private static TrialReport run(TrialPlan plan, TrialContext setup) throws Exception {
    Cluster cluster = Cluster.bootstrap(plan.set().apply(ClusterConfig.in(setup.directory())));
    try (Trial trial = Trial.begin(cluster, setup.seed(), setup::note)) {
      long endNs = System.nanoTime() + LENGTH.toNanos();
      trial.inject(NOTHING);
      trial.inject(plan.first());
      repeat(trial, plan.fault(), endNs, setup);
      return trial.end(
          plan.hasClockChanges() ? CheckConfig.USUAL.withClockChanges() : CheckConfig.USUAL);
    }
  }

  private static void repeat(Trial trial, Fault fault, long endNs, TrialContext setup)
      throws Exception {
    int times = 0;
    while (System.nanoTime() - endNs < 0 && !trial.hasViolations()) {
      trial.inject(fault);
      times++;
      setup.note(times + " times, " + trial.answers() + " answers");
    }
  }

  /** Otherwise no trial would notice unexpected ends. */
  @Test
  void shouldNotPassWhereAMemberEndsByItself() throws Exception {
    Path directory = Files.createTempDirectory("entroq-trial-");
    Cluster cluster = Cluster.bootstrap(ClusterConfig.in(directory));
    try (Trial trial = Trial.begin(cluster, 1, line -> System.out.println(line))) {
      trial.inject(
          context -> {
            cluster.end(context.leader());
            context.settle();
          });
      assertThat(trial.end(CheckConfig.USUAL).violations())
          .singleElement()
          .satisfies(
              found -> {
                assertThat(found.kind()).isEqualTo(ViolationKind.ENDED);
                assertThat(found.what()).contains("has ended by itself", "told to end");
              });
    }
    delete(directory);
  }

  private static TrialReport runWithKilledClients(TrialContext setup) throws Exception {
    KilledClients callers = new KilledClients();
    Cluster cluster =
        Cluster.bootstrap(ClusterConfig.in(setup.directory()).withDurability(Durability.DISK));
    try (Trial trial = Trial.begin(cluster, setup.seed(), setup::note)) {
      long endNs = System.nanoTime() + LENGTH.toNanos();
      repeat(trial, callers::runOne, endNs, setup);
      return trial.end(CheckConfig.USUAL.withDead(callers.dead()), callers.history());
    }
  }

  private static TrialReport runWithSmallDisk(TrialContext setup) throws Exception {
    Assumptions.assumeTrue(SmallDisk.isAllowed(setup.directory()), "nothing can be mounted here");
    try (SmallDisks disks = SmallDisks.mount(setup.directory(), Cluster.MEMBERS)) {
      Cluster cluster =
          Cluster.bootstrap(ClusterConfig.in(setup.directory()).withDurability(Durability.DISK));
      try (Trial trial = Trial.begin(cluster, setup.seed(), setup::note)) {
        long endNs = System.nanoTime() + LENGTH.toNanos();
        repeat(trial, disks::fillOne, endNs, setup);
        return trial.end(CheckConfig.USUAL);
      }
    }
  }

  private static TrialReport runInNamespaces(TrialContext setup) throws Exception {
    Assumptions.assumeTrue(NetworkNamespaces.areAllowed(), "no namespaces can be made here");
    try (NetworkNamespaces network = NetworkNamespaces.make(Cluster.MEMBERS)) {
      Cluster cluster = Cluster.bootstrap(ClusterConfig.in(setup.directory()), network.locations());
      try (Trial trial = Trial.begin(cluster, setup.seed(), setup::note)) {
        long endNs = System.nanoTime() + LENGTH.toNanos();
        repeat(trial, context -> part(context, network), endNs, setup);
        return trial.end(CheckConfig.USUAL);
      }
    }
  }

  /** Cuts off the leader in both directions or one, or from one follower only. */
  private static void part(FaultContext context, NetworkNamespaces network) throws Exception {
    int leader = context.leader();
    int[] others = context.cluster().others(leader);
    boolean isBridge = context.random().nextInt(3) == 0;
    boolean isOneWay = context.random().nextInt(3) == 0;
    for (int other : isBridge ? new int[] {others[0]} : others) {
      network.cut(leader, other);
      if (!isOneWay) {
        network.cut(other, leader);
      }
    }
    context.work(context.heartbeats(3));
    network.heal();
    context.settle();
  }
}

package io.entroq.system.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.system.history.CheckConfig;
import io.entroq.system.member.Cluster;
import io.entroq.system.member.ClusterConfig;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * The faults of every build, one after the other on one cluster. {@link LongTrialsIT} has all of
 * them.
 */
@EnabledOnOs(value = OS.LINUX, disabledReason = "it needs more addresses on the loopback interface")
@Timeout(value = 15, unit = TimeUnit.MINUTES) // On a machine that has much else to do.
class FaultsIT {
  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  Path directory;

  @Test
  void shouldLoseNothingAndDoNothingTwice() throws Exception {
    long seed = Long.getLong("test.seed", System.nanoTime());
    System.out.println("FaultsIT -Dtest.seed=" + seed + " in " + directory);
    Map<String, Fault> faults = new LinkedHashMap<>();
    faults.put("kill the leader", Faults::killLeader);
    faults.put("isolate the leader", Faults::isolateLeader);
    faults.put("restart all", Faults::restartAll);
    Cluster cluster = Cluster.bootstrap(ClusterConfig.in(directory));
    try (Trial trial = Trial.begin(cluster, seed, line -> System.out.println(line))) {
      for (Map.Entry<String, Fault> fault : faults.entrySet()) {
        int before = trial.answers();
        long startNs = System.nanoTime();
        trial.inject(fault.getValue());
        System.out.printf(
            "%s: %,d answers in %,d ms%n",
            fault.getKey(),
            trial.answers() - before,
            TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNs));
      }
      TrialReport report = trial.end(CheckConfig.USUAL);
      System.out.println(report.line());
      assertThat(report.isGood()).as(report.text()).isTrue();
    }
  }
}

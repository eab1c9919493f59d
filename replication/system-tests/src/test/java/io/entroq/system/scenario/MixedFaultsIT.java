package io.entroq.system.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.Durability;
import io.entroq.system.history.CheckConfig;
import io.entroq.system.member.Cluster;
import io.entroq.system.member.ClusterConfig;
import io.entroq.system.member.NetworkNamespaces;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * All kinds of faults in one run, at default timeouts, with callers of both kinds: this product's
 * client and plain HTTP. {@code -Dmixed.seconds=3600} makes it an hour, {@code
 * -Dmixed.kinds=EXPRESSION} selects {@link FaultKind}s, {@code -Dtest.seed=N} repeats the random
 * choices of a run. Needs root.
 */
@Tag("long")
@EnabledOnOs(value = OS.LINUX, disabledReason = "it needs network namespaces")
class MixedFaultsIT {
  private static final Duration LENGTH = Duration.ofSeconds(Long.getLong("mixed.seconds", 60));

  /** So few operations that the history of an hour fits into memory. */
  private static final Duration PACE = Duration.ofMillis(40);

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  Path directory;

  @Test
  @Timeout(8 * 3_600)
  void shouldLoseNothingAndDoNothingTwice() throws Exception {
    long seed = Long.getLong("test.seed", System.nanoTime());
    System.out.println(
        "%d s of mixed faults, -Dtest.seed=%d, in %s"
            .formatted(LENGTH.toSeconds(), seed, directory));
    Assumptions.assumeTrue(NetworkNamespaces.areAllowed(), "no namespaces can be made here");
    Assumptions.assumeTrue(SmallDisk.isAllowed(directory), "nothing can be mounted here");
    try (NetworkNamespaces network = NetworkNamespaces.make(Cluster.MEMBERS);
        SmallDisks disks = SmallDisks.mount(directory, Cluster.MEMBERS)) {
      Cluster cluster =
          Cluster.bootstrap(
              ClusterConfig.in(directory).withDefaultTimeouts().withDurability(Durability.DISK),
              network.locations());
      Load load = new Load(PACE, cluster.httpServers());
      try (Trial trial = Trial.begin(cluster, load, seed, line -> System.out.println(line));
          MixedFaults faults = new MixedFaults(trial, network, disks, LENGTH)) {
        System.out.println(faults.run());
        TrialReport report = trial.end(CheckConfig.USUAL.withClockChanges());
        System.out.println(report.text());
        assertThat(report.isGood()).as(report.text()).isTrue();
      }
    }
  }
}

package io.entroq.simulator.replica;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.simulator.fault.FaultKind;
import io.entroq.simulator.world.ProgressListener;
import io.entroq.simulator.world.Simulation;
import io.entroq.simulator.world.SimulationReport;
import io.entroq.simulator.world.WorldConfig;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class ReplicatedSimulationTest {
  private static final Set<FaultKind> OF_MEMBERS =
      EnumSet.of(
          FaultKind.ENGINE_KILLED,
          FaultKind.ENGINE_DIES_AT_DISK,
          FaultKind.POWER_LOST,
          FaultKind.ENGINE_STALLED,
          FaultKind.BIT_FLIPPED_IN_SNAPSHOT,
          FaultKind.FILE_MISSING,
          FaultKind.CLOCK_BACK,
          FaultKind.PROPOSAL_LOST,
          FaultKind.PROPOSAL_DELAYED,
          FaultKind.PROPOSAL_DOUBLED,
          FaultKind.LEADER_CHANGED,
          FaultKind.MEMBER_SLOW,
          FaultKind.SNAPSHOT_OLDER,
          FaultKind.DISK_REPLACED,
          FaultKind.SESSION_CLOSED);

  private static SimulationReport run(long seed, double hours) {
    WorldConfig config =
        WorldConfig.of(seed)
            .withHours(hours)
            .withClients(64)
            .withRequestsPerSecond(8)
            .withMembers(3);
    return Simulation.run(config, ProgressListener.NONE);
  }

  @Test
  void shouldKeepMembersEqualWhateverHappens() {
    runAll(1);
  }

  @Test
  @Tag("long")
  void shouldKeepMembersEqualHoweverMuchHappens() {
    runAll(3);
  }

  private static void runAll(int seeds) {
    Set<FaultKind> met = EnumSet.noneOf(FaultKind.class);
    for (long seed = 1; seed <= seeds; seed++) {
      SimulationReport report = run(seed, 0.5);
      assertThat(report.failure()).isEmpty();
      assertThat(report.commits()).isGreaterThan(2_000);
      met.addAll(report.faults().keySet());
    }
    assertThat(met).containsAll(OF_MEMBERS);
  }

  @Test
  void shouldGoTheSameWayTwice() {
    SimulationReport first = run(7, 0.02);
    assertThat(run(7, 0.02)).isEqualTo(first);
    assertThat(run(8, 0.02).traceHash()).isNotEqualTo(first.traceHash());
  }
}

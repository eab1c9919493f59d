package io.entroq.simulator.world;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.engine.fault.FaultPoint;
import io.entroq.simulator.fault.FaultKind;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class FaultPointsTest {
  private static final double HOURS = 12;
  private static final int SEEDS = 2;
  private static final int POINTS = FaultPoint.values().length;

  /** A point that nobody ever dies at tells nothing. */
  @Test
  void shouldLetProcessesDieAtEachPoint() {
    Set<FaultPoint> met = EnumSet.noneOf(FaultPoint.class);
    for (long seed = 1; seed <= SEEDS && met.size() < POINTS; seed++) {
      WorldConfig config =
          WorldConfig.of(seed)
              .withHours(HOURS)
              .withClients(4)
              .withRequestsPerSecond(2)
              .withFaults(EnumSet.of(FaultKind.ENGINE_DIES_AT_POINT));
      World world = new World(config);
      SimulationReport report =
          world.run(
              sofar -> {
                met.addAll(world.faults().deaths().keySet());
                return met.size() < POINTS;
              });
      assertThat(report.failure()).isEmpty();
      met.addAll(world.faults().deaths().keySet());
    }

    assertThat(met).containsExactlyInAnyOrder(FaultPoint.values());
  }
}

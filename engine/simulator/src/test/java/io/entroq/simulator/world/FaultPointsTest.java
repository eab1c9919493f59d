package io.entroq.simulator.world;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.engine.fault.FaultPoint;
import io.entroq.simulator.fault.FaultKind;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class FaultPointsTest {
  private static final double HOURS = 3;
  private static final double LONG_HOURS = 12;
  private static final int SEEDS = 2;
  private static final int POINTS = FaultPoint.values().length;

  @Test
  void shouldLetProcessesDieAtManyPoints() {
    assertThat(pointsMet(1, HOURS)).hasSizeGreaterThan(POINTS / 2);
  }

  /** A fault point where no process ever dies tests nothing. */
  @Test
  @Tag("long")
  void shouldLetProcessesDieAtEachPoint() {
    assertThat(pointsMet(SEEDS, LONG_HOURS)).containsExactlyInAnyOrder(FaultPoint.values());
  }

  private static Set<FaultPoint> pointsMet(int seeds, double hours) {
    Set<FaultPoint> met = EnumSet.noneOf(FaultPoint.class);
    for (long seed = 1; seed <= seeds && met.size() < POINTS; seed++) {
      WorldConfig config =
          WorldConfig.of(seed)
              .withHours(hours)
              .withClients(4)
              .withRequestsPerSecond(2)
              .withFaults(EnumSet.of(FaultKind.ENGINE_DIES_AT_POINT));
      World world = new World(config);
      SimulationReport report =
          world.run(
              soFar -> {
                met.addAll(world.faults().deaths().keySet());
                return met.size() < POINTS;
              });
      assertThat(report.failure()).isEmpty();
      met.addAll(world.faults().deaths().keySet());
    }
    return met;
  }
}

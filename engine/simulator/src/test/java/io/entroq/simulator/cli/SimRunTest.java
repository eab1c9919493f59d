package io.entroq.simulator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.simulator.fault.FaultKind;
import io.entroq.simulator.world.SimulationReport;
import io.entroq.simulator.world.WorldConfig;
import java.util.EnumSet;
import org.junit.jupiter.api.Test;

/** Hunts in worlds that are made up. */
class SimRunTest {
  private final FakeWorlds worlds = new FakeWorlds();
  private final WorldConfig config =
      WorldConfig.of(4).withHours(3).withClients(100).withFaults(EnumSet.allOf(FaultKind.class));

  @Test
  void shouldRunAWorldToItsEnd() {
    SimResult result = run(config.withClients(1)).run();
    assertThat(result.isWrong()).isFalse();
    assertThat(result.isInterrupted()).isFalse();
    assertThat(result.report().hours()).isEqualTo(3);
  }

  @Test
  void shouldEndWithWhatThereIsWhenInterrupted() {
    SimResult result = new SimRun(config, worlds, SimView.NONE, () -> true).run();
    assertThat(result.isInterrupted()).isTrue();
    assertThat(result.isWrong()).isFalse();
    assertThat(result.report().hours()).isEqualTo(0.1);
  }

  @Test
  void shouldFindASmallerWorldInWhichTheSameIsViolated() {
    SimRun run = run(config);
    SimResult result = run.run();
    assertThat(result.isWrong()).isTrue();
    SimulationReport smallest = run.shrink(result).smallest().orElseThrow();
    assertThat(smallest.config().faults()).containsExactly(FaultKind.POWER_LOST);
    assertThat(smallest.config().clients()).isLessThan(100).isGreaterThan(1);
    assertThat(smallest.failure()).isPresent();
  }

  @Test
  void shouldKeepTheSmallestSoFarWhenInterruptedWhileItShrinks() {
    SimResult result = run(config).run();
    SimRun interrupted = new SimRun(config, worlds, SimView.NONE, () -> worlds.begun() > 3);
    SimulationReport smallest = interrupted.shrink(result).smallest().orElseThrow();
    assertThat(smallest.failure()).isPresent();
    assertThat(smallest.config()).isNotEqualTo(config);
    assertThat(worlds.begun()).isLessThan(6);
  }

  private SimRun run(WorldConfig world) {
    return new SimRun(world, worlds, SimView.NONE, () -> false);
  }
}

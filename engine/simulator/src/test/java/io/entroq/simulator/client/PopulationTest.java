package io.entroq.simulator.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.simulator.fault.FaultKind;
import io.entroq.simulator.fault.Faults;
import io.entroq.simulator.network.Network;
import io.entroq.simulator.network.NetworkConfig;
import io.entroq.simulator.virtual.Agenda;
import io.entroq.simulator.virtual.Chance;
import io.entroq.simulator.virtual.Trace;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class PopulationTest {
  private static final long START_MS = 1_700_000_000_000L;
  private static final long NS_PER_SECOND = 1_000_000_000L;

  private final Agenda agenda = new Agenda();
  private final Trace trace = new Trace();
  private MachineService service;
  private Population population;
  private long tasksMax;

  private void settle(long seed, Set<FaultKind> on) {
    Chance chance = new Chance(seed);
    Faults faults = new Faults(on);
    service = new MachineService(agenda, START_MS, seed);
    Network network =
        new Network(agenda, chance.fork("network"), faults, NetworkConfig.ordinary(), service);
    population =
        new Population(
            PopulationConfig.busy(START_MS),
            agenda,
            chance.fork("clients"),
            faults,
            network,
            trace);
    population.start();
  }

  private void run(long seconds) {
    long untilNs = agenda.nowNs() + seconds * NS_PER_SECOND;
    while (agenda.nextNs() <= untilNs) {
      agenda.step();
      tasksMax = Math.max(tasksMax, service.machine().taskCount());
    }
  }

  @Test
  void shouldKeepItsRate() {
    settle(1, EnumSet.allOf(FaultKind.class));
    run(3_600);

    assertThat(population.figures().requests()).isBetween(324_000L, 396_000L);
    assertThat(population.figures().commits()).isGreaterThan(50_000);
    assertThat(tasksMax).isBetween(500L, 6_000L);
  }
}

package io.entroq.simulator.world;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.entroq.simulator.fault.FaultKind;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ShrinkerTest {
  private static final Set<FaultKind> GUILTY =
      EnumSet.of(FaultKind.POWER_LOST, FaultKind.CLOCK_BACK);

  private int runs;

  /** A world that goes wrong after a quarter of an hour if it has what that takes. */
  private SimulationReport run(WorldConfig config) {
    runs++;
    boolean fails =
        config.clients() >= 10 && config.hours() >= 0.25 && config.faults().containsAll(GUILTY);
    return report(config, fails ? Optional.of("broken") : Optional.empty());
  }

  private static SimulationReport report(WorldConfig config, Optional<String> invariant) {
    Optional<Failure> failure =
        invariant.map(
            rule -> new Failure(5, 900_000_000_000L, rule, "it", "that", List.of(), new Error()));
    double hours = failure.isPresent() ? 0.25 : config.hours();
    return new SimulationReport(config, hours, 5, 4, 3, Map.of(), "0", failure);
  }

  @Test
  void shouldKeepNothingButWhatTheFailureTakes() {
    SimulationReport smallest =
        new Shrinker(this::run, 100).shrink(run(WorldConfig.of(1).withClients(160)));

    assertEquals(GUILTY, smallest.config().faults());
    assertEquals(10, smallest.config().clients());
    assertTrue(smallest.config().hours() < 0.251, smallest.config()::flags);
    assertTrue(smallest.failure().isPresent());
  }

  @Test
  void shouldTryNoMoreOftenThanItMay() {
    SimulationReport failed = run(WorldConfig.of(1));
    runs = 0;

    new Shrinker(this::run, 3).shrink(failed);

    assertTrue(runs <= 3);
  }

  @Test
  void shouldNotTakeAnotherFailureForTheSame() {
    SimulationReport failed = run(WorldConfig.of(1));

    SimulationReport smallest =
        new Shrinker(config -> report(config, Optional.of("something else")), 50).shrink(failed);

    assertSame(failed, smallest);
  }
}

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

  /** A world that fails after a quarter of an hour under certain conditions. */
  private SimulationReport run(WorldConfig config) {
    runs++;
    boolean fails =
        config.clients() >= 10 && config.hours() >= 0.25 && config.faults().containsAll(GUILTY);
    return report(config, fails ? failure("broken", "@" + runs, new Error()) : null);
  }

  private static Failure failure(String invariant, String subject, Throwable cause) {
    return new Failure(5, 900_000_000_000L, invariant, subject, "that", List.of(), cause);
  }

  /**
   * @param failed null if there is no failure
   */
  private static SimulationReport report(WorldConfig config, Failure failed) {
    Optional<Failure> failure = Optional.ofNullable(failed);
    double hours = Math.min(config.hours(), failure.map(Failure::hours).orElse(config.hours()));
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
  void shouldShortenWhatIsSeenOnlyWhenTheTroubleIsOver() {
    SimulationReport smallest =
        new Shrinker(ShrinkerTest::leftOver, 100).shrink(leftOver(WorldConfig.of(1).withHours(4)));

    assertEquals(0.5, smallest.config().hours());
    assertEquals(1, smallest.config().clients());
    assertEquals(Set.of(), smallest.config().faults());
  }

  /** A world with a bug after a third of an hour that is found at the end. */
  private static SimulationReport leftOver(WorldConfig config) {
    long seenNs = config.endNs() + 60_000_000_000L;
    Failure left =
        new Failure(9, seenNs, "all-answered", "parked claims", "1", List.of(), new Error());
    return report(config, config.hours() < 0.33 ? null : left);
  }

  @Test
  void shouldLetFewClientsTakeTheirTimeWhereManyFailAtOnce() {
    SimulationReport smallest =
        new Shrinker(ShrinkerTest::soon, 100).shrink(soon(WorldConfig.of(1).withClients(200)));

    assertEquals(3, smallest.config().clients());
    assertTrue(smallest.config().hours() < 0.0067, smallest.config()::flags);
  }

  /** A world that fails when its clients have made some requests. */
  private static SimulationReport soon(WorldConfig config) {
    Failure soon =
        new Failure(
            5, 72_000_000_000L / config.clients(), "broken", "@5", "1", List.of(), new Error());
    return report(config, soon.hours() > config.hours() ? null : soon);
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

    assertNotShrunkTo(failure("something else", "@7", new Error()), failed);
    assertNotShrunkTo(failure("broken", "task 00ff-12", new Error()), failed);
    assertNotShrunkTo(failure("broken", "@7", new Error(new IllegalStateException())), failed);
  }

  private static void assertNotShrunkTo(Failure other, SimulationReport failed) {
    assertSame(failed, new Shrinker(config -> report(config, other), 50).shrink(failed));
  }
}

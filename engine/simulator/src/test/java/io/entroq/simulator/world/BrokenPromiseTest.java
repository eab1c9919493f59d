package io.entroq.simulator.world;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.entroq.simulator.call.Request;
import io.entroq.simulator.call.Service;
import io.entroq.simulator.check.Ledger;
import io.entroq.simulator.fault.FaultKind;
import io.entroq.simulator.host.LifeListener;
import java.util.EnumSet;
import java.util.function.BiFunction;
import java.util.function.BiPredicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whoever serves well until all trouble is over, and not to the end, does not go unnoticed. */
@Timeout(120)
class BrokenPromiseTest {
  private static final int CLIENTS = 12;

  private static String broken(int members, BiPredicate<Spoiled, Request> isHeard) {
    WorldConfig config =
        WorldConfig.of(3)
            .withHours(0.02)
            .withClients(CLIENTS)
            .withFaults(EnumSet.of(FaultKind.REQUEST_LOST))
            .withMembers(members);
    BiFunction<WorldContext, LifeListener, ServingSystem> maker =
        (setting, listener) ->
            new Spoiled(
                members == 1
                    ? new ServingEngine(setting, listener)
                    : new ServingCluster(setting, listener),
                isHeard);
    SimulationReport report = new World(config, maker).run(ProgressListener.NONE);
    return report.failure().map(Failure::invariant).orElse("nothing");
  }

  private static void assertBroken(String rule, BiPredicate<Spoiled, Request> isHeard) {
    assertEquals(rule, broken(1, isHeard));
    assertEquals(rule, broken(3, isHeard));
  }

  @Test
  void shouldFindNothingWhereNothingIsBroken() {
    assertBroken("nothing", (served, request) -> true);
  }

  @Test
  void shouldWantSomebodyWhoServesAtTheEnd() {
    assertBroken("still-serves", (served, request) -> !served.isRestarted);
  }

  @Test
  void shouldWantAnAnswerForEverybodyOnceTheTroubleIsOver() {
    assertBroken(
        "all-answered", (served, request) -> !served.isCalm || request.client() >= CLIENTS);
  }

  @Test
  void shouldNotWantAnythingThatIsThrown() {
    assertBroken(
        "world-does-not-break",
        (served, request) -> {
          throw new IllegalStateException("of no use");
        });
  }

  /** Serves as another one does, as long as it hears what it is asked. */
  private static final class Spoiled implements ServingSystem {
    private final ServingSystem served;
    private final BiPredicate<Spoiled, Request> isHeard;
    private boolean isCalm;
    private boolean isRestarted;

    Spoiled(ServingSystem served, BiPredicate<Spoiled, Request> isHeard) {
      this.served = served;
      this.isHeard = isHeard;
    }

    @Override
    public Service service() {
      Service service = served.service();
      return (request, replies) -> {
        if (isHeard.test(this, request)) {
          service.onRequest(request, replies);
        }
      };
    }

    @Override
    public Ledger ledger() {
      return served.ledger();
    }

    @Override
    public void open() {
      served.open();
    }

    @Override
    public void startTrouble() {
      served.startTrouble();
    }

    @Override
    public void endTrouble() {
      isCalm = true;
      served.endTrouble();
    }

    @Override
    public void count() {
      served.count();
    }

    @Override
    public void requireAtRest() {
      served.requireAtRest();
    }

    @Override
    public void restart() {
      isRestarted = true;
      served.restart();
    }

    @Override
    public void switchOff() {
      served.switchOff();
    }
  }
}

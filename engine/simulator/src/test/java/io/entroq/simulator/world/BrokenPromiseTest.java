package io.entroq.simulator.world;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.entroq.simulator.call.Request;
import io.entroq.simulator.call.ServingSystem;
import io.entroq.simulator.fault.FaultKind;
import io.entroq.simulator.fault.Trouble;
import java.util.EnumSet;
import java.util.function.BiPredicate;
import org.junit.jupiter.api.Test;

/** A system that serves well until the faults end, but not to the end, is detected. */
class BrokenPromiseTest {
  private static final int CLIENTS = 12;

  private static String broken(int members, BiPredicate<Spoiled, Request> isHeard) {
    WorldConfig config =
        WorldConfig.of(3)
            .withHours(0.005)
            .withClients(CLIENTS)
            .withFaults(EnumSet.of(FaultKind.REQUEST_LOST))
            .withMembers(members);
    SimulationReport report =
        new World(
                config,
                (setting, listener) -> new Spoiled(Served.of(setting, listener), isHeard).served())
            .run(ProgressListener.NONE);
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

  /** Delegates to another system, but drops some requests. */
  private static final class Spoiled implements ServingSystem, Trouble {
    private final Served served;
    private final BiPredicate<Spoiled, Request> isHeard;
    private boolean isCalm;
    private boolean isRestarted;

    Spoiled(Served served, BiPredicate<Spoiled, Request> isHeard) {
      this.served = served;
      this.isHeard = isHeard;
    }

    Served served() {
      return new Served(this, served.ledger(), this);
    }

    @Override
    public void onRequest(Request request, ReplyEnd replies) {
      if (isHeard.test(this, request)) {
        served.system().onRequest(request, replies);
      }
    }

    @Override
    public void open() {
      served.system().open();
    }

    @Override
    public void start() {
      served.trouble().start();
    }

    @Override
    public void end() {
      isCalm = true;
      served.trouble().end();
    }

    @Override
    public void count() {
      served.system().count();
    }

    @Override
    public void requireAtRest() {
      served.system().requireAtRest();
    }

    @Override
    public void restart() {
      isRestarted = true;
      served.system().restart();
    }

    @Override
    public void switchOff() {
      served.system().switchOff();
    }
  }
}

package io.entroq.simulator.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.simulator.client.knowledge.KnownTask;
import io.entroq.simulator.fault.Faults;
import io.entroq.simulator.network.Network;
import io.entroq.simulator.network.NetworkConfig;
import io.entroq.simulator.virtual.EventQueue;
import io.entroq.simulator.virtual.SeededRandom;
import io.entroq.simulator.virtual.Trace;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RequestDraftTest {
  private static final long UNTIL_MS = 200;

  private final EventQueue events = new EventQueue();
  private final SeededRandom random = new SeededRandom(1);
  private final Faults faults = new Faults(Set.of());
  private final Network network =
      new Network(events, random, faults, NetworkConfig.ordinary(), (request, replies) -> {});
  private final ClientContext context =
      new ClientContext(
          new PopulationConfig(1, 1, 0, 1), events, random, faults, network, new Trace());
  private final Caller caller = new RuleBreaker(context, random, 0).caller();
  private final KnownTask held = context.contents.fresh(random, caller, 0);

  RequestDraftTest() {
    held.version = 1;
    held.claims = 1;
    held.arrivalMs = UNTIL_MS;
    context.sightings.claimed(held, UNTIL_MS - 100, 1, true);
  }

  private long leasedUntilMs() {
    return context.sightings.findLeased(random, UNTIL_MS - 1, new KnownTask());
  }

  @Test
  void shouldSayNothingMoreOfLeaseThatItsHolderWrites() {
    context.draft.modify(caller).delete(held, held.version, false);

    assertThat(leasedUntilMs()).isZero();
  }

  @Test
  void shouldGoOnWatchingLeaseThatSomebodyElseWrites() {
    context.draft.intrude(caller).delete(held, held.version, false);
    assertThat(leasedUntilMs()).isEqualTo(UNTIL_MS);

    context.draft.intrude(caller).change(held, held);
    assertThat(leasedUntilMs()).isEqualTo(UNTIL_MS);
  }
}

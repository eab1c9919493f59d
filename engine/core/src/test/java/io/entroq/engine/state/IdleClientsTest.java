package io.entroq.engine.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.codec.result.ResultCodes;
import io.entroq.codec.wire.log.Acknowledge;
import io.entroq.codec.wire.log.Identity;
import io.entroq.engine.memory.Slab;
import io.entroq.engine.receipt.ClientStore;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Of too many clients the one goes that has been idle longest, core 4.2: live, and after a start
 * from a snapshot.
 */
class IdleClientsTest extends StateTestBase {
  private static final int CLIENTS_MAX = Receipts.CLIENTS_MAX;

  @Test
  void shouldPutWhoeverIsHeardOfBehindAllOthers() {
    for (long client = 1; client <= 5; client++) {
      ask(client, 1);
    }
    assertIdle(1, 2, 3, 4, 5);
    ask(2, 2);
    assertIdle(1, 3, 4, 5, 2);
    ask(1, 1);
    assertIdle(3, 4, 5, 2, 1);
    ask(1, 2);
    assertIdle(3, 4, 5, 2, 1);
    apply(claim(ANN, "empty").setIdentity(request(4, 2)));
    assertIdle(3, 5, 2, 1, 4);
  }

  @Test
  void shouldNotTakeAnAcknowledgementForARequest() {
    ask(1, 1);
    ask(2, 1);
    Identity acknowledged = request(1, 0).toBuilder().setAckedBelow(2).build();
    apply(Acknowledge.newBuilder().addClients(acknowledged).build());
    assertIdle(1, 2);
  }

  @Test
  void shouldCountAsIdleFromTheEndOfTheLastWaitOn() {
    ask(1, 1);
    ask(2, 1);
    apply(wait(request(1, 2), nowMs + 10, "q"));
    apply(wait(request(1, 3), NEVER, "q"));
    ask(3, 1);
    assertIdle(2, 3);
    later(10);
    assertIdle(2, 3);
    cancel(1, 3);
    assertIdle(2, 3, 1);
  }

  @Test
  void shouldForgetWhoHasBeenIdleLongest() {
    for (long client = 1; client <= CLIENTS_MAX; client++) {
      ask(client, 1);
    }
    ask(1, 2);
    ask(3, 2);
    apply(wait(request(4, 2), NEVER, "q"));
    try (StateMachine loaded = loaded()) {
      for (long client = CLIENTS_MAX + 1; client <= CLIENTS_MAX + 3; client++) {
        ask(client, 1);
        applyTo(loaded, lastCommand);
      }
      for (StateMachine each : List.of(machine, loaded)) {
        assertThat(each.clientCount()).isEqualTo(CLIENTS_MAX);
        assertThat(unknown(each, 8)).containsExactly(2L, 5L, 6L);
      }
    }
    assertThat(apply(modify(ANN).setIdentity(request(2, 2))).code)
        .isEqualTo(ResultCodes.OUTCOME_UNKNOWN);
    assertThat(apply(modify(ANN).setIdentity(request(7, 2))).code).isEqualTo(ResultCodes.OK);
  }

  @Test
  void shouldStandInTheSameOrderInAnImage() {
    for (long client = 1; client <= 6; client++) {
      ask(client, 1);
    }
    ask(2, 2);
    apply(wait(request(5, 2), NEVER, "q"));
    apply(wait(request(1, 2), NEVER, "q"));
    assertIdle(3, 4, 6, 2);
    try (StateMachine loaded = loaded()) {
      assertThat(idle(loaded)).containsExactly(3L, 4L, 6L, 2L);
      assertThat(all(loaded)).isEqualTo(all(machine)).startsWith(5L, 1L);
      cancel(5, 2);
      applyTo(loaded, lastCommand);
      ask(4, 2);
      applyTo(loaded, lastCommand);
      assertIdle(3, 6, 2, 5, 4);
      assertThat(all(loaded)).isEqualTo(all(machine));
    }
  }

  private void ask(long client, long number) {
    assertThat(apply(modify(ANN).setIdentity(request(client, number))).code)
        .isEqualTo(ResultCodes.OK);
  }

  private StateMachine loaded() {
    StateLoader loader = new StateLoader(StateMachineConfig.DEFAULT);
    machine.freeze().writeTo(loader);
    machine.thaw();
    return loader.finish();
  }

  private void assertIdle(long... clients) {
    assertThat(idle(machine)).containsExactly(clients(clients));
  }

  private static Long[] clients(long... clients) {
    return Arrays.stream(clients).boxed().toArray(Long[]::new);
  }

  /** The idle clients, who goes first in front. */
  private static List<Long> idle(StateMachine of) {
    return from(of, of.stores.clients.longestIdle());
  }

  /** Those with parked claims, and then the idle ones. */
  private static List<Long> all(StateMachine of) {
    return from(of, of.stores.clients.first());
  }

  private static List<Long> from(StateMachine of, int first) {
    ClientStore clients = of.stores.clients;
    List<Long> found = new ArrayList<>();
    for (int client = first; client != Slab.NONE; client = clients.next(client)) {
      found.add(clients.low(client));
    }
    return found;
  }

  /** Which of the first clients are not known. */
  private static List<Long> unknown(StateMachine to, int first) {
    List<Long> unknown = new ArrayList<>();
    for (long client = 1; client <= first; client++) {
      if (!to.hasClient(0, client)) {
        unknown.add(client);
      }
    }
    return unknown;
  }
}

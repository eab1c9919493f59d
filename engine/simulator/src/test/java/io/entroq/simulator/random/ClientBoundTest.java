package io.entroq.simulator.random;

import io.entroq.codec.wire.log.Claim;
import io.entroq.codec.wire.log.Identity;
import io.entroq.codec.wire.log.Modify;
import io.entroq.engine.state.Levels;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** At most 65,536 clients are kept; the one idle longest is forgotten, a waiting one never. */
class ClientBoundTest {
  private static final long NOW_MS = 1_700_000_000_000L;
  private static final int CLIENTS_MAX = 65_536;

  private final WatchedMachine machine = WatchedMachine.of(1);

  @BeforeEach
  void begin() {
    machine.begin(1, Levels.MAX, NOW_MS);
  }

  @AfterEach
  void end() {
    machine.end();
    machine.close();
  }

  @Test
  void shouldForgetTheLongestIdleClientWhenThereAreTooMany() {
    for (int client = 1; client <= CLIENTS_MAX; client++) {
      modify(client, 1);
    }
    modify(1, 2);
    for (int client = 1; client <= 20; client++) {
      modify(CLIENTS_MAX + client, 1);
    }
    // The ledger checks each answer: client 1 was active again, the next ones were forgotten.
    modify(1, 3);
    for (int client = 2; client <= 30; client++) {
      modify(client, 2);
    }
  }

  @Test
  void shouldKeepAClientWhoseClaimWaitsWhenOthersAreForgotten() {
    park(1);
    park(2);
    for (int client = 3; client <= CLIENTS_MAX + 10; client++) {
      modify(client, 1);
    }
    park(1);
    modify(1, 2);
    modify(2, 2);
    modify(3, 2);
  }

  private void modify(long client, long number) {
    machine.execute(Modify.newBuilder().setIdentity(identity(client, number)).build(), NOW_MS);
  }

  private void park(long client) {
    Claim claim =
        Claim.newBuilder()
            .setIdentity(identity(client, 1))
            .addQueues("never")
            .setWait(true)
            .build();
    machine.execute(claim, NOW_MS);
  }

  private static Identity identity(long client, long number) {
    return Identity.newBuilder().setClientHigh(client).setNumber(number).setAckedBelow(1).build();
  }
}

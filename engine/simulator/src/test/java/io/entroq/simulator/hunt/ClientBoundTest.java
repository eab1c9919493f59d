package io.entroq.simulator.hunt;

import io.entroq.codec.wire.log.Claim;
import io.entroq.codec.wire.log.Identity;
import io.entroq.codec.wire.log.Modify;
import io.entroq.simulator.model.ReferenceModel;
import io.entroq.simulator.workload.Action;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Core 4.2: 65,536 clients; the longest idle goes, a waiting one never. */
@Timeout(60)
class ClientBoundTest {
  private static final long NOW_MS = 1_700_000_000_000L;
  private static final int CLIENTS_MAX = 65_536;

  private final World world =
      new World(new ReferenceModel(), Beginning.of(1, NOW_MS), Feeding.LOGGED, Distortion.NONE);

  @Test
  void shouldForgetTheLongestIdleClientWhenThereAreTooMany() {
    for (int client = 1; client <= CLIENTS_MAX; client++) {
      modify(client, 1);
    }
    modify(1, 2);
    for (int client = 1; client <= 20; client++) {
      modify(CLIENTS_MAX + client, 1);
    }
    // The model checks each answer: client 1 was heard of again, the next ones were forgotten.
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
    Modify modify = Modify.newBuilder().setIdentity(identity(client, number)).build();
    world.perform(new Action.Command(modify, NOW_MS));
  }

  private void park(long client) {
    Claim claim =
        Claim.newBuilder()
            .setIdentity(identity(client, 1))
            .addQueues("never")
            .setWait(true)
            .build();
    world.perform(new Action.Command(claim, NOW_MS));
  }

  private static Identity identity(long client, long number) {
    return Identity.newBuilder().setClientHigh(client).setNumber(number).setAckedBelow(1).build();
  }
}

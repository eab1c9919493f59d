package io.entroq.engine.state;

import io.entroq.codec.wire.log.Identity;
import java.util.Random;

/** A few clients that make requests in turn at random; each has got all but its last answers. */
final class RandomClients {
  private static final int CLIENTS = 4;
  private static final int NOT_ACKNOWLEDGED = 3;

  private final Random random;
  private final long[] numbers = new long[CLIENTS + 1];

  RandomClients(Random random) {
    this.random = random;
  }

  /** The next request of one of them. */
  Identity request() {
    int client = 1 + random.nextInt(CLIENTS);
    long number = ++numbers[client];
    return StateTestBase.request(client, number).toBuilder()
        .setAckedBelow(Math.max(1, number - NOT_ACKNOWLEDGED))
        .build();
  }
}

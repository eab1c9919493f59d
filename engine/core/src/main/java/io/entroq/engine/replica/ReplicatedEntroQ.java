package io.entroq.engine.replica;

import io.entroq.engine.call.LevelRequest;
import io.entroq.engine.embedded.EmbeddedConfig;
import io.entroq.engine.local.Entrance;
import io.entroq.engine.local.LocalEntroQ;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;

/**
 * The API over the replica of a queue that is in this process. What is written here is seen here
 * when it returns, and by callers of the other replicas soon after.
 *
 * <p>While the replicas cannot agree, because too few of them reach each other, what writes waits
 * and reads fail with {@link io.entroq.api.EntroQException.Unavailable}.
 *
 * <p>It ends with its {@link ReplicatedEngine}; to close it only says that nobody uses it any more.
 */
public final class ReplicatedEntroQ extends LocalEntroQ {
  ReplicatedEntroQ(EmbeddedConfig config, Entrance entrance, RandomGenerator random) {
    super(config.callerBounds(), entrance, random);
  }

  CompletableFuture<Integer> raiseLevel(LevelRequest request) {
    return callAsync(request);
  }

  @Override
  public void close() {
    // Others may use it too: whoever hosts the replica ends it.
  }
}

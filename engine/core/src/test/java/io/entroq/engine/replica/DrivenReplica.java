package io.entroq.engine.replica;

import io.entroq.engine.embedded.EmbeddedConfig;
import io.entroq.engine.feed.FeedHub;
import java.time.Duration;
import java.util.Random;
import java.util.function.LongSupplier;

/** An engine in memory that a test drives: the test is the threads, and may be clock and log. */
final class DrivenReplica {
  private DrivenReplica() {}

  static ReplicatedEngine engine(LongSupplier wallMs, LongSupplier nanoTime) {
    return ReplicatedEngine.driven(
        EmbeddedConfig.inMemory().build(),
        wallMs,
        Duration.ofMinutes(10),
        new ReplicaEnvironment(new Random(1), nanoTime),
        FeedHub.RING_BYTES);
  }
}

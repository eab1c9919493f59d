package io.entroq.service.insight;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.Modification;
import io.entroq.codec.wire.edge.Policy;
import io.entroq.codec.wire.edge.PolicyKind;
import io.entroq.codec.wire.edge.PolicyState;
import io.entroq.engine.embedded.EmbeddedConfig;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import io.entroq.service.insight.sweep.PoolPolicies;
import io.entroq.service.insight.sweep.SweepColumns;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class PastLookTest {
  private static final PoolPolicies SAID =
      PoolPolicies.of(
          List.of(
              PolicyState.newBuilder()
                  .setPolicy(
                      Policy.newBuilder()
                          .setKind(PolicyKind.POLICY_QUEUE)
                          .setName("work")
                          .setDeadQueue("morgue"))
                  .build()));

  private final EffectTally tally = new EffectTally(new RateBook(100, 100), new WorkerBook(10, 10));
  private final PastLook look = new PastLook(1, Moment.at(1_000), tally, 100, Runnable::run);

  @Test
  void shouldAskForPoliciesAgainAfterAFailure() {
    try (EmbeddedEntroQ queue = EmbeddedEntroQ.open(EmbeddedConfig.inMemory().build())) {
      queue.modify(Modification.insert("morgue", "x")).orThrow();
      Perspective then = look.through(queue.gateway());
      SweepColumns without =
          then.look(() -> CompletableFuture.failedFuture(new IllegalStateException("no answer")))
              .join();
      assertThat(without.size()).isEqualTo(1);
      assertThat(without.namedDead()).isEmpty();
      SweepColumns with = then.look(() -> CompletableFuture.completedFuture(SAID)).join();
      assertThat(with.namedDead()).containsExactly(0);
      assertThat(then.look(() -> CompletableFuture.failedFuture(new AssertionError("why?"))).join())
          .as("now it is known")
          .isSameAs(with);
    }
  }
}

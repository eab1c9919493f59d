package io.entroq.engine.embedded;

import static io.entroq.engine.embedded.GatewayCalls.waitingClaim;
import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.EntroQException;
import io.entroq.api.Modification;
import io.entroq.api.QueueQuery;
import io.entroq.api.QueueStats;
import io.entroq.codec.result.ResultDecoder;
import io.entroq.engine.embedded.GatewayCalls.Heard;
import io.entroq.engine.gateway.Completion;
import io.entroq.engine.gateway.RevocableClaim;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** Cancels race with answers: each task is either somebody's who has settled it, or available. */
class GatewayStressTest {
  private static final int CALLERS = 4;
  private static final int ROUNDS = 1_000;
  private static final int CLAIMS_MAX = 64;

  @Test
  void shouldLoseNoTaskAndNoRoom() throws Exception {
    EmbeddedConfig config = EmbeddedConfig.inMemory().waitingClaimsMax(CLAIMS_MAX).build();
    try (EmbeddedEntroQ queue = EmbeddedEntroQ.open(config)) {
      Claims waiting = told -> queue.gateway().waitingClaim(0, waitingClaim("q"), told);
      claimAndCancel(queue, waiting);
      for (int i = 0; i < CLAIMS_MAX; i++) {
        claim(told -> queue.gateway().waitingClaim(0, waitingClaim("empty"), told), new Heard());
      }
    }
  }

  @Test
  void shouldLoseNeitherByClaimsThatDoNotWait() throws Exception {
    EmbeddedConfig config = EmbeddedConfig.inMemory().requestsInFlightMax(CLAIMS_MAX).build();
    try (EmbeddedEntroQ queue = EmbeddedEntroQ.open(config)) {
      claimAndCancel(queue, told -> queue.gateway().claim(0, GatewayCalls.claim("q"), told));
      // Nothing has been leaked, or there would have been no room long before.
      assertThat(queue.engine().entrance().lanes().made()).isLessThanOrEqualTo(CLAIMS_MAX);
    }
  }

  private static void claimAndCancel(EmbeddedEntroQ queue, Claims claims) throws Exception {
    AtomicInteger settled = new AtomicInteger();
    List<Thread> callers = new ArrayList<>();
    for (int i = 0; i < CALLERS; i++) {
      int seed = i;
      callers.add(new Thread(() -> call(queue, claims, new SplittableRandom(seed), settled)));
    }
    callers.forEach(Thread::start);
    for (Thread caller : callers) {
      caller.join();
    }
    assertThat(stats(queue).tasks()).isEqualTo((long) CALLERS * ROUNDS);
    Await.until("all that is claimed is settled", () -> stats(queue).claimed() == settled.get());
    assertThat(settled.get()).isBetween(1, CALLERS * ROUNDS - 1);
  }

  private static void call(
      EmbeddedEntroQ queue, Claims claims, SplittableRandom random, AtomicInteger settled) {
    for (int i = 0; i < ROUNDS; i++) {
      boolean isInsertedFirst = random.nextBoolean();
      if (isInsertedFirst) {
        queue.modify(Modification.insert("q", "v")).orThrow();
      }
      Call call = new Call(settled);
      RevocableClaim claim = claim(claims, call);
      if (!isInsertedFirst) {
        queue.modify(Modification.insert("q", "v")).orThrow();
      }
      LockSupport.parkNanos(random.nextInt(20_000));
      if (random.nextBoolean()) {
        claim.cancel();
      } else {
        call.settleOnceTold(claim);
      }
    }
  }

  /** Claims as soon as there is room, which those before may still have that are over. */
  private static RevocableClaim claim(Claims claims, Completion completion) {
    AtomicReference<RevocableClaim> claim = new AtomicReference<>();
    Await.until(
        "there is room for a claim",
        () -> {
          try {
            claim.set(claims.begin(completion));
            return true;
          } catch (EntroQException.ResourceExhausted e) {
            return false;
          }
        });
    return claim.get();
  }

  private static QueueStats stats(EmbeddedEntroQ queue) {
    return queue.queueStats(QueueQuery.named("q")).get("q");
  }

  /** A claim that is settled when it has its answer, whoever comes last. */
  private static final class Call implements Completion {
    private final AtomicInteger settled;
    private RevocableClaim claim;
    private boolean isAnnounced;
    private boolean isClaimed;

    Call(AtomicInteger settled) {
      this.settled = settled;
    }

    synchronized void settleOnceTold(RevocableClaim mine) {
      claim = mine;
      settle();
    }

    @Override
    public synchronized void onResult(ResultDecoder result) {
      isAnnounced = true;
      isClaimed = result.claimedCount() > 0;
      settle();
    }

    private void settle() {
      if (isAnnounced && claim != null) {
        if (isClaimed) {
          settled.incrementAndGet();
        }
        claim.settle();
      }
    }

    @Override
    public void onFailure(EntroQException failure) {
      throw new AssertionError(failure);
    }
  }

  /** A way to claim. */
  @FunctionalInterface
  private interface Claims {
    RevocableClaim begin(Completion completion);
  }
}

package io.entroq.service.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.util.concurrent.ListenableFuture;
import io.entroq.codec.wire.published.v1.ClaimRequest;
import io.entroq.codec.wire.published.v1.ClaimResponse;
import io.entroq.codec.wire.published.v1.ModifyRequest;
import io.entroq.codec.wire.published.v1.QueuesRequest;
import io.entroq.service.testing.Await;
import java.util.Collections;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What queues a claim may name, contract 2.2. */
class ClaimQueuesTest {
  private final ServedQueue served = new ServedQueue();
  private final V1 v1 = new V1(served.client);

  @AfterEach
  void close() {
    served.close();
  }

  @Test
  void shouldCountAQueueThatIsNamedManyTimesOnce() {
    v1.insert("often", "once");
    delete(v1.tryClaim(V1.claim("c").addAllQueues(Collections.nCopies(5_000, "often")).build()));
  }

  private void delete(ClaimResponse claimed) {
    assertThat(claimed.hasTask()).isTrue();
    v1.modify(ModifyRequest.newBuilder().setClaimantId("c").addDeletes(V1.ref(claimed.getTask())));
  }

  /** Contract 2.2.4: it never has tasks, and is harmless. */
  @Test
  void shouldFindNothingInTheQueueWithoutAName() throws Exception {
    assertThat(v1.tryClaim("c", "").hasTask()).isFalse();
    assertThat(v1.tryClaim("c", "", "").hasTask()).isFalse();
    ListenableFuture<ClaimResponse> waiting = v1.beginClaim(V1.claim("c", "").build());
    Await.until("it waits", () -> served.server.blockedClaims() == 1);
    v1.insert("named", "other");
    assertThat(waiting.isDone()).isFalse();
    assertThat(v1.queues(QueuesRequest.newBuilder().addMatchPrefix("no"))).isEmpty();
    assertThat(
            v1.modify(
                    ModifyRequest.newBuilder()
                        .setThenClaim(ClaimRequest.newBuilder().addQueues("")))
                .getClaimedCount())
        .isZero();
    waiting.cancel(true);
    delete(v1.tryClaim("c", "", "named"));
  }
}

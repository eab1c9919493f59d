package io.entroq.service.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.util.concurrent.ListenableFuture;
import io.entroq.codec.wire.published.v1.ClaimResponse;
import io.entroq.service.testing.Await;
import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Clients ping the server as often as gRPC lets them, protocol 2, 3.12. */
class ClientPingTest {
  /** The shortest interval of a client. */
  private static final Duration INTERVAL = Duration.ofSeconds(10);

  /** A server that does not permit pings closes the connection at the third. */
  private static final Duration LONG_ENOUGH = INTERVAL.multipliedBy(3).plusSeconds(5);

  @Test
  void shouldPermitPingsWithAndWithoutCalls() throws Exception {
    try (ServedQueue served = new ServedQueue();
        WireClient waiting = WireClient.pinging(served.server.port(), INTERVAL);
        WireClient idle = WireClient.pinging(served.server.port(), INTERVAL)) {
      ListenableFuture<ClaimResponse> claim =
          new V1(waiting).beginClaim(V1.claim("c", "q").build());
      assertThat(new V1(idle).tryClaim("c", "q").hasTask()).isFalse();
      Await.until("the claim waits", () -> served.server.blockedClaims() == 1);
      ManagedChannel channel = idle.channel;
      long startNs = System.nanoTime();
      Await.until(
          "they have pinged thrice",
          () -> {
            assertThat(claim.isDone()).isFalse();
            assertThat(channel.getState(false)).isEqualTo(ConnectivityState.READY);
            return System.nanoTime() - startNs > LONG_ENOUGH.toNanos();
          });
      new V1(served.client).insert("q", "t");
      assertThat(claim.get(30, TimeUnit.SECONDS).getTask().getId()).isEqualTo("t");
      assertThat(new V1(idle).tryClaim("c", "q").hasTask()).isFalse();
    }
  }
}

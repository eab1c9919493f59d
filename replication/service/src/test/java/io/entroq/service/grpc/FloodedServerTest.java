package io.entroq.service.grpc;

import static io.entroq.service.testing.Await.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.codec.wire.published.v1.ClaimResponse;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A connection that floods a server is closed, and told why. */
class FloodedServerTest {
  private static final int ROUNDS_MAX = 2_000;

  /** More than a new connection may say, and no more than there is room for on the way. */
  private static final int ENOUGH_ROUNDS = 3;

  private static final int ENHANCE_YOUR_CALM = 11;

  /** One for each flood, as an address that has flooded is not as free as before. */
  private final ServedQueue served = new ServedQueue();

  @AfterEach
  void close() {
    served.close();
  }

  @ParameterizedTest
  @EnumSource
  void shouldCloseTheConnection(GrpcFlood flood) throws IOException {
    assertThat(new V1(served.client).tryClaim("c", "q").hasTask()).isFalse();
    try (RawHttp2 flooding = new RawHttp2(served.server.port(), Optional.empty())) {
      assertThat(flood(flooding, flood)).as("rounds").isLessThan(ROUNDS_MAX);
    }
    until("it is gone", () -> served.server.calls() == 0);
    assertThat(served.server.incomingBytes()).isZero();
    assertThat(new V1(served.client).tryClaim("c", "q").hasTask()).isFalse();
    // Those are no HTTP/2 at all, which is no flood.
    assertThat(served.server.floods()).isEqualTo(flood == GrpcFlood.EMPTY_HEADERS ? 0 : 1);
  }

  /** Returns how often it could say it. */
  private static int flood(RawHttp2 flooding, GrpcFlood flood) {
    int round = 0;
    try {
      flooding.write(flood.first());
      while (round < ROUNDS_MAX) {
        flooding.write(flood.more(round));
        round++;
      }
    } catch (IOException e) {
      return round;
    }
    return round;
  }

  @ParameterizedTest
  @EnumSource(names = {"EMPTY_DATA", "PRIORITIES", "RAPID_RESET"})
  void shouldSayWhy(GrpcFlood flood) throws IOException {
    try (RawHttp2 flooding = new RawHttp2(served.server.port(), Optional.empty())) {
      flooding.write(flood.first());
      for (int i = 0; i < ENOUGH_ROUNDS; i++) {
        flooding.write(flood.more(i));
      }
      Optional<RawHttp2.Frame> frame = flooding.read();
      while (frame.isPresent() && frame.get().type() != RawHttp2.GOAWAY) {
        frame = flooding.read();
      }
      assertThat(frame).isPresent();
      assertThat(frame.get().errorCode()).isEqualTo(ENHANCE_YOUR_CALM);
      assertThat(frame.get().errorText()).startsWith("it sent more than ");
    }
  }

  /** It is served all the same, after a second, as is whoever shares its address. */
  @Test
  void shouldHaveWhoeverComesBackWait() throws IOException {
    try (RawHttp2 flooding = new RawHttp2(served.server.port(), Optional.empty())) {
      flood(flooding, GrpcFlood.PRIORITIES);
    }
    until("it is counted", () -> served.server.floods() == 1);
    long beginNs = System.nanoTime();
    assertThat(new V1(served.client).tryClaim("c", "q").hasTask()).isFalse();
    assertThat(System.nanoTime() - beginNs)
        .isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(DelayedReadHandler.HOLD_MS));
    beginNs = System.nanoTime();
    try (RawHttp2 flooding = new RawHttp2(served.server.port(), Optional.empty())) {
      flood(flooding, GrpcFlood.PRIORITIES);
    }
    until("it is counted again", () -> served.server.floods() == 2);
    assertThat(System.nanoTime() - beginNs)
        .isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(DelayedReadHandler.HOLD_MS));
  }

  /** As workers do that come to an end, or many of whom meet their deadlines. */
  @Test
  void shouldLetAThousandClaimsGiveUpAtOnceAgainAndAgain() {
    try (WireClient client = served.connect()) {
      for (int round = 0; round < 3; round++) {
        List<Future<ClaimResponse>> claims = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
          claims.add(new V1(client).beginClaim(V1.claim("c", "none").build()));
        }
        until("all wait", () -> served.server.blockedClaims() == 1_000);
        // They have waited for a while, but for those who begin.
        LockSupport.parkNanos(round == 0 ? 0 : TimeUnit.MILLISECONDS.toNanos(2_100));
        claims.forEach(claim -> claim.cancel(true));
        until("all are gone", () -> served.server.blockedClaims() == 0);
        assertThat(new V1(client).tryClaim("c", "none").hasTask()).isFalse();
      }
    }
    assertThat(served.server.floods()).isZero();
  }

  /** What it may send beyond that is not read, and would stay. */
  @Test
  void shouldEndACallWithASecondMessageBeforeTheEndOfTheRequest() throws IOException {
    try (RawHttp2 raw = new RawHttp2(served.server.port(), Optional.empty())) {
      raw.write(RawHttp2.firstCall("/api.EntroQ/TryClaim"));
      raw.write(RawHttp2.frame(RawHttp2.DATA, 0, 1, new byte[10]));
      Optional<RawHttp2.Frame> frame = raw.read();
      while (frame.isPresent() && frame.get().stream() != 1) {
        frame = raw.read();
      }
      assertThat(frame).isPresent();
      assertThat(frame.get().type()).isEqualTo(RawHttp2.RST_STREAM);
    }
  }
}

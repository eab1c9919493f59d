package io.entroq.engine.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.EntroQException;
import io.entroq.codec.command.ClaimEncoder;
import io.entroq.codec.message.Slice;
import io.entroq.codec.result.ResultDecoder;
import io.entroq.engine.gateway.ClaimWriter;
import io.entroq.engine.gateway.Completion;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** What tests ask of a gateway, and what they hear. */
public final class GatewayCalls {
  private static final long LEASE_MS = 3_600_000;

  private GatewayCalls() {}

  public static ClaimWriter claim(String queue) {
    return claim(queue, false);
  }

  public static ClaimWriter waitingClaim(String queue) {
    return claim(queue, true);
  }

  private static ClaimWriter claim(String queue, boolean waits) {
    return (buffer, identity) ->
        new ClaimEncoder()
            .wrap(buffer, 0)
            .identity(
                identity.clientHigh(),
                identity.clientLow(),
                identity.number(),
                identity.ackedBelow())
            .queue(slice(queue))
            .leaseMs(LEASE_MS)
            .waits(waits)
            .length();
  }

  public static Slice slice(String text) {
    return new Slice(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Hears of one request. */
  public static class Heard implements Completion {
    private final CountDownLatch heard = new CountDownLatch(1);
    public volatile int code;
    public volatile int claimed;
    public volatile int version;
    public volatile EntroQException failure;

    @Override
    public void onResult(ResultDecoder result) {
      claimed = result.claimedCount();
      version = claimed > 0 ? result.claimed(0).version() : -1;
      code = result.code();
      hear();
    }

    @Override
    public void onFailure(EntroQException why) {
      failure = why;
      hear();
    }

    private void hear() {
      assertThat(heard.getCount()).as("told twice").isEqualTo(1);
      heard.countDown();
    }

    public boolean isHeard() {
      return heard.getCount() == 0;
    }

    public Heard await() {
      try {
        assertThat(heard.await(30, TimeUnit.SECONDS)).as("nothing was heard").isTrue();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new AssertionError(e);
      }
      return this;
    }
  }
}

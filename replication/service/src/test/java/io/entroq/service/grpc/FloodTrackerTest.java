package io.entroq.service.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;

/** From which addresses connections were closed for a flood a short time ago. */
class FloodTrackerTest {
  private long nowNs;
  private final FloodTracker floods = new FloodTracker(() -> nowNs);

  private void flood(String address) {
    floods.onFlood(new InetSocketAddress(address, 1), "test");
  }

  private boolean isSuspect(String address) {
    return floods.isSuspect(new InetSocketAddress(address, 2));
  }

  @Test
  void shouldSuspectTheAddressForAWhile() {
    flood("10.0.0.1");
    flood("2001:db8:1:2::1");
    nowNs += FloodTracker.SUSPECT_NS - 1;
    assertThat(isSuspect("10.0.0.1")).isTrue();
    assertThat(isSuspect("10.0.0.2")).isFalse();
    assertThat(isSuspect("2001:db8:1:2:ffff::9")).isTrue();
    assertThat(isSuspect("2001:db8:1:3::1")).isFalse();
    nowNs++;
    assertThat(isSuspect("10.0.0.1")).isFalse();
  }

  @Test
  void shouldSuspectItForLongerWithEachFlood() {
    flood("10.0.0.1");
    nowNs += FloodTracker.SUSPECT_NS - 1;
    flood("10.0.0.1");
    nowNs += FloodTracker.SUSPECT_NS - 1;
    assertThat(isSuspect("10.0.0.1")).isTrue();
  }

  @Test
  void shouldForgetTheAddressWhoseLastFloodIsLongestAgo() {
    flood("10.1.0.0");
    flood("10.1.0.1");
    flood("10.1.0.0");
    for (int i = 2; i < FloodTracker.SUSPECTS_MAX; i++) {
      flood("10.1.%d.%d".formatted(i >> 8, i & 255));
    }
    assertThat(isSuspect("10.1.0.1")).isTrue();
    flood("10.2.0.0");
    assertThat(isSuspect("10.1.0.1")).isFalse();
    assertThat(isSuspect("10.1.0.0")).isTrue();
    assertThat(isSuspect("10.2.0.0")).isTrue();
  }
}

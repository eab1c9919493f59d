package io.entroq.console.login;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class LoginThrottleTest {
  private final AtomicLong clock = new AtomicLong();
  private final LoginThrottle throttle = new LoginThrottle(clock::get);

  @Test
  void shouldBlockAfterFiveFailuresInAMinute() {
    for (int i = 0; i < 5; i++) {
      assertThat(throttle.isBlocked("a")).isFalse();
      throttle.failed("a");
    }
    assertThat(throttle.isBlocked("a")).isTrue();
    assertThat(throttle.isBlocked("b")).isFalse();
    clock.addAndGet(60_000_000_001L);
    assertThat(throttle.isBlocked("a")).isFalse();
  }

  @Test
  void shouldForgetWhatFailedLongAgo() {
    for (int i = 0; i < 20_000; i++) {
      throttle.failed("name " + i);
    }
    for (int i = 0; i < 5; i++) {
      throttle.failed("a");
    }
    assertThat(throttle.isBlocked("a")).isTrue();
  }
}

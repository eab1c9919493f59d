package io.entroq.console.login;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class LoginThrottleTest {
  private final AtomicLong clock = new AtomicLong();
  private final LoginThrottle throttle = new LoginThrottle(clock::get);

  @Test
  void shouldBlockAfterFiveFailuresInAMinute() {
    for (int i = 0; i < 5; i++) {
      assertThat(throttle.begin(List.of("a", "c"))).isTrue();
    }
    assertThat(throttle.begin(List.of("a"))).isFalse();
    assertThat(throttle.begin(List.of("b", "c"))).isFalse();
    assertThat(throttle.begin(List.of("b"))).isTrue();
    clock.addAndGet(60_000_000_001L);
    assertThat(throttle.begin(List.of("a"))).isTrue();
  }

  @Test
  void shouldForgetWhatFailedLongAgo() {
    for (int i = 0; i < 20_000; i++) {
      assertThat(throttle.begin(List.of("name " + i))).isTrue();
    }
    for (int i = 0; i < 5; i++) {
      assertThat(throttle.begin(List.of("a"))).isTrue();
    }
    assertThat(throttle.begin(List.of("a"))).isFalse();
  }

  @Test
  void shouldNotCountWhatWasRight() {
    for (int i = 0; i < 20; i++) {
      assertThat(throttle.begin(List.of("a"))).isTrue();
      throttle.undo(List.of("a"));
    }
  }
}

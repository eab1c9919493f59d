package io.entroq.cluster.member;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class AlertnessTest {
  private final AtomicLong nowNs = new AtomicLong(Long.MAX_VALUE - 5);
  private final Alertness alertness = new Alertness(nowNs::get);

  @Test
  void shouldNotBeRaisedAtFirst() {
    assertThat(alertness.isRaised()).isFalse();
  }

  @Test
  void shouldLastWhileCommandsComeAndNotMuchLonger() {
    for (int i = 0; i < 100; i++) {
      alertness.raise();
      nowNs.addAndGet(TimeUnit.MILLISECONDS.toNanos(10));
      assertThat(alertness.isRaised()).isTrue();
    }
    nowNs.addAndGet(TimeUnit.MILLISECONDS.toNanos(100));
    assertThat(alertness.isRaised()).isFalse();
  }
}

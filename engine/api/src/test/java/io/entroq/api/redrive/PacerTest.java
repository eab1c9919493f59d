package io.entroq.api.redrive;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class PacerTest {
  private long nanos = 5_000_000_000L;

  @Test
  void shouldLimitRate() {
    Pacer pacer = pacer(50);
    assertThat(pacer.batch(100)).isEqualTo(5);
    assertThat(pacer.waitNanos(0)).isZero();
    for (int done = 5; done <= 200; done += 5) {
      assertThat(wait(pacer, done)).isEqualTo(Duration.ofMillis(100));
    }
  }

  @Test
  void shouldAccountForTimeOfWork() {
    Pacer pacer = pacer(10);
    assertThat(pacer.batch(100)).isEqualTo(1);
    nanos += Duration.ofMillis(60).toNanos();
    assertThat(wait(pacer, 1)).isEqualTo(Duration.ofMillis(40));
    nanos += Duration.ofSeconds(1).toNanos();
    assertThat(pacer.waitNanos(2)).isNegative();
  }

  @Test
  void shouldNotWaitWithoutARate() {
    Pacer pacer = pacer(0);
    assertThat(pacer.batch(100)).isEqualTo(100);
    assertThat(pacer.waitNanos(1_000_000)).isZero();
  }

  @Test
  void shouldUseSmallBatchesAtLowRate() {
    assertThat(pacer(0.5).batch(100)).isEqualTo(1);
    assertThat(pacer(1e9).batch(100)).isEqualTo(100);
  }

  private Pacer pacer(double perSecond) {
    return new Pacer(perSecond, () -> nanos);
  }

  private Duration wait(Pacer pacer, int done) {
    long wait = pacer.waitNanos(done);
    nanos += wait;
    return Duration.ofNanos(wait);
  }
}

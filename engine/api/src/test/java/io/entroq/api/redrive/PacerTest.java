package io.entroq.api.redrive;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class PacerTest {
  private long nanos = 5_000_000_000L;
  private Duration waited = Duration.ZERO;

  @Test
  void shouldLimitRate() {
    Pacer pacer = pacer(50);
    assertThat(pacer.batch(100)).isEqualTo(5);
    pacer.await(0);
    assertThat(waited).isZero();
    for (int done = 5; done <= 200; done += 5) {
      pacer.await(done);
    }
    assertThat(waited).isEqualTo(Duration.ofSeconds(4));
  }

  @Test
  void shouldAccountForTimeOfWork() {
    Pacer pacer = pacer(10);
    assertThat(pacer.batch(100)).isEqualTo(1);
    nanos += Duration.ofMillis(60).toNanos();
    pacer.await(1);
    assertThat(waited).isEqualTo(Duration.ofMillis(40));
    nanos += Duration.ofSeconds(1).toNanos();
    pacer.await(2);
    assertThat(waited).isEqualTo(Duration.ofMillis(40));
  }

  @Test
  void shouldNotWaitWithoutARate() {
    Pacer pacer = pacer(0);
    assertThat(pacer.batch(100)).isEqualTo(100);
    pacer.await(1_000_000);
    assertThat(waited).isZero();
  }

  @Test
  void shouldUseSmallBatchesAtLowRate() {
    assertThat(pacer(0.5).batch(100)).isEqualTo(1);
    assertThat(pacer(1e9).batch(100)).isEqualTo(100);
  }

  private Pacer pacer(double perSecond) {
    return new Pacer(
        perSecond,
        () -> nanos,
        time -> {
          waited = waited.plus(time);
          nanos += time.toNanos();
        });
  }
}

package io.entroq.api.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class BackoffTest {
  private static final Backoff BACKOFF =
      new Backoff(Duration.ofSeconds(30), Duration.ofMinutes(10), 0.2);

  @Test
  void shouldDoubleUpToTheCap() {
    assertThat(BACKOFF.after(1, 0)).isEqualTo(Duration.ofSeconds(30));
    assertThat(BACKOFF.after(2, 0)).isEqualTo(Duration.ofMinutes(1));
    assertThat(BACKOFF.after(5, 0)).isEqualTo(Duration.ofMinutes(8));
    assertThat(BACKOFF.after(6, 0)).isEqualTo(Duration.ofMinutes(10));
    assertThat(BACKOFF.after(Integer.MAX_VALUE, 0)).isEqualTo(Duration.ofMinutes(10));
  }

  @Test
  void shouldTakeARandomShareOff() {
    assertThat(BACKOFF.after(1, 0.5)).isEqualTo(Duration.ofSeconds(27));
    assertThat(BACKOFF.after(1, 1)).isEqualTo(Duration.ofSeconds(24));
    for (int i = 0; i < 100; i++) {
      assertThat(BACKOFF.after(1)).isBetween(Duration.ofSeconds(24), Duration.ofSeconds(30));
    }
  }

  @Test
  void shouldStayConstant() {
    assertThat(Backoff.constant(Duration.ofSeconds(3)).after(9)).isEqualTo(Duration.ofSeconds(3));
  }

  @Test
  void shouldRefuseWhatMakesNoSense() {
    Duration second = Duration.ofSeconds(1);
    assertThatThrownBy(() -> new Backoff(Duration.ZERO, second, 0)).hasMessageContaining("initial");
    assertThatThrownBy(() -> new Backoff(second, Duration.ofMillis(999), 0))
        .hasMessageContaining("cap");
    assertThatThrownBy(() -> new Backoff(second, second, 1.1)).hasMessageContaining("jitter");
    assertThatThrownBy(() -> new Backoff(second, second, Double.NaN))
        .hasMessageContaining("jitter");
  }
}

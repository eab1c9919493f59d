package io.entroq.engine.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class AdaptiveYieldTest {
  private final AdaptiveYield yields = new AdaptiveYield(0);

  @Test
  void shouldTrustTurnsUntilTheyAreLong() {
    assertThat(yields.areShort()).isTrue();
    yields.pass();
    assertThat(yields.areShort(ms(1_000))).isTrue();
  }

  @Test
  void shouldBeWaryWhenATurnIsLongEachTimeAndTryAgainLater() {
    long nowMs = besideAThreadThatComputes(100);
    assertThat(yields.areShort(ms(nowMs))).isFalse();
    assertThat(yields.areShort(ms(nowMs + 499))).isFalse();
    assertThat(yields.areShort(ms(nowMs + 500))).isTrue();
  }

  @Test
  void shouldBeWaryAgainWhenTheTrialGoesWrong() {
    long nowMs = besideAThreadThatComputes(100) + 500;
    nowMs = besideAThreadThatComputes(nowMs);
    assertThat(yields.areShort(ms(nowMs))).isFalse();
  }

  @Test
  void shouldCountWhatThreadsWaitTogetherOnce() {
    for (int thread = 0; thread < 32; thread++) {
      yields.onLong(ms(100), ms(104));
    }
    assertThat(yields.areShort(ms(104))).isTrue();
  }

  @Test
  void shouldNotBeWaryOfOneLongPause() {
    for (int thread = 0; thread < 32; thread++) {
      yields.onLong(ms(100), ms(190));
    }
    assertThat(yields.areShort(ms(190))).isTrue();
  }

  @Test
  void shouldNotBeWaryOfALongTurnNowAndThen() {
    for (int i = 1; i < 1_000; i++) {
      yields.onLong(ms(30L * i), ms(30L * i + 4));
      assertThat(yields.areShort(ms(30L * i + 4))).isTrue();
    }
  }

  /** Three threads whose turns are long one after the other; returns when the last has ended. */
  private long besideAThreadThatComputes(long nowMs) {
    yields.onLong(ms(nowMs), ms(nowMs + 4));
    yields.onLong(ms(nowMs + 4), ms(nowMs + 8));
    yields.onLong(ms(nowMs + 8), ms(nowMs + 12));
    yields.onLong(ms(nowMs + 10), ms(nowMs + 14));
    return nowMs + 14;
  }

  private static long ms(long ms) {
    return TimeUnit.MILLISECONDS.toNanos(ms);
  }
}

package io.entroq.workers;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class OutageTest {
  private static final long BEGIN = Long.MAX_VALUE - 1;

  private static long at(int seconds) {
    return BEGIN + Duration.ofSeconds(seconds).toNanos();
  }

  @Test
  void shouldBeTooLongAfterItsTime() {
    Outage outage = new Outage(Duration.ofSeconds(60));
    assertThat(outage.isTooLong(at(0))).isFalse();
    assertThat(outage.isTooLong(at(40))).isFalse();
    assertThat(outage.isTooLong(at(60))).isFalse();
    assertThat(outage.isTooLong(at(80))).isTrue();
  }

  @Test
  void shouldEndWithASuccess() {
    Outage outage = new Outage(Duration.ofSeconds(60));
    assertThat(outage.isTooLong(at(0))).isFalse();
    outage.end();
    assertThat(outage.isTooLong(at(50))).isFalse();
    assertThat(outage.isTooLong(at(100))).isFalse();
    assertThat(outage.isTooLong(at(111))).isTrue();
  }

  @Test
  void shouldBeAnotherOneLongAfterTheLastFailure() {
    Outage outage = new Outage(Duration.ofSeconds(1));
    assertThat(outage.isTooLong(at(0))).isFalse();
    assertThat(outage.isTooLong(at(40))).as("within a call and its pause").isTrue();
    assertThat(outage.isTooLong(at(7_200))).isFalse();
    assertThat(outage.isTooLong(at(7_202))).isTrue();
  }
}

package io.entroq.server.cli.queue.print;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AgeTextTest {
  @ParameterizedTest
  @CsvSource({
    "PT0.999S, 0s",
    "PT59S, 59s",
    "PT1M1S, 1m01s",
    "PT59M59S, 59m59s",
    "PT1H5M9S, 1h05m",
    "PT24H, 1d00h",
    "PT1000H, 41d16h"
  })
  void shouldPrintAtMostTwoUnits(Duration age, String expected) {
    assertThat(AgeText.of(age)).isEqualTo(expected);
  }
}

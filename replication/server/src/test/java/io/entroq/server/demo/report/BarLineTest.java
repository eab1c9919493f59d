package io.entroq.server.demo.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BarLineTest {
  @Test
  void shouldSayAllWhenThereAre80Columns() {
    assertThat(BarLine.of(617, 1_234, "shuffle", 80))
        .isEqualTo(" 50 % [" + "=".repeat(20) + " ".repeat(20) + "]   617/1,234 tasks, shuffle");
  }

  @Test
  void shouldLeaveWordsOutWhenThereAre40Columns() {
    assertThat(BarLine.of(617, 1_234, "shuffle", 40))
        .isEqualTo(" 50 % [=====      ]   617/1,234 shuffle");
    assertThat(BarLine.of(130_000, 1_234_567, "shuffle", 40))
        .isEqualTo(" 10 % [=          ]   130,000/1,234,567");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 5, 10, 20, 30, 39, 40, 60, 79, 80, 81, 200})
  void shouldFitIntoEveryWidth(int columns) {
    for (long committed : new long[] {0, 1, 500_000, 1_000_000}) {
      assertThat(BarLine.of(committed, 1_000_000, "reduce", columns)).hasSizeLessThan(columns);
    }
  }
}

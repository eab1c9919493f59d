package io.entroq.perf.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ReportTest {
  @Test
  void shouldWriteJsonWhenValuesAreOfEveryKind() {
    Map<String, Object> values = new LinkedHashMap<>();
    values.put("text", "a \"b\"\\\n");
    values.put("whole", 12L);
    values.put("part", 1.23456);
    values.put("nothing", Double.NaN);
    values.put("yes", true);
    values.put("list", List.of(1, Map.of("a", "b")));
    assertThat(Report.json(values))
        .isEqualTo(
            "{\"text\":\"a \\\"b\\\"\\\\\\u000a\",\"whole\":12,\"part\":1.235,\"nothing\":null,"
                + "\"yes\":true,\"list\":[1,{\"a\":\"b\"}]}");
  }

  @Test
  void shouldTakeTheMiddleWhenValuesAreInNoOrder() {
    assertThat(Spread.of(5, 1, 3)).isEqualTo(new Spread(1, 3, 5));
  }
}

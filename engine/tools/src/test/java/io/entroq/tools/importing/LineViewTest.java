package io.entroq.tools.importing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class LineViewTest {
  private final StringWriter text = new StringWriter();
  private long nowNs = 7;
  private final ImportView view = new LineView(new PrintWriter(text), () -> nowNs);

  @Test
  void shouldSayNowAndThenHowFarItHasCome() {
    view.at("copying", 0, 5_000);
    pass(1);
    view.at("copying", 100, 5_000);
    assertThat(text.toString()).isEmpty();
    pass(1);
    view.at("copying", 2_000, 5_000);
    pass(9);
    view.at("copying", 3_000, 5_000);
    pass(1);
    view.at("copying", 3_001, 5_000);
    view.at("copying", 3_600, 5_000);
    view.at("comparing", 10, 5_000);
    pass(2);
    view.at("comparing", 5_000, 5_000);
    assertThat(text.toString())
        .isEqualTo(
            """
            copying: 2,000 of 5,000, 1,000/s
            copying: 3,600 of 5,000, 300/s
            comparing: 5,000 of 5,000, 2,500/s
            """);
  }

  private void pass(int seconds) {
    nowNs += Duration.ofSeconds(seconds).toNanos();
  }
}

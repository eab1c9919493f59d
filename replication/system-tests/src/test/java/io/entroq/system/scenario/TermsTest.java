package io.entroq.system.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A vote without a reason is found. */
class TermsTest {
  private static final Duration SHORT = Duration.ofMillis(20);
  private static final Duration BEARABLE = Duration.ofMillis(500);

  @Test
  void shouldFindAVoteWithoutAReason() {
    assertThat(new Terms(3, 4, SHORT).isWrong(BEARABLE)).isTrue();
    assertThat(new Terms(3, 3, SHORT).isWrong(BEARABLE)).isFalse();
    assertThat(new Terms(3, 4, Duration.ofSeconds(1)).isWrong(BEARABLE)).isFalse();
  }
}

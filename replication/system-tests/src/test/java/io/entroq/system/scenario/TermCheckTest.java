package io.entroq.system.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** An election without a reason is found. */
class TermCheckTest {
  private static final Duration SHORT = Duration.ofMillis(20);
  private static final Duration BEARABLE = Duration.ofMillis(500);

  @Test
  void shouldFindAVoteWithoutAReason() {
    assertThat(new TermCheck(3, 4, SHORT).isUnexplained(BEARABLE)).isTrue();
    assertThat(new TermCheck(3, 3, SHORT).isUnexplained(BEARABLE)).isFalse();
    assertThat(new TermCheck(3, 4, Duration.ofSeconds(1)).isUnexplained(BEARABLE)).isFalse();
  }
}

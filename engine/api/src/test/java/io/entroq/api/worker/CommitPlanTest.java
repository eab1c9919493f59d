package io.entroq.api.worker;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CommitPlanTest {
  @Test
  void shouldAddReasonsLineByLine() {
    assertThat(CommitPlan.append("", "first")).isEqualTo("first");
    assertThat(CommitPlan.append("first", "second")).isEqualTo("first\nsecond");
  }

  @Test
  void shouldKeepTheEndOfALongHistory() {
    String err = "x".repeat(4_090);

    String longer = CommitPlan.append(err, "the newest");

    assertThat(longer).hasSize(4_096).endsWith("x\nthe newest");
    assertThat(CommitPlan.append("", "y".repeat(10_000))).isEqualTo("y".repeat(4_096));
  }

  @Test
  void shouldReplaceWhatIsNotText() {
    assertThat(CommitPlan.append("", "a\ud800b")).isEqualTo("a?b");
  }

  @Test
  void shouldNotCutACharacterInHalf() {
    String cut = CommitPlan.append("", "🚀" + "x".repeat(4_095));

    assertThat(cut).isEqualTo("x".repeat(4_095));
  }
}

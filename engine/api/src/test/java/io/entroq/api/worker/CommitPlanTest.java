package io.entroq.api.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.Arrival;
import io.entroq.api.Modification;
import io.entroq.api.Task;
import java.time.Duration;
import java.util.List;
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

  private static Modification retry(Outcome retry, boolean hasPolicies) {
    CommitPlan plan =
        new CommitPlan(0, failures -> Duration.ofSeconds(30), name -> name, () -> hasPolicies);
    Task task = Claimed.task("a");
    return plan.modification(retry, task, task, List.of());
  }

  @Test
  void shouldReportAFailureWhoseRestTheHandlerNames() {
    Modification failed = retry(Outcome.retry(Duration.ofMinutes(7), "429"), true);

    assertThat(failed.changes()).isEmpty();
    assertThat(failed.fails()).hasSize(1);
    assertThat(failed.fails().get(0).err()).endsWith("429");
    assertThat(failed.fails().get(0).delay()).contains(Duration.ofMinutes(7));
  }

  @Test
  void shouldLeaveAnyOtherRestToThePolicyOrElseToTheWorker() {
    for (boolean hasPolicies : new boolean[] {false, true}) {
      Modification failed = retry(Outcome.retry("no"), hasPolicies);

      assertThat(failed.fails()).isEmpty();
      assertThat(failed.changes().get(0).attempt()).isEqualTo(1);
      assertThat(failed.changes().get(0).arrival()).isEqualTo(Arrival.in(Duration.ofSeconds(30)));
    }
    assertThat(retry(Outcome.retry(Duration.ZERO, "no"), false).changes()).hasSize(1);
  }
}

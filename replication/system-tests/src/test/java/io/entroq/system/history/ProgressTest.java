package io.entroq.system.history;

import static io.entroq.system.history.Story.op;
import static io.entroq.system.history.Story.seen;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Who gets nothing done is found, whatever he is told. */
class ProgressTest {
  private static final Set<String> CALLERS = Set.of("ann", "bob");
  private static final Set<Kind> ALL = EnumSet.of(Kind.MODIFY, Kind.CLAIM, Kind.READ);

  @Test
  void shouldMissNothingWhereAllGetOn() {
    Story story =
        new Story()
            .insert("task", Outcome.DONE)
            .claim(seen("task", 1, op(1), 1))
            .read("task", seen("task", 1, op(1), 1))
            .by("bob")
            .insert("other", Outcome.DONE)
            .claim(seen("other", 1, op(4), 1))
            .read("other", seen("other", 1, op(4), 1));
    assertThat(Progress.missing(story.history(), CALLERS, ALL)).isEmpty();
  }

  @Test
  void shouldMissWhatWasNotDone() {
    Story story =
        new Story()
            .insert("task", Outcome.UNKNOWN)
            .insert("other", Outcome.NOT_DONE)
            .delete("third", 0, Outcome.REFUSED)
            .claim()
            .read("task")
            .askInVain();
    assertThat(HistoryChecker.check(story.history(), CheckConfig.USUAL.withDead(CALLERS)))
        .isEmpty();
    assertThat(Progress.missing(story.history(), Set.of("ann"), ALL))
        .containsExactly(
            new Finding(Harm.STUCK, "ann does not get on, but waits for [MODIFY, CLAIM]"));
  }

  @Test
  void shouldTellWhoGetsOnFromWhoIsOnlyAnswered() {
    Story story =
        new Story()
            .insert("task", Outcome.UNKNOWN)
            .insert("other", Outcome.NOT_DONE)
            .claim()
            .by("bob")
            .read("task");
    assertThat(Progress.hasGotOn(story.history(), "ann")).isFalse();
    assertThat(Progress.hasGotOn(story.history(), "bob")).isTrue();
    assertThat(Progress.hasGotOn(story.history(), "carol")).isFalse();
  }

  @Test
  void shouldMissWhomeverNobodyHears() {
    assertThat(Progress.missing(new Story().history(), CALLERS, ALL)).hasSize(2);
  }
}

package io.entroq.system.history;

import static io.entroq.system.history.HistoryBuilder.observed;
import static io.entroq.system.history.HistoryBuilder.op;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A caller without progress is found, whatever responses it gets. */
class ProgressTest {
  private static final Set<String> CALLERS = Set.of("ann", "bob");
  private static final Set<OperationKind> ALL =
      EnumSet.of(OperationKind.MODIFY, OperationKind.CLAIM, OperationKind.READ);

  @Test
  void shouldMissNothingWhereAllGetOn() {
    HistoryBuilder builder =
        new HistoryBuilder()
            .insert("task", Outcome.DONE)
            .claim(observed("task", 1, op(1), 1))
            .read("task", observed("task", 1, op(1), 1))
            .by("bob")
            .insert("other", Outcome.DONE)
            .claim(observed("other", 1, op(4), 1))
            .read("other", observed("other", 1, op(4), 1));
    assertThat(Progress.missing(builder.history(), CALLERS, ALL)).isEmpty();
  }

  @Test
  void shouldMissWhatWasNotDone() {
    HistoryBuilder builder =
        new HistoryBuilder()
            .insert("task", Outcome.UNKNOWN)
            .insert("other", Outcome.NOT_DONE)
            .delete("third", 0, Outcome.REFUSED)
            .claim()
            .read("task")
            .invokeWithoutResponse();
    assertThat(HistoryChecker.check(builder.history(), CheckConfig.USUAL.withDead(CALLERS)))
        .isEmpty();
    assertThat(Progress.missing(builder.history(), Set.of("ann"), ALL))
        .containsExactly(
            new Violation(
                ViolationKind.STUCK, "ann makes no progress and waits for [MODIFY, CLAIM]"));
  }

  @Test
  void shouldTellWhoGetsOnFromWhoIsOnlyAnswered() {
    HistoryBuilder builder =
        new HistoryBuilder()
            .insert("task", Outcome.UNKNOWN)
            .insert("other", Outcome.NOT_DONE)
            .claim()
            .by("bob")
            .read("task");
    assertThat(Progress.hasProgressed(builder.history(), "ann")).isFalse();
    assertThat(Progress.hasProgressed(builder.history(), "bob")).isTrue();
    assertThat(Progress.hasProgressed(builder.history(), "carol")).isFalse();
  }

  @Test
  void shouldMissWhomeverNobodyHears() {
    assertThat(Progress.missing(new HistoryBuilder().history(), CALLERS, ALL)).hasSize(2);
  }
}

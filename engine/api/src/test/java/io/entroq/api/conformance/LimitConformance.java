package io.entroq.api.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.type;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.entroq.api.Change;
import io.entroq.api.EntroQException;
import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.QueueQuery;
import io.entroq.api.Task;
import io.entroq.api.redrive.Redrive;
import io.entroq.api.redrive.RedriveResult;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What becomes of tasks for which a queue has no room. */
abstract class LimitConformance {
  private static final int LIMIT = 3;

  private final EntroQConformance suite;

  LimitConformance(EntroQConformance suite) {
    this.suite = suite;
  }

  @BeforeEach
  void openWithLimit() throws Exception {
    suite.reopenWithLimit(LIMIT);
  }

  private void fill(String queue) {
    for (int i = 0; i < LIMIT; i++) {
      suite.insert(queue, "task " + i);
    }
  }

  private void assertRefused(Modification modification, String queue) {
    assertRefused(modification, queue, LIMIT);
  }

  private void assertRefused(Modification modification, String queue, int tasks) {
    assertThat(suite.refusal(modification))
        .isInstanceOf(EntroQException.ResourceExhausted.class)
        .hasMessageContaining("queue " + queue + " has " + tasks + " tasks")
        .hasMessageContaining("than the 3 that")
        .hasMessageContaining("Nothing was done")
        .asInstanceOf(type(EntroQException.class))
        .returns(true, EntroQException::isTemporary)
        .returns(Optional.of(queue), EntroQException::fullQueue);
  }

  @Test
  void shouldRefuseWhatAQueueHasNoRoomForAndDoNothingOfIt() {
    fill("inbox");
    suite.insert("other", "x");

    assertRefused(Modification.insert("inbox", "one more"), "inbox");
    assertRefused(
        Modification.insert("other", "y").and(Modification.insert("inbox", "one more")), "inbox");

    assertThat(suite.queue().queues(QueueQuery.all())).isEqualTo(Map.of("inbox", 3L, "other", 1L));
  }

  private void assertNeverFits(Modification modification) {
    assertThat(suite.refusal(modification))
        .isInstanceOf(EntroQException.InvalidArgument.class)
        .hasMessageContaining("queue inbox would have 4 tasks of this")
        .hasMessageContaining("alone")
        .hasMessageContaining("more than the 3 that")
        .hasMessageContaining("Nothing was done")
        .asInstanceOf(type(EntroQException.class))
        .returns(false, EntroQException::isTemporary)
        .returns(Optional.of("inbox"), EntroQException::fullQueue);
  }

  private static Modification.Builder inserts(int count) {
    Modification.Builder inserts = Modification.builder();
    for (int i = 0; i < count; i++) {
      inserts.insert("inbox", "task " + i);
    }
    return inserts;
  }

  @Test
  void shouldTellApartWhatNoRoomWouldHelp() {
    Task kept = suite.insert("inbox", "kept");
    Task gone = suite.insert("inbox", "gone");
    Task moved = suite.insert("other", "moved");

    assertNeverFits(inserts(4).build());
    assertNeverFits(inserts(3).change(Change.of(moved).moveTo("inbox")).build());
    assertNeverFits(inserts(3).change(Change.of(kept).withAttempt(1, "")).build());
    assertNeverFits(inserts(3).depend(kept).build());
    assertNeverFits(inserts(4).delete(gone).build());
    assertRefused(inserts(2).delete(gone).insert("inbox", "third").build(), "inbox", 2);

    fill("other queue");
    assertNeverFits(Modification.insert("other queue", "one more").and(inserts(4).build()));
    assertThat(suite.queue().queues(QueueQuery.all()))
        .isEqualTo(Map.of("inbox", 2L, "other", 1L, "other queue", 3L));
  }

  @Test
  void shouldRefuseAMoveIntoAFullQueue() {
    fill("inbox");
    Task task = suite.insert("other", "x");

    assertRefused(Modification.change(Change.of(task).moveTo("inbox")), "inbox");

    assertThat(suite.read(task.id())).isEqualTo(task);
  }

  @Test
  void shouldTakeMoreWhenThereIsRoomAgain() {
    fill("inbox");
    Task task = suite.claimNow("inbox");
    assertRefused(Modification.insert("inbox", "one more"), "inbox");

    suite.queue().modify(Modification.delete(task)).orThrow();

    suite.insert("inbox", "one more");
    assertRefused(Modification.insert("inbox", "and another"), "inbox");
  }

  @Test
  void shouldCountWhatLeavesAQueueInTheSameModification() {
    fill("inbox");
    Task first = suite.claimNow("inbox");
    Task second = suite.claimNow("inbox");

    suite
        .queue()
        .modify(Modification.delete(first).and(Modification.insert("inbox", "next")))
        .orThrow();
    suite
        .queue()
        .modify(
            Modification.change(Change.of(second).moveTo("done"))
                .and(Modification.insert("inbox", "next")))
        .orThrow();

    assertThat(suite.queue().queues(QueueQuery.all())).isEqualTo(Map.of("inbox", 3L, "done", 1L));
  }

  @Test
  void shouldClaimRenewAndRetryInAFullQueue() {
    fill("inbox");

    Task claimed = suite.claimNow("inbox");
    Task renewed = suite.queue().renewAll(List.of(claimed), Duration.ofMinutes(1)).get(0);
    suite
        .queue()
        .modify(Modification.change(Change.of(renewed).withAttempt(1, "failed")))
        .orThrow();

    assertThat(suite.read(claimed.id()).attempt()).isEqualTo(1);
  }

  @Test
  void shouldRedriveWhatFitsAndNameTheFullQueue() {
    // Else a refusal may be of a repeated attempt, which does not tell what became of the first.
    assumeTrue(suite.isStill());
    suite.insert("inbox", "x");
    fill("inbox/err");

    assertThat(Redrive.from("inbox/err").run(suite.queue()))
        .isEqualTo(new RedriveResult(3, 3, 2, 0, 0, 0, Map.of("inbox", 1L)));
  }

  @Test
  void shouldNotLimitWhatIsInOtherQueues() {
    for (int i = 0; i < 2 * LIMIT; i++) {
      suite.insert(Insert.into("queue " + i));
    }
    assertThat(suite.queue().queues(QueueQuery.all())).hasSize(2 * LIMIT);
  }
}

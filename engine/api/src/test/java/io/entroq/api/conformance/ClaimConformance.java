package io.entroq.api.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.Claim;
import io.entroq.api.Modification;
import io.entroq.api.QueueQuery;
import io.entroq.api.Task;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What a claim takes and what it does to it. */
abstract class ClaimConformance {
  private final EntroQConformance suite;

  ClaimConformance(EntroQConformance suite) {
    this.suite = suite;
  }

  @Test
  void shouldTakeTheTaskForTheLease() {
    Task inserted = suite.insert("inbox", "hello");
    suite.advance(Duration.ofSeconds(3));
    Instant now = suite.queue().time();

    Task task =
        suite
            .queue()
            .tryClaim(
                Claim.from("inbox")
                    .withLease(Duration.ofSeconds(90))
                    .withClaimant(EntroQConformance.OTHER))
            .orElseThrow();

    assertThat(task.id()).isEqualTo(inserted.id());
    assertThat(task.version()).isEqualTo(1);
    assertThat(task.claims()).isEqualTo(1);
    assertThat(task.claimant()).isEqualTo(EntroQConformance.OTHER);
    assertThat(task.arrivalTime()).isEqualTo(task.modified().plusSeconds(90));
    suite.assertTime(task.modified(), now);
    assertThat(task.created()).isEqualTo(inserted.created());
    assertThat(task.value()).isEqualTo(inserted.value());
    assertThat(suite.read(task.id())).isEqualTo(task);
  }

  @Test
  void shouldFindNothingInQueuesWithoutAvailableTasks() {
    assertThat(suite.tryClaim("inbox")).isEmpty();
    suite.insert("inbox", "hello");
    suite.claimNow("inbox");
    assertThat(suite.tryClaim("inbox", "nothing-here")).isEmpty();
  }

  @Test
  void shouldHandOutATaskAgainWhenItsLeaseHasEnded() {
    suite.insert("inbox", "hello");
    Task first = suite.claimNow("inbox");

    suite.advanceAlmost(EntroQConformance.LEASE);
    assertThat(suite.tryClaim("inbox")).isEmpty();
    suite.advanceTheRest();
    Task second = suite.claimNow("inbox");

    assertThat(second.id()).isEqualTo(first.id());
    assertThat(second.version()).isEqualTo(2);
    assertThat(second.claims()).isEqualTo(2);
  }

  @Test
  void shouldHandOutATaskAtOnceWhenTheLeaseIsZero() {
    suite.insert("inbox", "hello");
    Claim claim = Claim.from("inbox").withLease(Duration.ZERO);

    assertThat(suite.queue().tryClaim(claim)).isPresent();
    assertThat(suite.queue().tryClaim(claim).orElseThrow().version()).isEqualTo(2);
  }

  @Test
  void shouldSaturateALeaseWithoutEnd() {
    suite.insert("inbox", "hello");

    Task task = suite.queue().tryClaim(Claim.from("inbox").withLease(Claim.FOREVER)).orElseThrow();

    assertThat(task.arrivalTime()).isAfter(suite.queue().time().plus(Duration.ofDays(365_000)));
    assertThat(suite.tryClaim("inbox")).isEmpty();
  }

  @Test
  void shouldTakeUpToTheLimit() {
    for (int i = 0; i < 5; i++) {
      suite.insert("inbox", "task " + i);
    }
    Claim claim = Claim.from("inbox").withLimit(3);

    List<Task> first = suite.queue().tryClaimMany(claim);
    List<Task> second = suite.queue().tryClaimMany(claim);

    assertThat(first).hasSize(3);
    assertThat(second).hasSize(2);
    Set<Object> ids = new HashSet<>();
    first.forEach(task -> ids.add(task.id()));
    second.forEach(task -> ids.add(task.id()));
    assertThat(ids).hasSize(5);
    assertThat(suite.queue().tryClaimMany(claim)).isEmpty();
  }

  @Test
  void shouldTakeFromSeveralQueuesWhereverThereIsWork() {
    suite.insert("a", "1");
    suite.insert("b", "2");

    List<Task> tasks = suite.queue().tryClaimMany(Claim.from("c", "b", "a", "b").withLimit(10));

    assertThat(tasks).extracting(Task::queue).containsExactlyInAnyOrder("a", "b");
  }

  @Test
  void shouldChooseEvenlyAmongQueuesWhateverTheirLength() {
    for (int i = 0; i < 100; i++) {
      suite.insert("long", "task");
    }
    suite.insert("short", "task");

    // Each claim takes the short one with probability one half.
    int claims = 0;
    while (claims < 60 && suite.queue().queues(QueueQuery.named("short")).size() == 1) {
      Task task = suite.claimNow("long", "short");
      suite.queue().modify(Modification.delete(task)).orThrow();
      claims++;
    }
    assertThat(claims).isLessThan(60);
  }
}

package io.entroq.api.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.entroq.api.Change;
import io.entroq.api.Claim;
import io.entroq.api.EntroQException;
import io.entroq.api.Insert;
import io.entroq.api.Limiter;
import io.entroq.api.Modification;
import io.entroq.api.ModifyResult;
import io.entroq.api.Policies;
import io.entroq.api.Policies.Target;
import io.entroq.api.QueuePolicy;
import io.entroq.api.QueueQuery;
import io.entroq.api.Task;
import io.entroq.api.TaskId;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Policies, pauses, failures and attributes, where there are any. */
abstract class PolicyConformance {
  private static final Duration HOUR = Duration.ofHours(1);

  /** Long beside what a clock may drift, and short where it goes forward in small steps. */
  private static final Duration WHILE = Duration.ofMinutes(2);

  private final EntroQConformance suite;

  PolicyConformance(EntroQConformance suite) {
    this.suite = suite;
  }

  @BeforeEach
  void requireThatThereAreNoPoliciesYet() {
    assumeTrue(suite.queue().hasPolicies());
    removePolicies();
  }

  /** Some servers serve several tests. */
  @AfterEach
  void leaveNoPolicies() {
    if (suite.queue().hasPolicies()) {
      removePolicies();
    }
  }

  private void removePolicies() {
    policies().list(Policies.Query.all()).forEach(left -> policies().delete(left.target()));
  }

  private Policies policies() {
    return suite.queue().policies();
  }

  @Test
  void shouldKeepEveryRuleOfAPolicy() {
    QueuePolicy policy =
        QueuePolicy.of("stripe")
            .rate(100, Duration.ofSeconds(1))
            .burst(10)
            .inFlight(20)
            .limiters("a", "é")
            .retry(new QueuePolicy.Retry(Duration.ofSeconds(1), 1.5, HOUR, 0.25))
            .attempts(8)
            .lapses(3)
            .deadQueue("dead")
            .breaker(5, Duration.ofMinutes(1))
            .timeToLive(Duration.ofDays(1))
            .expiredQueue("old")
            .maxTasks(1_000)
            .maxBytes(1 << 20)
            .overflow(QueuePolicy.Overflow.DROP_OLDEST)
            .order(QueuePolicy.Order.OLDEST)
            .rememberIds(Duration.ofDays(2))
            .pool(
                QueuePolicy.Pool.of(QueuePolicy.Fairness.ROUND_ROBIN)
                    .depth(2)
                    .inFlight(30)
                    .rate(50, Duration.ofSeconds(1))
                    .burst(5))
            .weight(1_024)
            .rank(7);
    Policies.Entry written = policies().put(policy);

    assertThat(written.version()).isEqualTo(1);
    assertThat(written.rules()).contains(policy);
    assertThat(policies().get(Target.queue("stripe"))).contains(written);
    QueuePolicy bare = QueuePolicy.of("stripe");
    assertThat(policies().put(bare).version()).isEqualTo(2);
    assertThat(policies().get(Target.queue("stripe")).orElseThrow().rules()).contains(bare);
  }

  @Test
  void shouldKeepTheGroupsOfATopic() {
    QueuePolicy topic = QueuePolicy.of("orders").groups("billing", "é");
    assertThat(policies().put(topic).rules()).contains(topic);
    QueuePolicy pool = QueuePolicy.of("orders").pool(QueuePolicy.Fairness.STRICT_RANK);
    assertThat(policies().put(pool).rules()).contains(pool);
  }

  @Test
  void shouldListPoliciesByKindAndPrefix() {
    policies().put(QueuePolicy.of("a/1").inFlight(1));
    policies().put(QueuePolicy.prefix("a/").inFlight(2));
    Limiter limiter = Limiter.of("a/1").rate(5, Duration.ofSeconds(2)).burst(3).inFlight(4);
    policies().put(limiter);
    policies().put(QueuePolicy.of("b").inFlight(3));

    assertThat(policies().list(Policies.Query.all())).hasSize(4);
    assertThat(policies().list(Policies.Query.all().startingWith("a/"))).hasSize(3);
    assertThat(policies().list(Policies.Query.of(Policies.Kind.QUEUE)))
        .extracting(Policies.Entry::target)
        .containsExactlyInAnyOrder(Target.queue("a/1"), Target.queue("b"));
    assertThat(policies().list(Policies.Query.all().withLimit(2))).hasSize(2);
    assertThat(policies().get(Target.limiter("a/1")).orElseThrow().rules()).contains(limiter);
    assertThat(policies().get(Target.queue("a"))).isEmpty();
  }

  @Test
  void shouldWriteAPolicyOnlyAtTheExpectedVersion() {
    policies().put(QueuePolicy.of("q").inFlight(1), 0);
    policies().put(QueuePolicy.of("q").inFlight(2), 1);

    assertThatThrownBy(() -> policies().put(QueuePolicy.of("q").inFlight(3), 1))
        .isInstanceOf(EntroQException.Dependency.class)
        .hasMessageContaining("queue q");
    ModifyResult.DependencyFailure failure =
        suite.failure(
            Modification.builder()
                .write(new Policies.Put(QueuePolicy.of("q"), Optional.of(0)))
                .build());
    assertThat(failure.policies()).containsExactly(Target.queue("q"));
    policies().delete(Target.queue("q"));
    assertThat(policies().get(Target.queue("q"))).isEmpty();
    assertThatThrownBy(() -> policies().delete(Target.queue("q")))
        .isInstanceOf(EntroQException.Dependency.class);
  }

  @Test
  void shouldLimitHowManyTasksAreInFlight() {
    policies().put(QueuePolicy.of("inbox").inFlight(1));
    suite.insert("inbox", "x");
    suite.insert("inbox", "y");

    Task first = suite.claimNow("inbox");
    assertThat(first.isInFlight()).isTrue();
    assertThat(suite.tryClaim("inbox")).isEmpty();
    suite.queue().modify(Modification.delete(first)).orThrow();
    assertThat(suite.tryClaim("inbox")).isPresent();
  }

  @Test
  void shouldClaimNothingFromAPausedQueueUntilItIsResumed() {
    suite.insert("inbox", "x");
    Instant now = suite.queue().time();

    Policies.Entry paused = suite.queue().pause("inbox", HOUR);
    suite.assertTime(paused.pausedUntil().orElseThrow(), now.plus(HOUR));
    assertThat(paused.rules()).isEmpty();
    assertThat(suite.tryClaim("inbox")).isEmpty();
    assertThat(suite.queue().pause("inbox").pausedUntil()).contains(Instant.MAX);
    suite.queue().resume("inbox");
    assertThat(suite.tryClaim("inbox")).isPresent();
    suite.queue().resume("inbox");
    assertThat(policies().get(Target.queue("inbox"))).isEmpty();
  }

  @Test
  void shouldServeAWaitingClaimWhenItsQueueIsResumed() throws Exception {
    suite.queue().pause("inbox");
    suite.insert("inbox", "x");
    var claim = suite.parked(Claim.from("inbox"));

    suite.queue().resume("inbox");

    assertThat(EntroQConformance.soon(claim)).hasSize(1);
  }

  @Test
  void shouldFailATaskAndLetItRest() {
    suite.insert("inbox", "x");
    Task task = suite.claimNow("inbox");
    ModifyResult.Committed failed =
        suite.queue().modify(Modification.fail(task, "429", HOUR)).orThrow();

    Task now = failed.failed().get(0);
    assertThat(now.attempt()).isEqualTo(1);
    assertThat(now.err()).isEqualTo("429");
    assertThat(now.claimant()).isEmpty();
    assertThat(now.isInFlight()).isFalse();
    assertThat(now.lease()).isEqualTo(HOUR);
    assertThat(suite.read(task.id()).attempt()).isEqualTo(1);
    ModifyResult.DependencyFailure failure = suite.failure(Modification.fail(task, "again"));
    assertThat(failure.fails()).containsExactly(task.ref());
    assertThat(failure.changes()).isEmpty();
  }

  @Test
  void shouldNotFailATaskThatOthersHold() {
    suite.insert("inbox", "x");
    Task task = suite.claimNow("inbox");

    ModifyResult.DependencyFailure failure =
        suite.failure(Modification.fail(task, "no").withClaimant(EntroQConformance.OTHER));

    assertThat(failure.claims()).extracting(ref -> ref.id()).containsExactly(task.id());
  }

  @Test
  void shouldLetThePolicyDecideWhatBecomesOfAFailedTask() {
    policies().put(QueuePolicy.of("inbox").retry(QueuePolicy.Retry.constant(WHILE)).attempts(2));
    suite.insert("inbox", "x");
    Task claimed = suite.claimNow("inbox");
    Change failed = Change.of(claimed).withAttempt(1, "no").availableIn(Duration.ofSeconds(1));
    Task resting = suite.queue().modify(Modification.change(failed)).orThrow().changed().get(0);

    assertThat(resting.queue()).isEqualTo("inbox");
    assertThat(resting.text()).isEqualTo("x");
    assertThat(resting.lease()).isEqualTo(WHILE);

    suite.advance(WHILE);
    suite.advanceTheRest();
    Task again = suite.claimNow("inbox");
    Task dead =
        suite.queue().modify(Modification.fail(again, "still no")).orThrow().failed().get(0);
    assertThat(dead.queue()).isEqualTo("inbox/err");
    assertThat(dead.origin()).contains("inbox");
    assertThat(dead.reason()).contains(Task.DeadReason.FAILED);
    assertThat(suite.read(dead.id())).isEqualTo(dead);
  }

  @Test
  void shouldNameTheQueueThatHasNoRoomByItsPolicy() {
    policies().put(QueuePolicy.of("inbox").maxTasks(2).maxBytes(100));
    suite.insert("inbox", "x");

    assertNoRoom(suite.refusal(inserts(2)), EntroQException.ResourceExhausted.class);
    assertNoRoom(suite.refusal(inserts(3)), EntroQException.InvalidArgument.class);
    assertNoRoom(
        suite.refusal(Modification.insert("inbox", "x".repeat(98))),
        EntroQException.ResourceExhausted.class);
  }

  private static Modification inserts(int count) {
    Modification.Builder inserts = Modification.builder();
    for (int i = 0; i < count; i++) {
      inserts.insert("inbox", "x");
    }
    return inserts.build();
  }

  private static <E extends EntroQException> void assertNoRoom(Throwable refusal, Class<E> as) {
    assertThat(refusal)
        .asInstanceOf(type(as))
        .returns(Optional.of("inbox"), EntroQException::fullQueue);
  }

  @Test
  void shouldLetTasksExpire() {
    Instant now = suite.queue().time();
    Task task =
        suite.insert(Insert.into("inbox").withValue("x").expiresIn(WHILE).withTrace("00-trace-01"));

    Task claimed = suite.claimNow("inbox");
    suite.assertTime(claimed.expires().orElseThrow(), now.plus(WHILE));
    assertThat(claimed.trace()).isEqualTo("00-trace-01");
    suite.queue().modify(Modification.release(claimed)).orThrow();
    suite.advance(WHILE);
    suite.advanceTheRest();
    assertThat(suite.tryClaim("inbox")).isEmpty();
    assertThat(suite.find(task.id())).isEmpty();
  }

  @Test
  void shouldShowWhatIsInFlight() {
    suite.insert("inbox", "x");
    suite.insert("inbox", "y");
    Task task = suite.claimNow("inbox");

    assertThat(suite.read(task.id()).isInFlight()).isTrue();
    assertThat(suite.queue().queueStats(QueueQuery.named("inbox")).get("inbox").inFlight())
        .isEqualTo(1);
  }

  @Test
  void shouldTellWhereATaskStands() {
    // A queue remembers its starts longer than its tasks.
    String paced = EntroQConformance.unused("paced");
    policies().put(QueuePolicy.of(paced).rate(1, HOUR).order(QueuePolicy.Order.OLDEST));
    Task first = suite.insert(paced, "x");
    Task second = suite.insert(paced, "y");
    Task later = suite.insert(Insert.into(paced).withValue("z").availableIn(HOUR));
    Task unordered = suite.insert("other", "x");

    assertThat(position(first).ahead()).hasValue(0);
    assertThat(position(first).isReady()).isTrue();
    assertThat(position(second).ahead()).hasValue(1);
    suite.claimNow(paced);
    Task.Position next = position(second);
    assertThat(next.ahead()).hasValue(0);
    assertThat(next.expectedStart().orElseThrow())
        .isAfter(suite.queue().time().plus(HOUR.dividedBy(2)));
    assertThat(position(first).isReady()).isFalse();
    assertThat(position(first).ahead()).isEmpty();
    assertThat(position(later).isReady()).isFalse();
    suite.assertTime(position(later).expectedStart().orElseThrow(), later.arrivalTime());
    assertThat(position(unordered))
        .isEqualTo(new Task.Position(OptionalLong.empty(), true, Optional.empty()));
    assertThat(suite.queue().position(TaskId.of("missing"))).isEmpty();
  }

  private Task.Position position(Task task) {
    return suite.queue().position(task.id()).orElseThrow();
  }
}

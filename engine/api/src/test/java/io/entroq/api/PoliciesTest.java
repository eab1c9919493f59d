package io.entroq.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.api.QueuePolicy.Breaker;
import io.entroq.api.QueuePolicy.Fairness;
import io.entroq.api.QueuePolicy.Order;
import io.entroq.api.QueuePolicy.Overflow;
import io.entroq.api.QueuePolicy.Pool;
import io.entroq.api.QueuePolicy.Rate;
import io.entroq.api.QueuePolicy.Retry;
import io.entroq.api.fake.FakeEntroQ;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What policies, limiters and their writes hold, and what they refuse. */
class PoliciesTest {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration TOO_LONG = Duration.ofDays(367);

  @Test
  void shouldKeepEachRuleWhenAnotherIsSet() {
    QueuePolicy policy =
        QueuePolicy.of("stripe")
            .rate(100, SECOND)
            .burst(10)
            .inFlight(20)
            .limiters("a", "b")
            .retry(SECOND, Duration.ofHours(1))
            .attempts(8)
            .lapses(3)
            .deadQueue("dead")
            .breaker(5, Duration.ofMinutes(1))
            .timeToLive(Duration.ofDays(1))
            .expiredQueue("old")
            .maxTasks(1_000)
            .maxBytes(1 << 20)
            .overflow(Overflow.DROP_OLDEST)
            .order(Order.OLDEST)
            .rememberIds(Duration.ofDays(2));

    assertThat(policy.target()).isEqualTo(Policies.Target.queue("stripe"));
    assertThat(policy.rate()).contains(new Rate(100, SECOND, 10));
    assertThat(policy.inFlight()).isEqualTo(20);
    assertThat(policy.limiters()).containsExactly("a", "b");
    assertThat(policy.retry()).contains(new Retry(SECOND, 2, Duration.ofHours(1), 0.2));
    assertThat(policy.attempts()).isEqualTo(8);
    assertThat(policy.lapses()).isEqualTo(3);
    assertThat(policy.deadQueue()).isEqualTo("dead");
    assertThat(policy.breaker()).contains(new Breaker(5, Duration.ofMinutes(1)));
    assertThat(policy.timeToLive()).isEqualTo(Duration.ofDays(1));
    assertThat(policy.expiredQueue()).isEqualTo("old");
    assertThat(policy.maxTasks()).isEqualTo(1_000);
    assertThat(policy.maxBytes()).isEqualTo(1 << 20);
    assertThat(policy.overflow()).isEqualTo(Overflow.DROP_OLDEST);
    assertThat(policy.order()).isEqualTo(Order.OLDEST);
    assertThat(policy.rememberIds()).isEqualTo(Duration.ofDays(2));
    assertThat(policy.inFlight(20)).isEqualTo(policy);
    assertThat(policy.pool()).isEmpty();
    assertThat(policy.weight()).isEqualTo(1);
  }

  @Test
  void shouldMakeAQueueAPoolOrATopic() {
    QueuePolicy pool =
        QueuePolicy.of("inbox")
            .pool(Pool.of(Fairness.ROUND_ROBIN).depth(2).inFlight(5).rate(3, SECOND).burst(2))
            .weight(8)
            .rank(1);
    assertThat(pool.pool())
        .contains(new Pool(Fairness.ROUND_ROBIN, 2, 5, Optional.of(new Rate(3, SECOND, 2))));
    assertThat(pool.weight()).isEqualTo(8);
    assertThat(pool.rank()).isEqualTo(1);
    assertThat(QueuePolicy.of("t").groups("a", "b").groups()).containsExactly("a", "b");
    assertThat(Insert.into("inbox").withKey("42").queue()).isEqualTo("inbox/42");
  }

  @Test
  void shouldRefuseWhatIsNoPoolTopicOrKey() {
    QueuePolicy policy = QueuePolicy.of("q");
    Pool pool = Pool.of(Fairness.LEAST_IN_FLIGHT);
    assertInvalid(() -> pool.depth(4), "depth of the pool must be from 1 to 3, is 4");
    assertInvalid(() -> pool.inFlight(-1), "inFlight of the pool must be from 0");
    assertInvalid(() -> pool.burst(2), "burst 2 needs a rate");
    assertInvalid(() -> policy.weight(0), "weight must be from 1 to 1024, is 0");
    assertInvalid(() -> policy.weight(1_025), "weight must be from 1 to 1024, is 1025");
    assertInvalid(() -> policy.rank(-1), "rank must be from 0 to 2147483647, is -1");
    assertInvalid(() -> QueuePolicy.prefix("q/").pool(pool), "policy of one queue");
    assertInvalid(() -> QueuePolicy.prefix("q/").groups("a"), "policy of one queue");
    assertInvalid(() -> policy.pool(pool).groups("a"), "a topic cannot be a pool");
    assertInvalid(() -> policy.groups("a", "a"), "groups must differ, are [a, a]");
    for (String name : List.of("", "err", "a/b")) {
      assertInvalid(() -> policy.groups(name), "a group must be a name without a slash");
      assertInvalid(() -> Insert.into("q").withKey(name), "key must be a name without a slash");
    }
    assertInvalid(() -> policy.groups("x".repeat(1_023)), "queue of the group must have at most");
    String[] many = IntStream.range(0, 101).mapToObj(String::valueOf).toArray(String[]::new);
    assertInvalid(() -> policy.groups(many), "number of groups must be from 0 to 100, is 101");
  }

  @Test
  void shouldStartOneTaskAtATimeInStrictOrder() {
    assertThat(QueuePolicy.of("q").order(Order.STRICT).inFlight()).isEqualTo(1);
  }

  @Test
  void shouldNameTheRuleThatIsWrongWithItsValueAndLimit() {
    QueuePolicy policy = QueuePolicy.of("q");
    assertInvalid(() -> QueuePolicy.of(""), "queue must not be empty");
    assertInvalid(() -> QueuePolicy.prefix("x".repeat(1_025)), "prefix must have at most 1024");
    assertInvalid(
        () -> policy.rate(0, SECOND), "limit of the rate must be from 1 to 1000000, is 0");
    assertInvalid(
        () -> policy.rate(1, Duration.ofDays(2)),
        "period of the rate must be from PT0.001S to PT24H, is PT48H");
    assertInvalid(
        () -> policy.rate(2_000, Duration.ofMillis(1)),
        "at most one start per microsecond, is 2000 per PT0.001S");
    assertInvalid(() -> policy.burst(2), "burst 2 needs a rate");
    assertInvalid(
        () -> policy.rate(1, SECOND).burst(0), "burst of the rate must be from 1 to 1000000, is 0");
    assertInvalid(() -> policy.inFlight(-1), "inFlight must be from 0 to 2147483647, is -1");
    assertInvalid(
        () -> policy.limiters("a", "b", "c", "d", "e"),
        "number of limiters must be from 0 to 4, is 5");
    assertInvalid(() -> policy.limiters("a", "a"), "limiters must differ, are [a, a]");
    assertInvalid(() -> policy.retry(SECOND, Duration.ZERO), "at least its base (PT1S), is PT0S");
    assertInvalid(
        () -> policy.retry(SECOND, TOO_LONG),
        "max of the retry must be from PT0S to PT8784H, is PT8808H");
    assertInvalid(
        () -> policy.retry(new Retry(SECOND, 0.5, SECOND, 0)),
        "factor of the retry must be from 1 to 100, is 0.5");
    assertInvalid(
        () -> policy.retry(new Retry(SECOND, 2, SECOND, Double.NaN)),
        "jitter of the retry must be from 0 to 1, is NaN");
    assertInvalid(
        () -> policy.breaker(0, SECOND),
        "failures of the breaker must be from 1 to 2147483647, is 0");
    assertInvalid(() -> policy.breaker(1, Duration.ZERO), "pause of the breaker must be from");
    assertInvalid(() -> policy.deadQueue("q"), "deadQueue must be another name");
    assertInvalid(() -> policy.expiredQueue("q"), "expiredQueue must be another name");
    assertInvalid(() -> policy.timeToLive(TOO_LONG), "timeToLive must be from PT0S to PT8784H");
    assertInvalid(() -> policy.maxTasks(-1), "maxTasks must be from 0");
    assertInvalid(
        () -> policy.order(Order.STRICT).inFlight(2), "STRICT order needs inFlight 1, is 2");
    assertInvalid(() -> Limiter.of("l").burst(3), "burst 3 needs a rate");
    assertInvalid(
        () -> Modification.pause(Policies.Target.queue("q"), TOO_LONG),
        "pause must be from PT0S to PT8784H, is PT8808H");
  }

  @Test
  void shouldCombineWritesOfPoliciesWithTheRest() {
    Policies.Rules limiter = Limiter.of("api").rate(5, SECOND).burst(2).inFlight(3);
    Modification modification =
        Modification.put(QueuePolicy.prefix("inbox/").limiters("api"))
            .and(Modification.put(limiter))
            .and(Modification.resume(Policies.Target.prefix("inbox/")))
            .and(Modification.insert("inbox/1", "hello"))
            .withClaimant("me");

    assertThat(modification.policies())
        .extracting(Policies.Write::target)
        .containsExactly(
            Policies.Target.prefix("inbox/"),
            Policies.Target.limiter("api"),
            Policies.Target.prefix("inbox/"));
    assertThat(modification.inserts()).hasSize(1);
    assertThat(modification.isEmpty()).isFalse();
    assertThat(modification.needsPolicies()).isTrue();
  }

  @Test
  void shouldTellWhatNeedsPolicies() {
    Insert insert = Insert.into("q").withValue("x");

    assertThat(Modification.insert(insert).needsPolicies()).isFalse();
    assertThat(Modification.insert(insert.expiresIn(SECOND)).needsPolicies()).isTrue();
    assertThat(Modification.insert(insert.withTrace("00-ab")).needsPolicies()).isTrue();
    assertInvalid(() -> insert.expiresIn(Duration.ZERO), "timeToLive must be at least 1 ms");
    assertInvalid(
        () -> insert.withTrace("x".repeat(65)), "bytes of the trace must be from 0 to 64, is 65");
    assertThat(insert.expiresIn(Claim.FOREVER).withTrace("t").withValue("y").timeToLive())
        .contains(Claim.FOREVER);
  }

  @Test
  void shouldShowHowATaskDied() {
    Instant now = Instant.EPOCH;
    Task alive =
        new Task(TaskId.of("t"), 0, "q/err", now, "", Value.absent(), now, now, 1, 3, "no");
    Task dead =
        new Task(
            alive.id(),
            alive.version(),
            alive.queue(),
            now,
            "",
            Value.absent(),
            now,
            now,
            1,
            3,
            "no",
            new Task.Attributes(
                false,
                0,
                Optional.empty(),
                Optional.of(new Task.Death("q", Task.DeadReason.FAILED, now)),
                "trace"));

    assertThat(alive.reason()).isEmpty();
    assertThat(alive.isInFlight()).isFalse();
    assertThat(dead.origin()).contains("q");
    assertThat(dead.reason()).contains(Task.DeadReason.FAILED);
    assertThat(dead.deadAt()).contains(now);
    assertThat(dead.trace()).isEqualTo("trace");
  }

  @Test
  void shouldSayWhereThereAreNoPolicies() {
    try (FakeEntroQ queue = new FakeEntroQ()) {
      assertThat(queue.hasPolicies()).isFalse();
      assertInvalid(() -> queue.policies().list(Policies.Query.all()), "no policies");
      assertInvalid(() -> queue.position(TaskId.of("t")), "no policies");
      assertInvalid(() -> queue.pause("q", SECOND), "hasPolicies");
      assertInvalid(() -> queue.pause("q", Duration.ZERO), "pause must be more than zero");
    }
  }

  private static void assertInvalid(Runnable call, String message) {
    assertThatThrownBy(call::run)
        .isInstanceOf(EntroQException.InvalidArgument.class)
        .hasMessageContaining(message);
  }
}

package io.entroq.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.Claim;
import io.entroq.api.EntroQ;
import io.entroq.api.Insert;
import io.entroq.api.Limiter;
import io.entroq.api.Modification;
import io.entroq.api.Policies;
import io.entroq.api.Policies.Target;
import io.entroq.api.QueuePolicy;
import io.entroq.api.QueuePolicy.Fairness;
import io.entroq.api.QueueQuery;
import io.entroq.api.QueueStats;
import io.entroq.api.Task;
import io.entroq.api.Task.DeadReason;
import io.entroq.api.TaskId;
import io.entroq.api.TaskQuery;
import io.entroq.api.Value;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * A queue with all that rules leave behind: policies, limiters and pauses, tasks in flight, failed,
 * dead and expiring, ids that are remembered, a pool whose members have had turns, and a topic.
 */
public final class RulesScene {
  private static final Duration HOUR = Duration.ofHours(1);
  private static final Value VALUE = Value.text("v".repeat(500));
  private static final List<String> TENANTS = List.of("a", "b", "c");

  private RulesScene() {}

  /** Writes all of it. */
  public static void write(EntroQ queue) {
    writePolicies(queue);
    writePools(queue);
  }

  /** What behavior level 8 has. */
  public static void writePolicies(EntroQ queue) {
    Policies policies = queue.policies();
    policies.put(Limiter.of("api").rate(1, Duration.ofDays(1)).inFlight(5));
    policies.put(QueuePolicy.of("stripe").limiters("api").order(QueuePolicy.Order.OLDEST));
    policies.put(
        QueuePolicy.prefix("fragile")
            .retry(QueuePolicy.Retry.constant(HOUR))
            .attempts(2)
            .lapses(9));
    policies.put(QueuePolicy.of("once").rememberIds(HOUR));
    policies.pause(Target.queue("halted"));
    policies.pause(Target.prefix("later/"), HOUR);
    insert(
        queue,
        Insert.into("stripe").withId("charge 1"),
        Insert.into("stripe").withId("charge 2"),
        Insert.into("fragile").withId("dying").withAttempt(1, "once"),
        Insert.into("fragile").withId("resting"),
        Insert.into("once").withId("only"),
        Insert.into("halted").withId("halted"),
        Insert.into("later/x").withId("later").withTrace("00-af"),
        Insert.into("later/x").withId("expiring").expiresIn(HOUR));
    assertThat(start(queue, "stripe").id()).isEqualTo(TaskId.of("charge 1"));
    fail(queue, "fragile", 2);
    finish(queue, start(queue, "once"));
  }

  /** What behavior level 9 adds. */
  public static void writePools(EntroQ queue) {
    queue
        .policies()
        .put(QueuePolicy.of("tenants").pool(QueuePolicy.Pool.of(Fairness.ROUND_ROBIN).inFlight(2)));
    queue.policies().put(QueuePolicy.of("news").groups("g", "h"));
    for (int i = 0; i < 3; i++) {
      for (String tenant : TENANTS) {
        insert(queue, Insert.into("tenants").withKey(tenant).withId(tenant + i));
      }
    }
    start(queue, "tenants");
    start(queue, "tenants");
    insert(queue, Insert.into("news").withId("message").withValue(VALUE));
    finish(queue, start(queue, "news/g"));
  }

  private static void insert(EntroQ queue, Insert... inserts) {
    queue.modify(Modification.insert(inserts)).orThrow();
  }

  private static Task start(EntroQ queue, String name) {
    return queue.tryClaim(Claim.from(name).withLease(HOUR)).orElseThrow();
  }

  private static void finish(EntroQ queue, Task task) {
    queue.modify(Modification.delete(task).withClaimant(task.claimant())).orThrow();
  }

  private static void fail(EntroQ queue, String name, int tasks) {
    for (int i = 0; i < tasks; i++) {
      queue.modify(Modification.fail(start(queue, name), "broken")).orThrow();
    }
  }

  /**
   * All that a caller sees of it and that does not depend on the time.
   *
   * @param others how the names of queues and entries begin that are left out
   */
  public static Map<String, Object> look(EntroQ queue, String... others) {
    Map<String, Object> seen = new TreeMap<>();
    for (Policies.Entry entry : queue.policies().list(Policies.Query.all())) {
      if (!isAmong(others, entry.target().name())) {
        seen.put("rules of " + entry.target(), entry);
      }
    }
    Map<String, QueueStats> queues = queue.queueStats(QueueQuery.all());
    queues.forEach(
        (name, stats) -> {
          if (!isAmong(others, name)) {
            seen.put("statistics of " + name, timeless(stats));
            queue.tasks(TaskQuery.in(name)).forEach(task -> seen.put("task " + task.id(), task));
          }
        });
    return seen;
  }

  private static boolean isAmong(String[] others, String name) {
    return Arrays.stream(others).anyMatch(name::startsWith);
  }

  private static List<Object> timeless(QueueStats stats) {
    return List.of(
        stats.tasks(),
        stats.available(),
        stats.claimed(),
        stats.inFlight(),
        stats.claimable(),
        stats.pausedUntil(),
        stats.lapsed(),
        stats.dead(),
        stats.bytes());
  }

  /** Checks what {@link #look} must have seen after {@link #writePolicies}. */
  public static void checkPolicies(EntroQ queue) {
    Policies.Entry api = queue.policies().get(Target.limiter("api")).orElseThrow();
    assertThat(api.inFlight()).isOne();
    assertThat(api.nextStart().orElseThrow()).isAfter(Instant.now().plus(Duration.ofHours(20)));
    assertThat(queue.tryClaim(Claim.from("stripe"))).isEmpty();
    assertThat(queue.position(TaskId.of("charge 2")).orElseThrow().ahead()).hasValue(0);
    Task dead = queue.tasks(TaskQuery.in("fragile/err")).get(0);
    assertThat(dead.id()).isEqualTo(TaskId.of("dying"));
    assertThat(dead.origin()).contains("fragile");
    assertThat(dead.reason()).contains(DeadReason.FAILED);
    assertThat(queue.tryClaim(Claim.from("fragile"))).as("rests").isEmpty();
    assertThat(queue.modify(Modification.insert(Insert.into("other").withId("only"))).isCommitted())
        .as("forgotten")
        .isFalse();
    assertThat(queue.tryClaim(Claim.from("later/x"))).isEmpty();
    assertThat(queue.tryClaim(Claim.from("halted"))).isEmpty();
  }

  /** Checks that the pool and the topic go on after {@link #writePools}. Changes the queue. */
  public static void goOn(EntroQ queue) {
    assertThat(queue.tryClaim(Claim.from("tenants"))).as("pool is full").isEmpty();
    Set<String> rest = new HashSet<>();
    Set<Task> started = new HashSet<>();
    for (String tenant : TENANTS) {
      rest.add("tenants/" + tenant);
      queue.tasks(TaskQuery.in("tenants/" + tenant)).stream()
          .filter(Task::isInFlight)
          .forEach(started::add);
    }
    assertThat(started).hasSize(2);
    started.forEach(task -> rest.remove(task.queue()));
    finish(queue, started.iterator().next());
    assertThat(rest).containsExactly(start(queue, "tenants").queue());
    assertThat(queue.queues(QueueQuery.startingWith("news"))).isEqualTo(Map.of("news/h", 1L));
    Insert message = Insert.into("news").withId("message").withValue("w");
    assertThat(queue.modify(Modification.insert(message)).isCommitted())
        .as("copies exist")
        .isFalse();
    assertThat(queue.tasks(TaskQuery.in("news/h")).get(0).value()).isEqualTo(VALUE);
    insert(queue, message.withId("another"));
    assertThat(queue.queues(QueueQuery.startingWith("news")))
        .isEqualTo(Map.of("news/g", 1L, "news/h", 2L));
    queue.policies().resume(Target.queue("halted"));
    assertThat(start(queue, "halted").id()).isEqualTo(TaskId.of("halted"));
  }
}

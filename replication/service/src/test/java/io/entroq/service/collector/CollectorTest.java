package io.entroq.service.collector;

import static io.entroq.service.testing.Await.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.Claim;
import io.entroq.api.DocClaim;
import io.entroq.api.DocInsert;
import io.entroq.api.DocQuery;
import io.entroq.api.EntroQ;
import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.QueueQuery;
import io.entroq.engine.embedded.EmbeddedConfig;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import io.entroq.engine.time.ManualClock;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CollectorTest {
  private static final long NOW_S = 1_800_000_000L;
  private static final String OLD = "/jobs/gc=" + (NOW_S - 1);
  private static final String YOUNG = "/jobs/gc=" + (NOW_S + 60);
  private static final String LASTING = "/jobs";

  private final ManualClock clock = new ManualClock(Instant.ofEpochSecond(NOW_S));
  private final EmbeddedEntroQ queue =
      EmbeddedEntroQ.open(EmbeddedConfig.inMemory().clock(clock).build());
  private final AtomicBoolean isInCharge = new AtomicBoolean(true);
  private final Collector collector = new Collector(queue.gateway(), queue, isInCharge::get);

  @AfterEach
  void close() {
    collector.close();
    queue.close();
  }

  @Test
  void shouldDeleteTheTasksOfAQueueWhoseTimeHasPassed() {
    insert(OLD, 1_001);
    insert(YOUNG, 2);
    insert(LASTING, 3);

    collector.sweep();

    assertThat(queue.queues(QueueQuery.all())).containsOnlyKeys(YOUNG, LASTING);
    assertThat(collector.stats().deleted()).isEqualTo(1_001);
    clock.advance(Duration.ofSeconds(61));
    collector.sweep();
    assertThat(queue.queues(QueueQuery.all())).containsOnlyKeys(LASTING);
    assertThat(collector.stats().deleted()).isEqualTo(1_003);
    assertThat(collector.stats().sweeps()).isEqualTo(2);
    assertThat(collector.stats().failures()).isZero();
  }

  /** So that a long queue does not hold up the requests of others. */
  @Test
  void shouldDeleteFewAtATime() {
    insert(OLD, 1_001);
    List<Integer> steps = new ArrayList<>();
    EntroQ watched =
        (EntroQ)
            Proxy.newProxyInstance(
                EntroQ.class.getClassLoader(),
                new Class<?>[] {EntroQ.class},
                (proxy, method, arguments) -> {
                  if (method.getName().equals("modifyAsync")) {
                    steps.add(((Modification) arguments[0]).deletes().size());
                  }
                  return method.invoke(queue, arguments);
                });
    try (Collector collecting = new Collector(queue.gateway(), watched, () -> true)) {
      collecting.sweep();
    }
    assertThat(steps).containsExactly(200, 200, 200, 200, 200, 1);
  }

  @Test
  void shouldLeaveTasksThatAreHeldOrNotDueYet() {
    insert(OLD, 1);
    assertThat(queue.tryClaim(Claim.from(OLD).withLease(Duration.ofSeconds(30)))).isPresent();
    queue.modify(
        Modification.insert(Insert.into(OLD).availableAt(Instant.ofEpochSecond(NOW_S + 20))));

    collector.sweep();
    assertThat(queue.queues(QueueQuery.all())).containsEntry(OLD, 2L);

    clock.advance(Duration.ofSeconds(31));
    collector.sweep();
    assertThat(queue.queues(QueueQuery.all())).isEmpty();
  }

  @Test
  void shouldDeleteTheDocsOfANamespaceWhoseTimeHasPassedUnlessTheyAreHeld() {
    Modification.Builder docs = Modification.builder();
    for (int i = 0; i < 1_000; i++) {
      docs.insertDoc(doc(OLD, "key " + i / 300, "part " + i));
    }
    docs.insertDoc(doc(YOUNG, "key", "part"));
    docs.insertDoc(doc(OLD, "zero", "part"));
    queue.modify(docs.build());
    queue.claimDocs(
        DocClaim.of(OLD, "key 1").withClaimant("worker").withLease(Duration.ofSeconds(30)));

    collector.sweep();

    assertThat(queue.docs(DocQuery.in(OLD)))
        .hasSize(300)
        .allMatch(left -> left.key().equals("key 1"));
    assertThat(queue.docs(DocQuery.in(YOUNG))).hasSize(1);
    assertThat(collector.stats().deleted()).isEqualTo(701);
    clock.advance(Duration.ofSeconds(31));
    collector.sweep();
    assertThat(queue.docs(DocQuery.in(OLD))).isEmpty();
  }

  @Test
  void shouldReportAMalformedTimeOnceAndKeepItsTasks() {
    insert("/jobs/gc=soon", 1);

    collector.sweep();
    collector.sweep();

    assertThat(queue.queues(QueueQuery.all())).containsOnlyKeys("/jobs/gc=soon");
    assertThat(collector.stats().malformed()).isEqualTo(1);
  }

  @Test
  void shouldDoNothingWhileAnotherMemberIsInCharge() {
    insert(OLD, 1);
    isInCharge.set(false);

    collector.sweep();

    assertThat(queue.queues(QueueQuery.all())).containsOnlyKeys(OLD);
    assertThat(collector.stats().sweeps()).isZero();
  }

  @Test
  void shouldGoOnAfterASweepThatFailed() {
    insert(OLD, 1);
    EmbeddedEntroQ closed = EmbeddedEntroQ.open(EmbeddedConfig.inMemory().build());
    closed.close();
    try (Collector failing = new Collector(closed.gateway(), closed, () -> true)) {
      failing.sweep();
      failing.sweep();

      assertThat(failing.stats().failures()).isEqualTo(2);
    }
  }

  @Test
  void shouldSweepAgainAfterAnInternalError() {
    insert(OLD, 1);
    Queue<Error> errors = new ConcurrentLinkedQueue<>(List.of(new AssertionError("for this test")));
    BooleanSupplier works =
        () -> {
          Error error = errors.poll();
          if (error != null) {
            throw error;
          }
          return true;
        };
    try (Collector running = Collector.start(queue.gateway(), queue, works, Duration.ofMillis(1))) {
      until("the queue is empty", () -> queue.queues(QueueQuery.all()).isEmpty());

      assertThat(running.stats().failures()).isEqualTo(1);
    }
  }

  @Test
  void shouldNotFailBecauseOfANameWithATimeBeyondAllTimes() {
    insert("/jobs/gc=+999999999-12-31T23:59:59Z", 1);
    insert(OLD, 1);

    collector.sweep();

    assertThat(collector.stats().failures()).isZero();
    assertThat(queue.queues(QueueQuery.all())).hasSize(1).doesNotContainKey(OLD);
  }

  @Test
  void shouldSweepByItself() {
    insert(OLD, 10);
    Duration interval = Duration.ofMillis(1);
    try (Collector running = Collector.start(queue.gateway(), queue, isInCharge::get, interval)) {
      until("the queue is empty", () -> queue.queues(QueueQuery.all()).isEmpty());
      insert(OLD, 10);
      until("the queue is empty", () -> queue.queues(QueueQuery.all()).isEmpty());

      until("all are counted", () -> running.stats().deleted() == 20);
    }
  }

  private void insert(String name, int count) {
    List<Insert> inserts = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      inserts.add(Insert.into(name).withValue("task " + i));
    }
    queue.modify(Modification.insert(inserts));
  }

  private static DocInsert doc(String namespace, String key, String secondaryKey) {
    return DocInsert.into(namespace, key).withSecondaryKey(secondaryKey).withValue("content");
  }
}

package io.entroq.service.view;

import static io.entroq.service.testing.Await.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.google.protobuf.Message;
import io.entroq.api.Claim;
import io.entroq.api.Modification;
import io.entroq.api.QueuePolicy;
import io.entroq.api.Task;
import io.entroq.codec.wire.edge.DeadGroup;
import io.entroq.codec.wire.edge.DeadLettersRequest;
import io.entroq.codec.wire.edge.DeadLettersResponse;
import io.entroq.codec.wire.edge.DeadQueue;
import io.entroq.codec.wire.edge.FailuresRequest;
import io.entroq.codec.wire.edge.OverviewRequest;
import io.entroq.codec.wire.edge.OverviewResponse;
import io.entroq.codec.wire.edge.Problem;
import io.entroq.codec.wire.edge.QueueFigures;
import io.entroq.codec.wire.edge.QueueRates;
import io.entroq.codec.wire.edge.QueueStats;
import io.entroq.codec.wire.edge.QueuesRequest;
import io.entroq.codec.wire.edge.RatesRequest;
import io.entroq.codec.wire.edge.RatesResponse;
import io.entroq.codec.wire.edge.SearchQueuesRequest;
import io.entroq.codec.wire.edge.SearchQueuesResponse;
import io.entroq.codec.wire.edge.TaskFailure;
import io.entroq.codec.wire.edge.TimeRequest;
import io.entroq.codec.wire.edge.Worker;
import io.entroq.codec.wire.edge.WorkersRequest;
import io.entroq.codec.wire.edge.WorkersResponse;
import io.entroq.service.call.AsOfHeader;
import io.entroq.service.call.Method;
import io.entroq.service.view.ViewedQueue.Heard;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What Insight tells of then, after much has changed. */
@Timeout(300)
class PastInsightTest {
  private static final Duration LEASE = Duration.ofHours(5);

  @TempDir private Path data;
  private ViewedQueue viewed;

  /** Right after the scene, in milliseconds, and the same as a point. */
  private long thenMs;

  private String then;

  /** Three tasks are held by two workers, one has died, one has failed and one waits. */
  @BeforeEach
  void play() {
    // Counts are kept as long as the wall clock says.
    viewed = new ViewedQueue(data, Instant.now().minusSeconds(400));
    until(
        "events are counted",
        () -> {
          insert("begin", 1);
          return count("begin", null) > 0;
        });
    viewed.clock.advance(Duration.ofSeconds(100));
    viewed.queue.policies().put(QueuePolicy.of("jobs").attempts(2).deadQueue("grave"));
    insert("jobs", 4);
    insert("letters", 2);
    viewed.clock.advance(Duration.ofSeconds(5));
    Task dying = claim("jobs", "anna");
    modify("anna", Modification.fail(dying, "broken pipe 17"));
    Task again = claimById(dying);
    modify("anna", Modification.fail(again, "broken pipe 18"));
    claim("jobs", "anna");
    claim("jobs", "anna");
    claim("letters", "bert");
    viewed.clock.advance(Duration.ofSeconds(60));
    insert("last", 1);
    thenMs = viewed.clock.nowMs();
    then = Instant.ofEpochMilli(thenMs).toString();
    viewed.clock.advance(Duration.ofSeconds(30));
    // Afterwards.
    insert("jobs", 500);
    insert("grave", 3);
    insert("new/err", 7);
    Task failing = claim("letters", "carl");
    modify("carl", Modification.fail(failing, "later"));
    for (int i = 0; i < 20; i++) {
      claim("jobs", "carl");
    }
    viewed.queue.policies().delete(QueuePolicy.of("jobs").target());
    viewed.clock.advance(Duration.ofSeconds(30));
    insert("end", 1);
    until("it was counted", () -> count("end", null) == 1);
  }

  @AfterEach
  void close() {
    viewed.close();
  }

  private void insert(String queue, int tasks) {
    Modification.Builder inserts = Modification.builder();
    for (int i = 0; i < tasks; i++) {
      inserts.insert(queue, "task");
    }
    viewed.queue.modify(inserts.build()).orThrow();
  }

  private void modify(String claimant, Modification modification) {
    viewed.queue.modify(modification.withClaimant(claimant)).orThrow();
  }

  private Task claim(String queue, String claimant) {
    return viewed
        .queue
        .tryClaim(Claim.from(queue).withClaimant(claimant).withLease(LEASE))
        .orElseThrow();
  }

  private Task claimById(Task failed) {
    viewed.clock.advance(Duration.ofSeconds(1));
    for (int i = 0; i < 10; i++) {
      Task task = claim("jobs", "anna");
      if (task.id().equals(failed.id())) {
        return task;
      }
      modify("anna", Modification.release(task));
    }
    throw new AssertionError("it is not claimed again");
  }

  private <Q extends Message, S extends Message> S ask(Method<Q, S> method, Q request) {
    Heard<S> heard = viewed.ask(method, request, then);
    assertThat(heard.metadata().get(AsOfHeader.NAME)).endsWith(";" + thenMs);
    return heard.response();
  }

  private long count(String queue, String at) {
    return viewed
        .ask(Method.RATES, RatesRequest.newBuilder().addQueue(queue).build(), at)
        .response()
        .getRates(0)
        .getTotal()
        .getInserted();
  }

  @Test
  void shouldSearchQueuesAsTheirStatisticsSay() {
    List<QueueStats> stats =
        ask(Method.QUEUE_STATS, QueuesRequest.getDefaultInstance()).getQueuesList();
    SearchQueuesResponse found =
        ask(Method.SEARCH_QUEUES, SearchQueuesRequest.getDefaultInstance());
    assertThat(found.getReadMs()).isEqualTo(thenMs);
    assertThat(found.getComplete()).isTrue();
    assertThat(found.getQueuesList())
        .extracting(QueueFigures::getName)
        .containsExactlyInAnyOrderElementsOf(stats.stream().map(QueueStats::getName).toList())
        .doesNotContain("new/err", "end");
    for (QueueStats queue : stats) {
      QueueFigures row =
          found.getQueuesList().stream()
              .filter(figures -> figures.getName().equals(queue.getName()))
              .findFirst()
              .orElseThrow();
      assertThat(row.getTasks()).isEqualTo(queue.getNumTasks());
      assertThat(row.getReady()).isEqualTo(queue.getNumAvailable());
      assertThat(row.getInFlight()).isEqualTo(queue.getInFlight());
      assertThat(row.getOldestAgeMs()).isEqualTo(queue.getOldestAvailableMs());
      assertThat(row.getDeadQueue()).isEqualTo(queue.getName().equals("grave"));
    }
  }

  @Test
  void shouldSumUp() {
    OverviewResponse overview = ask(Method.OVERVIEW, OverviewRequest.getDefaultInstance());
    assertThat(overview.getAll().getInFlight()).isEqualTo(3);
    assertThat(overview.getDeadTasks()).isEqualTo(1);
    assertThat(overview.getReadMs()).isEqualTo(thenMs);
    assertThat(overview.getDeadQueuesList())
        .extracting(DeadQueue::getName)
        .containsExactly("grave");
    assertThat(overview.getProblemsList())
        .as("only what the state and its counts tell")
        .extracting(Problem::getAlert)
        .doesNotContain("EntroqMemberOutOfTouch", "EntroqQueuesUnknown");
    assertThat(overview.getAll().getLastMinute().getInserted())
        .as("nothing of later")
        .isBetween(0L, 7L);
  }

  @Test
  void shouldTellTheRatesUntilThen() {
    RatesRequest request =
        RatesRequest.newBuilder().addQueue("jobs").addQueue("new/err").setStepS(10).build();
    RatesResponse rates = ask(Method.RATES, request);
    QueueRates jobs = rates.getRates(0);
    assertThat(jobs.getKept()).isTrue();
    assertThat(jobs.hasTotal()).isFalse();
    assertThat(sum(jobs.getInsertedList())).isEqualTo(4);
    assertThat(sum(jobs.getFailedList())).isEqualTo(2);
    assertThat(sum(jobs.getDeadList())).isEqualTo(1);
    assertThat(sum(rates.getRates(1).getInsertedList())).isZero();
    assertThat(rates.getFromMs() + jobs.getInsertedCount() * 10_000L).isLessThanOrEqualTo(thenMs);
    RatesResponse seconds = ask(Method.RATES, request.toBuilder().setStepS(1).build());
    assertThat(seconds.getRates(0).getKept()).as("seconds are not kept so long").isFalse();
    assertThat(seconds.getRates(0).getInsertedCount()).isZero();
  }

  private static int sum(List<Integer> points) {
    return points.stream().mapToInt(Integer::intValue).sum();
  }

  @Test
  void shouldTellTheFailuresUntilThen() {
    assertThat(
            ask(Method.FAILURES, FailuresRequest.newBuilder().setLimit(1).build())
                .getFailuresList())
        .extracting(TaskFailure::getErr)
        .containsExactly("broken pipe 18");
    assertThat(
            ask(Method.FAILURES, FailuresRequest.newBuilder().setQueue("letters").build())
                .getFailuresList())
        .isEmpty();
  }

  @Test
  void shouldFindWhoHeldWhat() {
    WorkersResponse workers =
        ask(Method.WORKERS, WorkersRequest.newBuilder().setSort("claimant").build());
    assertThat(workers.getMatched()).isEqualTo(2);
    assertThat(workers.getWorkersList())
        .extracting(Worker::getClaimant, Worker::getHeld)
        .containsExactly(tuple("anna", 2L), tuple("bert", 1L));
    Worker bert = workers.getWorkers(1);
    assertThat(bert.getTasks(0).getQueue()).isEqualTo("letters");
    assertThat(bert.getTasks(0).getUntilMs()).isEqualTo(thenMs - 60_000 + LEASE.toMillis());
    assertThat(bert.getClaimed()).as("not known").isZero();
    assertThat(ask(Method.WORKERS, WorkersRequest.newBuilder().setPrefix("a").build()).getMatched())
        .isEqualTo(1);
  }

  @Test
  void shouldGroupTheDead() {
    DeadLettersResponse dead = ask(Method.DEAD_LETTERS, DeadLettersRequest.getDefaultInstance());
    assertThat(dead.getReadMs()).isEqualTo(thenMs);
    assertThat(dead.getQueuesList())
        .extracting(DeadQueue::getName, DeadQueue::getTasks)
        .containsExactly(tuple("grave", 1L));
    assertThat(dead.getGroupsList())
        .extracting(DeadGroup::getOrigin, DeadGroup::getShape, DeadGroup::getTasks)
        .containsExactly(tuple("jobs", "broken pipe #", 1L));
  }

  @Test
  void shouldSayThatItHasInsight() {
    assertThat(ask(Method.TIME, TimeRequest.getDefaultInstance()).getFeatures() >> 12 & 1)
        .isEqualTo(1);
  }
}

package io.entroq.service.insight;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import io.entroq.api.Claim;
import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.Policies;
import io.entroq.api.QueuePolicy;
import io.entroq.api.Task;
import io.entroq.codec.wire.edge.ClaimRequest;
import io.entroq.codec.wire.edge.ClaimResponse;
import io.entroq.codec.wire.edge.DeadGroup;
import io.entroq.codec.wire.edge.DeadLettersRequest;
import io.entroq.codec.wire.edge.DeadLettersResponse;
import io.entroq.codec.wire.edge.DeadQueue;
import io.entroq.codec.wire.edge.DeadReason;
import io.entroq.codec.wire.edge.EventCounts;
import io.entroq.codec.wire.edge.FailuresRequest;
import io.entroq.codec.wire.edge.OverviewRequest;
import io.entroq.codec.wire.edge.OverviewResponse;
import io.entroq.codec.wire.edge.Problem;
import io.entroq.codec.wire.edge.QueueFigures;
import io.entroq.codec.wire.edge.QueueRates;
import io.entroq.codec.wire.edge.RatesRequest;
import io.entroq.codec.wire.edge.RatesResponse;
import io.entroq.codec.wire.edge.SearchQueuesRequest;
import io.entroq.codec.wire.edge.SearchQueuesResponse;
import io.entroq.codec.wire.edge.TaskFailure;
import io.entroq.codec.wire.edge.TimeRequest;
import io.entroq.codec.wire.edge.Waiter;
import io.entroq.codec.wire.edge.WaitersRequest;
import io.entroq.codec.wire.edge.WaitersResponse;
import io.entroq.codec.wire.edge.Worker;
import io.entroq.codec.wire.edge.WorkersRequest;
import io.entroq.service.call.Method;
import io.entroq.service.testing.Await;
import io.grpc.Status;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Insight into a real queue. */
@Timeout(120)
class InsightServiceTest {
  private final AskedInsight asked = new AskedInsight();

  InsightServiceTest() {
    // The feed begins when the reader has opened it.
    Await.until(
        "events are counted",
        () -> {
          insert("begin", 1);
          return rates("begin").getTotal().getInserted() > 0;
        });
  }

  @AfterEach
  void close() {
    asked.close();
  }

  private void insert(String queue, int tasks) {
    Modification.Builder inserts = Modification.builder();
    for (int i = 0; i < tasks; i++) {
      inserts.insert(Insert.into(queue));
    }
    asked.queue().modify(inserts.build()).orThrow();
  }

  private Task claim(String queue, String worker) {
    return asked.queue().tryClaim(Claim.from(queue).withClaimant(worker)).orElseThrow();
  }

  private void end(String worker, Modification modification) {
    asked
        .queue()
        .modify(modification.and(Modification.builder().claimant(worker).build()))
        .orThrow();
  }

  private QueueRates rates(String queue) {
    return asked.ask(Method.RATES, RatesRequest.newBuilder().addQueue(queue).build()).getRates(0);
  }

  private EventCounts awaited(String queue, EventCounts total) {
    Await.until("all is counted", () -> rates(queue).getTotal().equals(total));
    return total;
  }

  @Test
  void shouldTellOfWorkThatIsDoneAndWorkThatFails() {
    insert("jobs", 3);
    Task done = claim("jobs", "w1");
    end("w1", Modification.delete(done));
    Task failed = claim("jobs", "w2");
    end("w2", Modification.fail(failed, "no disk 7"));
    Task held = claim("jobs", "w3");
    awaited(
        "jobs",
        EventCounts.newBuilder().setInserted(3).setClaimed(3).setDone(1).setFailed(1).build());

    RatesResponse response =
        asked.ask(
            Method.RATES,
            RatesRequest.newBuilder()
                .addQueue("jobs")
                .addQueue("none")
                .setStepS(60)
                .setPoints(5)
                .build());
    assertThat(response.getStepS()).isEqualTo(60);
    assertThat(response.getGapsList()).isEmpty();
    assertThat(response.getRates(0).getKept()).isTrue();
    assertThat(response.getRates(0).getClaimedList()).hasSize(5);
    assertThat(response.getRates(0).getClaimedList().stream().mapToInt(count -> count).sum())
        .isEqualTo(3);
    assertThat(response.getRates(1)).isEqualTo(QueueRates.newBuilder().setQueue("none").build());
    assertThat(asked.ask(Method.RATES, RatesRequest.getDefaultInstance()).getRates(0).getTotal())
        .satisfies(all -> assertThat(all.getInserted()).isGreaterThanOrEqualTo(4));

    List<TaskFailure> failures =
        asked
            .ask(Method.FAILURES, FailuresRequest.newBuilder().setQueue("jobs").build())
            .getFailuresList();
    assertThat(failures).hasSize(1);
    assertThat(failures.get(0).getTaskId()).isEqualTo(failed.id().text());
    assertThat(failures.get(0).getErr()).isEqualTo("no disk 7");
    assertThat(failures.get(0).getClaimant()).isEqualTo("w2");
    assertThat(failures.get(0).getAttempt()).isEqualTo(1);

    List<Worker> workers =
        asked
            .ask(
                Method.WORKERS,
                WorkersRequest.newBuilder().setPrefix("w").setSort("claimant").build())
            .getWorkersList();
    assertThat(workers).extracting(Worker::getClaimant).containsExactly("w1", "w2", "w3");
    assertThat(workers.get(0).getDone()).isEqualTo(1);
    assertThat(workers.get(1).getFailed()).isEqualTo(1);
    assertThat(workers.get(2).getHeld()).isEqualTo(1);
    assertThat(workers.get(2).getTasks(0).getTaskId()).isEqualTo(held.id().text());
    assertThat(workers.get(2).getTasks(0).getQueue()).isEqualTo("jobs");
    assertThat(workers.get(2).getTasks(0).getUntilMs())
        .isEqualTo(held.arrivalTime().toEpochMilli());
  }

  @Test
  void shouldSearchQueues() {
    insert("jobs/a", 2);
    insert("jobs/b", 5);
    insert("other", 9);
    awaited("other", EventCounts.newBuilder().setInserted(9).build());
    SearchQueuesResponse found =
        asked.ask(
            Method.SEARCH_QUEUES,
            SearchQueuesRequest.newBuilder()
                .setPrefix("jobs/")
                .setSort("tasks")
                .setDescending(true)
                .setLimit(1)
                .build());
    assertThat(found.getMatched()).isEqualTo(2);
    assertThat(found.getComplete()).isTrue();
    assertThat(found.getReadMs()).isPositive();
    QueueFigures row = found.getQueues(0);
    assertThat(row.getName()).isEqualTo("jobs/b");
    assertThat(row.getTasks()).isEqualTo(5);
    assertThat(row.getReady()).isEqualTo(5);
    assertThat(row.getLastMinute().getInserted()).isEqualTo(5);
    assertThat(
            asked
                .ask(
                    Method.SEARCH_QUEUES,
                    SearchQueuesRequest.newBuilder()
                        // Not the queue of the beginning, into which many may have gone.
                        .setPrefix("jobs/")
                        .setSort("activity")
                        .setDescending(true)
                        .build())
                .getQueues(0)
                .getName())
        .isEqualTo("jobs/b");
    assertThat(
            asked
                .ask(
                    Method.SEARCH_QUEUES,
                    SearchQueuesRequest.newBuilder().addName("none").addName("jobs/a").build())
                .getQueuesList())
        .extracting(QueueFigures::getName)
        .containsExactly("jobs/a");
  }

  private SearchQueuesResponse search(SearchQueuesRequest.Builder request) {
    return asked.ask(Method.SEARCH_QUEUES, request.build());
  }

  @Test
  void shouldFoldPoolsAndShowTheirMembers() {
    asked
        .queue()
        .policies()
        .put(
            QueuePolicy.of("inbox")
                .pool(QueuePolicy.Pool.of(QueuePolicy.Fairness.LEAST_IN_FLIGHT).depth(2)));
    insert("inbox", 1);
    insert("inbox/ann", 2);
    insert("inbox/bob", 4);
    insert("inbox/bob/x", 8);
    insert("inbox/err", 16);
    insert("inbox2", 32);
    Task held = claim("inbox/bob/x", "w");
    assertThat(held.queue()).isEqualTo("inbox/bob/x");
    awaited("inbox/bob/x", EventCounts.newBuilder().setInserted(8).setClaimed(1).build());

    SearchQueuesResponse folded =
        search(SearchQueuesRequest.newBuilder().setPrefix("in").setFold(true));
    assertThat(folded.getMatched()).isEqualTo(3);
    assertThat(folded.getQueuesList())
        .extracting(
            QueueFigures::getName,
            QueueFigures::getPool,
            QueueFigures::getMembers,
            QueueFigures::getTasks,
            QueueFigures::getInFlight)
        .containsExactly(
            tuple("inbox", true, 2L, 15L, 1L),
            tuple("inbox/err", false, 0L, 16L, 0L),
            tuple("inbox2", false, 0L, 32L, 0L));
    assertThat(folded.getQueues(0).getLastMinute().getInserted()).isEqualTo(15);
    assertThat(folded.getQueues(1).getDeadQueue()).isTrue();

    SearchQueuesResponse members =
        search(SearchQueuesRequest.newBuilder().setPool("inbox").setSort("tasks"));
    assertThat(members.getQueuesList())
        .extracting(QueueFigures::getName, QueueFigures::getTasks, QueueFigures::getMembers)
        .containsExactly(
            tuple("inbox", 1L, 0L), tuple("inbox/ann", 2L, 0L), tuple("inbox/bob", 12L, 1L));
    assertThat(members.getQueues(2).getPool()).isTrue();
    assertThat(
            search(SearchQueuesRequest.newBuilder().setPool("inbox").setLimit(1).setOffset(1))
                .getQueues(0)
                .getName())
        .isEqualTo("inbox/ann");
    assertThat(search(SearchQueuesRequest.newBuilder().setPool("none")).getMatched()).isZero();

    assertThat(
            search(
                    SearchQueuesRequest.newBuilder()
                        .setPrefix("inbox/b")
                        .setFold(true)
                        .setSort("tasks")
                        .setDescending(true))
                .getQueuesList())
        .as("below a pool nothing is left out")
        .extracting(QueueFigures::getName)
        .containsExactly("inbox/bob/x", "inbox/bob");
    assertThat(
            search(
                    SearchQueuesRequest.newBuilder()
                        .addName("inbox/bob")
                        .addName("inbox")
                        .setFold(true))
                .getQueuesList())
        .extracting(QueueFigures::getTasks)
        .containsExactly(12L, 15L);
    assertThat(search(SearchQueuesRequest.newBuilder().setPrefix("in")).getMatched()).isEqualTo(6);
    assertThat(
            search(
                    SearchQueuesRequest.newBuilder()
                        .setFold(true)
                        .setSort("activity")
                        .setDescending(true))
                .getQueuesList())
        .extracting(QueueFigures::getName)
        .startsWith("inbox2", "inbox/err", "inbox");
  }

  @Test
  void shouldNoticeThatPoliciesAreWrittenPausedAndRemoved() {
    Policies.Target target = Policies.Target.queue("inbox");
    for (Modification write :
        List.of(
            Modification.put(QueuePolicy.of("inbox").attempts(1)),
            Modification.pause(target, Claim.FOREVER),
            Modification.deletePolicy(target))) {
      long before = asked.policyWrites();
      asked.queue().modify(write).orThrow();
      Await.until("it is noticed", () -> asked.policyWrites() == before + 1);
    }
  }

  @Test
  void shouldTellOfQueuesWhilePoliciesCannotBeAskedFor() {
    asked.stallsPolicies = true;
    asked.queue().policies().put(QueuePolicy.of("inbox").pool(QueuePolicy.Fairness.ROUND_ROBIN));
    insert("inbox/ann", 1);
    insert("inbox/bob", 1);
    assertThat(
            search(SearchQueuesRequest.newBuilder().setPrefix("inbox").setFold(true))
                .getQueuesList())
        .extracting(QueueFigures::getName)
        .containsExactly("inbox/ann", "inbox/bob");
  }

  @Test
  void shouldNoticeThatAQueueIsAPoolNoMore() {
    asked
        .queue()
        .modify(
            Modification.put(QueuePolicy.of("inbox").pool(QueuePolicy.Fairness.ROUND_ROBIN))
                .and(Modification.pause(Policies.Target.queue("inbox"), Claim.FOREVER)))
        .orThrow();
    insert("inbox/ann", 1);
    insert("inbox/bob", 1);
    SearchQueuesRequest.Builder folded =
        SearchQueuesRequest.newBuilder().setPrefix("inbox").setFold(true);
    Await.until("the pool is known", () -> search(folded).getMatched() == 1);
    QueueFigures pool = search(folded).getQueues(0);
    assertThat(pool.getName()).isEqualTo("inbox");
    assertThat(pool.getTasks()).isEqualTo(2);
    assertThat(pool.getMembers()).isEqualTo(2);
    assertThat(pool.getPausedUntilMs()).isEqualTo(Long.MAX_VALUE);
    assertThat(search(SearchQueuesRequest.newBuilder().addName("inbox").setFold(true)).getQueues(0))
        .isEqualTo(pool);
    asked.queue().policies().put(QueuePolicy.of("inbox").attempts(1));
    Await.until("it is known to be none", () -> search(folded).getMatched() == 2);
  }

  @Test
  void shouldShowAQuarantineThatGrows() {
    asked
        .queue()
        .modify(Modification.put(QueuePolicy.of("jobs").attempts(1).deadQueue("morgue")))
        .orThrow();
    insert("jobs", 3);
    for (String err : List.of("order 1: timeout", "order 22: timeout", "bad \"x\"")) {
      Task task = claim("jobs", "w");
      end("w", Modification.fail(task, err));
    }
    awaited(
        "jobs",
        EventCounts.newBuilder().setInserted(3).setClaimed(3).setFailed(3).setDead(3).build());
    OverviewResponse overview = asked.ask(Method.OVERVIEW, OverviewRequest.getDefaultInstance());
    assertThat(overview.getDeadTasks()).isEqualTo(3);
    assertThat(overview.getDeadQueuesList())
        .containsExactly(
            DeadQueue.newBuilder()
                .setName("morgue")
                .setTasks(3)
                .setGrowth30M(3)
                .setGrowth60M(3)
                .build());
    assertThat(overview.getProblemsList())
        .extracting(Problem::getAlert)
        .containsExactly("EntroqQuarantineGrows");
    assertThat(overview.getAll().getLastMinute().getDead()).isEqualTo(3);

    DeadLettersResponse dead =
        asked.ask(Method.DEAD_LETTERS, DeadLettersRequest.getDefaultInstance());
    assertThat(dead.getQueuesList())
        .extracting(DeadQueue::getName, DeadQueue::getLookedAt)
        .containsExactly(tuple("morgue", 3L));
    assertThat(dead.getGroupsList())
        .extracting(DeadGroup::getShape, DeadGroup::getTasks, DeadGroup::getOrigin)
        .containsExactly(tuple("order #: timeout", 2L, "jobs"), tuple("bad \"...\"", 1L, "jobs"));
    assertThat(dead.getGroups(0).getReason()).isEqualTo(DeadReason.DEAD_FAILED);
    assertThat(dead.getGroups(0).getExampleErr()).startsWith("order ");
    assertThat(
            asked
                .ask(Method.FAILURES, FailuresRequest.getDefaultInstance())
                .getFailures(0)
                .getDeadQueue())
        .isEqualTo("morgue");
  }

  @Test
  void shouldKnowTheDeadQueuesOfPoliciesThatWereWrittenBefore() {
    asked
        .queue()
        .modify(Modification.put(QueuePolicy.of("jobs").attempts(1).deadQueue("morgue")))
        .orThrow();
    insert("morgue", 4);
    Await.until(
        "the policy is known",
        () -> asked.ask(Method.OVERVIEW, OverviewRequest.getDefaultInstance()).getDeadTasks() == 4);
  }

  @Test
  void shouldTellOfProblemsOfTheServer() {
    asked.figures = new ServerFigures(false, 0, 0, true, false, 0, 0, 0, 0);
    assertThat(asked.ask(Method.OVERVIEW, OverviewRequest.getDefaultInstance()).getProblemsList())
        .extracting(Problem::getAlert)
        .containsExactly("EntroqMemberOutOfTouch", "EntroqDiskLow");
  }

  @Test
  void shouldTellOfPausedQueues() {
    insert("jobs", 1);
    asked
        .queue()
        .modify(Modification.pause(Policies.Target.queue("jobs"), Claim.FOREVER))
        .orThrow();
    OverviewResponse overview = asked.ask(Method.OVERVIEW, OverviewRequest.getDefaultInstance());
    assertThat(overview.getQueuesPaused()).isEqualTo(1);
    assertThat(overview.getProblemsList())
        .extracting(Problem::getAlert, Problem::getQueue)
        .containsExactly(tuple("EntroqPausedQueueHasWork", "jobs"));
  }

  @Test
  void shouldTellWhoWaits() {
    CompletableFuture<ClaimResponse> first =
        asked.start(Method.CLAIM, claimRequest("w1", "jobs", "other"));
    CompletableFuture<ClaimResponse> second = asked.start(Method.CLAIM, claimRequest("w2", "jobs"));
    WaitersResponse waiting = waiters("jobs");
    assertThat(waiting.getMatched()).isEqualTo(2);
    assertThat(waiting.getWaitersList())
        .extracting(Waiter::getClaimant)
        .containsExactlyInAnyOrder("w1", "w2");
    assertThat(waiting.getWaitersList())
        .allSatisfy(waiter -> assertThat(waiter.getQueuesList()).containsExactly("jobs"));
    assertThat(waiters("other").getWaiters(0).getQueueCount()).isEqualTo(2);
    assertThat(waiters("").getWaitersList())
        .extracting(Waiter::getQueuesCount)
        .containsExactlyInAnyOrder(1, 2);
    assertThat(waiters("none").getMatched()).isZero();
    insert("other", 1);
    assertThat(first.orTimeout(60, TimeUnit.SECONDS).join().hasTask()).isTrue();
    assertThat(waiters("").getWaitersList()).extracting(Waiter::getClaimant).containsExactly("w2");
    assertThat(second).isNotDone();
    asked.cancelAll();
    assertThat(waiters("").getMatched()).isZero();
  }

  private WaitersResponse waiters(String queue) {
    return asked.ask(Method.WAITERS, WaitersRequest.newBuilder().setQueue(queue).build());
  }

  private static ClaimRequest claimRequest(String worker, String... queues) {
    return ClaimRequest.newBuilder()
        .setClaimantId(worker)
        .addAllQueues(List.of(queues))
        .setDurationMs(45_000)
        .build();
  }

  @Test
  void shouldSayWhatIsWrongWithARequest() {
    assertThat(
            asked.refusal(
                Method.SEARCH_QUEUES, SearchQueuesRequest.newBuilder().setSort("size").build()))
        .satisfies(
            refusal -> {
              assertThat(refusal.code()).isEqualTo(Status.Code.INVALID_ARGUMENT);
              assertThat(refusal.message())
                  .isEqualTo("search queues: sort: there is no column size");
            });
    assertThat(
            asked
                .refusal(
                    Method.SEARCH_QUEUES, SearchQueuesRequest.newBuilder().setLimit(1_001).build())
                .message())
        .isEqualTo("search queues: limit must be from 0 to 1,000, is 1,001");
    assertThat(
            asked
                .refusal(Method.WORKERS, WorkersRequest.newBuilder().setOffset(-1).build())
                .message())
        .isEqualTo("workers: offset must not be negative, is -1");
    assertThat(asked.refusal(Method.RATES, RatesRequest.newBuilder().setStepS(2).build()).message())
        .isEqualTo("rates: step_s must be 1, 10 or 60, is 2");
    RatesRequest.Builder many = RatesRequest.newBuilder();
    for (int i = 0; i < 101; i++) {
      many.addQueue("q" + i);
    }
    assertThat(asked.refusal(Method.RATES, many.build()).message())
        .isEqualTo("rates: queue: 101 are given, at most 100 are accepted");
  }

  @Test
  void shouldSayThatTheServerHasIt() {
    assertThat(asked.ask(Method.TIME, TimeRequest.getDefaultInstance()).getFeatures() & 1 << 12)
        .isNotZero();
  }
}

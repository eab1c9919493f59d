package io.entroq.api.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.entroq.api.Claim;
import io.entroq.api.DocClaim;
import io.entroq.api.DocQuery;
import io.entroq.api.EntroQ;
import io.entroq.api.EntroQException;
import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.ModifyResult;
import io.entroq.api.NamespaceQuery;
import io.entroq.api.QueueQuery;
import io.entroq.api.Task;
import io.entroq.api.TaskId;
import io.entroq.api.TaskQuery;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;

/** Calls that have a time. */
abstract class TimeoutConformance {
  private static final Duration LONG = Duration.ofMinutes(2);
  private static final Duration SHORT = Duration.ofMillis(30);
  private static final Claim CLAIM = Claim.from("inbox");

  private final EntroQConformance suite;

  TimeoutConformance(EntroQConformance suite) {
    this.suite = suite;
  }

  @Test
  void shouldAnswerAsAlwaysWithinTheTime() throws Exception {
    EntroQ queue = suite.queue().withTimeout(LONG);
    Task inserted = queue.modify(Modification.insert("inbox", "hello")).orThrow().inserted().get(0);
    assertThat(queue.claimant()).isEqualTo(suite.queue().claimant());
    assertThat(queue.hasPolicies()).isEqualTo(suite.queue().hasPolicies());
    assertThat(queue.queues(QueueQuery.all())).containsEntry("inbox", 1L);
    assertThat(queue.queueStats(QueueQuery.all())).containsKey("inbox");
    assertThat(queue.tasks(TaskQuery.in("inbox"))).containsExactly(inserted);
    List<Task> listed = new ArrayList<>();
    queue.forEachTask(TaskQuery.in("inbox"), listed::add);
    assertThat(listed).containsExactly(inserted);
    assertThat(queue.time()).isNotNull();

    Task claimed = queue.claim(CLAIM);
    assertThat(claimed.id()).isEqualTo(inserted.id());
    assertThat(claimed.claimant()).isEqualTo(suite.queue().claimant());
    assertThat(queue.tryClaim(CLAIM)).isEmpty();
    assertThat(queue.renewAll(List.of(claimed), LONG)).hasSize(1);
  }

  @Test
  void shouldEndAClaimThatFindsNothing() throws Exception {
    EntroQ queue = suite.queue().withTimeout(SHORT);
    assertTimedOut(catchThrowable(() -> queue.claim(CLAIM)));
    assertTimedOut(catchThrowable(() -> queue.claimMany(CLAIM)));
    Throwable failed = catchThrowable(() -> EntroQConformance.soon(queue.claimAsync(CLAIM)));
    assertThat(failed).isInstanceOf(ExecutionException.class);
    assertTimedOut(failed.getCause());

    // None of them is there to take it.
    Task task = suite.insert("inbox", "hello");
    assertThat(suite.read(task.id()).claims()).isZero();
    assertThat(suite.claimNow("inbox").claims()).isEqualTo(1);
  }

  /** Where servers come and go, there may be none just now. */
  private void assertTimedOut(Throwable thrown) {
    if (suite.isStill() || !(thrown instanceof EntroQException.Unavailable)) {
      assertThat(thrown)
          .isInstanceOf(EntroQException.TimedOut.class)
          .hasMessageContaining("inbox")
          .hasMessageContaining("30 ms");
    }
  }

  @Test
  void shouldEndAClaimAsAlwaysIfItsWaitIsOverBefore() throws Exception {
    CompletableFuture<List<Task>> claim =
        suite.queue().withTimeout(LONG).claimAsync(CLAIM.withMaxWait(EntroQConformance.LEASE));
    assertThat(suite.queue().time()).isNotNull();
    suite.advance(EntroQConformance.LEASE);
    assertThat(EntroQConformance.soon(claim)).isEmpty();
  }

  @Test
  void shouldCancelAClaimThatHasATime() {
    CompletableFuture<List<Task>> claim = suite.queue().withTimeout(LONG).claimAsync(CLAIM);
    assertThat(suite.queue().time()).isNotNull();
    assertThat(claim.cancel(false)).isTrue();
    Task task = suite.insert("inbox", "hello");
    assertThat(suite.read(task.id()).claims()).isZero();
  }

  /** Whatever has become of it by then. */
  @Test
  void shouldEndEachCallThatHasNoAnswerInTime() throws Exception {
    Task task = suite.insert("inbox", "hello");
    EntroQ queue = suite.queue().withTimeout(SHORT);
    TaskId written = TaskId.of("written");
    boolean isRefused;
    assumeTrue(suite.hold(), "a queue of this kind always answers");
    try {
      List<CompletableFuture<?>> reads =
          List.of(
              queue.tasksAsync(TaskQuery.in("inbox")),
              queue.queuesAsync(QueueQuery.all()),
              queue.queueStatsAsync(QueueQuery.all()),
              queue.docsAsync(DocQuery.in("users")),
              queue.namespacesAsync(NamespaceQuery.all()),
              queue.timeAsync());
      List<CompletableFuture<?>> writes =
          List.of(
              queue.modifyAsync(Modification.insert(Insert.into("another").withId(written))),
              queue.tryClaimAsync(Claim.from("another")),
              queue.claimDocsAsync(DocClaim.of("users", "ann")));
      CompletableFuture<List<Task>> claim = queue.claimAsync(CLAIM);
      for (CompletableFuture<?> read : reads) {
        assertThat(end(read)).isInstanceOf(EntroQException.Unavailable.class);
      }
      for (CompletableFuture<?> write : writes) {
        assertThat(end(write))
            .isInstanceOfAny(
                EntroQException.Unavailable.class,
                EntroQException.OutcomeUnknown.class,
                ModifyResult.OutcomeUnknown.class);
      }
      assertTimedOut((Throwable) end(claim));
      isRefused = end(writes.get(0)) instanceof EntroQException.Unavailable;
    } finally {
      suite.goOn();
    }
    // The claim has not kept it.
    List<Task> free = EntroQConformance.soon(suite.queue().claimAsync(CLAIM));
    assertThat(free.get(0).id()).isEqualTo(task.id());
    if (isRefused) {
      assertThat(suite.find(written)).isEmpty();
    }
  }

  /** What it has come to, or why it has failed. */
  private static Object end(CompletableFuture<?> call) throws Exception {
    try {
      return EntroQConformance.soon(call);
    } catch (ExecutionException e) {
      return e.getCause();
    }
  }

  /** The times are such that some of the calls have one that is just over. */
  @Test
  void shouldTellTheTruthAboutAWriteWhateverItsTime() throws Exception {
    List<TaskId> committed = new ArrayList<>();
    List<TaskId> refused = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      TaskId id = TaskId.of("task " + i);
      EntroQ queue = suite.queue().withTimeout(Duration.ofMillis(1 + i % 3));
      try {
        ModifyResult result = queue.modify(Modification.insert(Insert.into("inbox").withId(id)));
        if (result.isCommitted()) {
          committed.add(id);
        } else {
          assertThat(result).isInstanceOf(ModifyResult.OutcomeUnknown.class);
        }
      } catch (EntroQException.Unavailable | EntroQException.ResourceExhausted e) {
        refused.add(id);
      }
    }
    List<TaskId> found = suite.queue().tasks(TaskQuery.in("inbox")).stream().map(Task::id).toList();
    assertThat(found).containsAll(committed);
    assertThat(refused).noneMatch(found::contains);
  }

  @Test
  void shouldHaveTheLatestTime() throws Exception {
    EntroQ queue = suite.queue().withTimeout(LONG).withTimeout(SHORT);
    assertTimedOut(catchThrowable(() -> queue.claim(CLAIM)));
    suite.insert("inbox", "hello");
    assertThat(queue.withTimeout(LONG).claim(CLAIM).claims()).isEqualTo(1);
  }

  @Test
  void shouldRefuseNoTime() {
    for (Duration none : List.of(Duration.ZERO, Duration.ofMillis(-1), Duration.ofNanos(1))) {
      assertThatThrownBy(() -> suite.queue().withTimeout(none))
          .isInstanceOf(EntroQException.InvalidArgument.class)
          .hasMessageContaining("at least 1 ms");
    }
  }

  @Test
  void shouldTakeTheLongestTime() {
    EntroQ queue = suite.queue().withTimeout(Duration.ofSeconds(Long.MAX_VALUE));
    assertThat(queue.modify(Modification.insert("inbox", "hello")).isCommitted()).isTrue();
  }

  @Test
  void shouldEndWithTheQueue() {
    EntroQ queue = suite.queue().withTimeout(LONG);
    CompletableFuture<List<Task>> claim = queue.claimAsync(CLAIM);
    suite.queue().close();
    assertThatThrownBy(() -> EntroQConformance.soon(claim))
        .hasCauseInstanceOf(EntroQException.Closed.class);
    assertThatThrownBy(queue::time).isInstanceOf(EntroQException.Closed.class);
  }

  @Test
  void shouldCloseTheQueue() {
    suite.queue().withTimeout(LONG).close();
    assertThatThrownBy(() -> suite.queue().time()).isInstanceOf(EntroQException.Closed.class);
  }
}

package io.entroq.api.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.api.Change;
import io.entroq.api.Claim;
import io.entroq.api.EntroQException;
import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.Task;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** How a claim waits, and how it ends. */
abstract class WaitingConformance {
  private static final Claim CLAIM = Claim.from("inbox");

  private final EntroQConformance suite;

  WaitingConformance(EntroQConformance suite) {
    this.suite = suite;
  }

  @Test
  void shouldAnswerAtOnceWhenThereIsWork() throws Exception {
    Task inserted = suite.insert("inbox", "hello");

    Task task = suite.queue().claim(CLAIM);

    assertThat(task.id()).isEqualTo(inserted.id());
    assertThat(task.version()).isEqualTo(1);
  }

  @Test
  void shouldAnswerWhenATaskIsInserted() throws Exception {
    CompletableFuture<List<Task>> claim = suite.parked(Claim.from("other", "inbox"));

    Task inserted = suite.insert("inbox", "hello");

    assertThat(EntroQConformance.soon(claim)).extracting(Task::id).containsExactly(inserted.id());
    assertThat(suite.read(inserted.id()).claims()).isEqualTo(1);
  }

  @Test
  void shouldAnswerWhenATaskArrives() throws Exception {
    suite.insert(Insert.into("inbox").availableIn(EntroQConformance.LEASE));
    CompletableFuture<List<Task>> claim = suite.parked(CLAIM);

    suite.advance(EntroQConformance.LEASE);

    assertThat(EntroQConformance.soon(claim)).hasSize(1);
  }

  @Test
  void shouldAnswerWhenALeaseEnds() throws Exception {
    suite.insert("inbox", "hello");
    Task first = suite.claimNow("inbox");
    CompletableFuture<List<Task>> claim = suite.parked(CLAIM);

    suite.advance(EntroQConformance.LEASE);

    Task second = EntroQConformance.soon(claim).get(0);
    assertThat(second.id()).isEqualTo(first.id());
    assertThat(second.version()).isEqualTo(2);
  }

  @Test
  void shouldAnswerWhenATaskIsReleasedOrMoved() throws Exception {
    suite.insert("elsewhere", "hello");
    Task held = suite.claimNow("elsewhere");
    CompletableFuture<List<Task>> claim = suite.parked(CLAIM);

    suite.queue().modify(Modification.change(Change.of(held).moveTo("inbox"))).orThrow();

    assertThat(EntroQConformance.soon(claim).get(0).version()).isEqualTo(3);
  }

  @Test
  void shouldAnswerEachOfManyWaitersOnce() throws Exception {
    List<CompletableFuture<List<Task>>> claims = new ArrayList<>();
    Modification.Builder inserts = Modification.builder();
    for (int i = 0; i < 50; i++) {
      claims.add(suite.queue().claimAsync(CLAIM));
      inserts.insert("inbox", "task " + i);
    }

    suite.queue().modify(inserts.build()).orThrow();

    List<Object> ids = new ArrayList<>();
    for (CompletableFuture<List<Task>> claim : claims) {
      ids.add(EntroQConformance.soon(claim).get(0).id());
    }
    assertThat(ids).hasSize(50).doesNotHaveDuplicates();
  }

  @Test
  void shouldAnswerWithUpToTheLimitAsSoonAsThereIsOne() throws Exception {
    CompletableFuture<List<Task>> claim = suite.parked(CLAIM.withLimit(10));

    suite
        .queue()
        .modify(Modification.builder().insert("inbox", "1").insert("inbox", "2").build())
        .orThrow();

    assertThat(EntroQConformance.soon(claim)).hasSize(2);
  }

  @Test
  void shouldEndWithoutTasksWhenTheWaitIsOver() throws Exception {
    CompletableFuture<List<Task>> claim = suite.parked(CLAIM.withMaxWait(EntroQConformance.LEASE));

    suite.advanceAlmost(EntroQConformance.LEASE);
    assertThat(suite.queue().time()).isNotNull();
    assertThat(claim).isNotDone();
    suite.advanceTheRest();

    assertThat(EntroQConformance.soon(claim)).isEmpty();
    Task later = suite.insert("inbox", "hello");
    assertThat(suite.read(later.id()).claims()).isZero();
  }

  @Test
  void shouldNotWaitWhenTheWaitIsZero() throws Exception {
    assertThat(suite.queue().claim(CLAIM, Duration.ZERO)).isEmpty();
    assertThatThrownBy(() -> suite.queue().claim(CLAIM.withMaxWait(Duration.ZERO)))
        .isInstanceOf(EntroQException.TimedOut.class);
    suite.insert("inbox", "hello");
    assertThat(suite.queue().claim(CLAIM, Duration.ZERO)).isPresent();
  }

  @Test
  void shouldTakeNothingOnceCancelled() {
    CompletableFuture<List<Task>> claim = suite.parked(CLAIM);

    assertThat(claim.cancel(false)).isTrue();

    Task task = suite.insert("inbox", "hello");
    assertThat(suite.read(task.id()).claims()).isZero();
    assertThat(suite.claimNow("inbox").claims()).isEqualTo(1);
  }

  @Test
  void shouldGiveBackWhatWasAssignedToACancelledClaim() throws Exception {
    for (int i = 0; i < 200; i++) {
      CompletableFuture<List<Task>> claim = suite.queue().claimAsync(CLAIM);
      CompletableFuture<?> insert =
          suite.queue().modifyAsync(Modification.insert("inbox", "task " + i));
      boolean cancelled = claim.cancel(false);
      EntroQConformance.soon(insert);

      // Either the claim has the task or anybody may have it; it is never locked for nothing.
      Task task =
          cancelled
              ? EntroQConformance.soon(suite.queue().claimAsync(CLAIM)).get(0)
              : claim.join().get(0);
      assertThat(task.claims()).isEqualTo(1);
      suite.queue().modify(Modification.delete(task)).orThrow();
    }
  }

  @Test
  void shouldCancelTheClaimOfAnInterruptedCaller() throws Exception {
    FutureTask<Task> call = new FutureTask<>(() -> suite.queue().claim(CLAIM));
    Thread caller = new Thread(call);
    caller.start();
    caller.interrupt();

    assertThatThrownBy(() -> call.get(EntroQConformance.SOON_SECONDS, TimeUnit.SECONDS))
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(InterruptedException.class);
    caller.join();
    Task task = suite.insert("inbox", "hello");
    assertThat(suite.claimNow("inbox").id()).isEqualTo(task.id());
  }

  @Test
  void shouldEndWithClosedWhenTheQueueCloses() {
    CompletableFuture<List<Task>> claim = suite.parked(CLAIM);

    suite.queue().close();

    assertThatThrownBy(() -> EntroQConformance.soon(claim))
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(EntroQException.Closed.class);
  }
}

package io.entroq.api.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.EntroQException;
import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.ModifyResult;
import io.entroq.api.Task;
import io.entroq.api.TaskRef;
import io.entroq.api.Value;
import io.entroq.api.codec.ValueCodec;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** How leases are renewed, lost, and committed. */
class WorkerLeaseTest extends WorkerTestBase {
  private Gate begin(int tasks) throws InterruptedException {
    Gate gate = new Gate(tasks, Outcome.done());
    start(worker().concurrency(tasks), gate);
    gate.begun.await();
    return gate;
  }

  @Test
  void shouldRenewAfterTwoThirdsOfTheLeaseAndCommitTheNewestVersion() throws Exception {
    Task task = insert("long work");
    Gate gate = begin(1);

    for (int renewal = 1; renewal <= 5; renewal++) {
      advance(DUE);
      Task renewed = awaitVersion(task, 1 + renewal);
      assertThat(renewed.arrivalTime()).isEqualTo(queue.time().plus(LEASE));
      assertThat(renewed.value()).isEqualTo(task.value());
      assertThat(renewed.claims()).isEqualTo(1);
    }
    gate.go.countDown();

    awaitGone(task);
    assertThat(modifications.get(5).deletes()).containsExactly(new TaskRef(task.id(), 6, "inbox"));
    assertThat(events.lost).isEmpty();
  }

  @Test
  void shouldNotRenewBeforeTwoThirdsOfTheLease() throws Exception {
    Task task = insert("work");
    Gate gate = begin(1);

    advance(DUE.minusMillis(1));
    gate.go.countDown();

    awaitGone(task);
    assertThat(renewals()).isEmpty();
  }

  @Test
  void shouldRenewAllTasksOfAllWorkersInOneCall() throws Exception {
    Task a = insert("a");
    Task b = insert("b");
    Task c = insert(Insert.into("other").withValue("c"));
    Gate gate = new Gate(3, Outcome.done());
    start(worker().concurrency(2), gate);
    start(worker().from("other"), gate);
    gate.begun.await();

    advance(DUE);

    for (Task task : List.of(a, b, c)) {
      awaitVersion(task, 2);
    }
    assertThat(renewals()).hasSize(1);
    assertThat(renewals().get(0).changes()).hasSize(3);
    gate.go.countDown();
    awaitEmpty();
  }

  @Test
  void shouldCancelTheHandlerOfALostTaskAndRenewTheOthersAtOnce() throws Exception {
    Task lost = insert("lost");
    Task kept = insert("kept");
    Gate gate = begin(2);
    Task stolen = steal(lost);

    advance(DUE);

    Eventually.await("the interrupt", () -> !gate.interrupted.isEmpty());
    assertThat(gate.interrupted).extracting(Task::id).containsExactly(lost.id());
    awaitVersion(kept, 2);
    assertThat(renewals()).extracting(m -> m.changes().size()).containsExactly(2, 1);
    assertThat(read(lost.id())).isEqualTo(stolen);
    assertGoesOn();
    gate.go.countDown();
    awaitGone(kept);
    assertThat(events.lost).hasSize(1);
    assertThat(events.handlerFailures).isEmpty();
  }

  @Test
  void shouldCancelTheHandlerWhenTheLeaseRunsOutUnrenewed() throws Exception {
    setRenewalFault(renewal -> Optional.of(CompletableFuture.failedFuture(unavailable())));
    Task task = insert("work");
    Gate gate = begin(1);

    pass(DUE);
    Eventually.await("a renewal", () -> !renewals().isEmpty());
    assertThat(gate.interrupted).isEmpty();
    pass(DUE);

    Eventually.await("the interrupt", () -> !gate.interrupted.isEmpty());
    Eventually.await("the event", () -> !events.lost.isEmpty());
    assertThat(events.lost.get(0)).contains("ran out");
    assertGoesOn();
    assertThat(read(task.id()).version()).isEqualTo(1);
  }

  @Test
  void shouldTryARenewalAgainThatFailed() throws Exception {
    setRenewalFault(
        renewal ->
            renewals().size() <= 2
                ? Optional.of(CompletableFuture.failedFuture(unavailable()))
                : Optional.empty());
    Task task = insert("work");
    Gate gate = begin(1);

    pass(DUE);
    passUntil("three renewals", () -> renewals().size() == 3);

    awaitVersion(task, 2);
    gate.go.countDown();
    awaitGone(task);
  }

  @Test
  void shouldFindOutWhatBecameOfARenewalWhoseReplyWasLost() throws Exception {
    setRenewalFault(
        renewal -> {
          if (renewals().size() == 1) {
            queue.modifyInEarnest(renewal);
            return Optional.of(
                CompletableFuture.completedFuture(new ModifyResult.OutcomeUnknown("lost")));
          }
          return Optional.empty();
        });
    Task task = insert("work");
    Gate gate = begin(1);

    advance(DUE);
    awaitVersion(task, 2);
    gate.go.countDown();

    passUntil("the end", () -> find(task.id()).isEmpty());
    Eventually.await("the event", () -> events.committed.size() == 1);
    assertThat(events.lost).isEmpty();
  }

  @Test
  void shouldRenewAgainWhenARenewalWithoutReplyDidNotHappen() throws Exception {
    setRenewalFault(
        renewal ->
            renewals().size() == 1
                ? Optional.of(
                    CompletableFuture.failedFuture(new EntroQException.OutcomeUnknown("lost")))
                : Optional.empty());
    Task task = insert("work");
    Gate gate = begin(1);

    advance(DUE);
    passUntil("the second renewal", () -> renewals().size() == 2);

    awaitVersion(task, 2);
    gate.go.countDown();
    awaitGone(task);
  }

  @Test
  void shouldKeepATaskWhoseRenewalComesAfterItWasLookedUp() throws Exception {
    setLateRenewal();
    Task task = insert("work");
    Gate gate = begin(1);

    advance(DUE);
    passUntil("the second renewal", () -> renewals().size() == 2);
    Eventually.await("the late one", () -> read(task.id()).version() == 2);
    passUntil("the third", () -> renewals().size() == 3);
    gate.go.countDown();

    awaitGone(task);
    assertThat(gate.interrupted).isEmpty();
    assertThat(events.lost).isEmpty();
  }

  @Test
  void shouldCommitATaskWhoseRenewalComesAfterItWasLookedUp() throws Exception {
    setLateRenewal();
    Task task = insert("work");
    Gate gate = new Gate(1, Outcome.done());
    Worker worker = start(gate);
    gate.begun.await();

    advance(DUE);
    Eventually.await("the renewal", () -> renewals().size() == 1);
    gate.go.countDown();
    Eventually.await("the end of the handler", () -> worker.metrics().running() == 0);

    passUntil("the commit", () -> find(task.id()).isEmpty());
    Eventually.await("the event", () -> events.committed.size() == 1);
    assertThat(events.lost).isEmpty();
  }

  /** The first renewal goes unanswered, and is done just before the request that comes next. */
  private void setLateRenewal() {
    setFault(
        (number, modification) -> {
          if (number == 2) {
            queue.modifyInEarnest(modifications.get(0)).orThrow();
          }
          return number == 1
              ? Optional.of(
                  CompletableFuture.failedFuture(new EntroQException.OutcomeUnknown("late")))
              : Optional.empty();
        });
  }

  @Test
  void shouldRenewOnWhenTheQueueThrowsAnError() throws Exception {
    setRenewalFault(
        renewal -> {
          if (renewals().size() == 1) {
            throw new OutOfMemoryError("for a test");
          }
          return Optional.empty();
        });
    Task task = insert("work");
    Gate gate = begin(1);

    advance(DUE);
    passUntil("the second renewal", () -> renewals().size() == 2);

    awaitVersion(task, 2);
    gate.go.countDown();
    awaitGone(task);
  }

  @Test
  void shouldRenewOnAfterACancelActionThatInterruptsItsThread() throws Exception {
    Task lost = insert("lost");
    Task kept = insert("kept");
    Gate gate = new Gate(2, Outcome.done());
    start(
        worker().concurrency(2),
        work -> {
          work.onCancel(() -> Thread.currentThread().interrupt());
          return gate.handle(work);
        });
    gate.begun.await();
    steal(lost);
    advance(DUE);
    awaitVersion(kept, 2);

    advance(DUE);

    awaitVersion(kept, 3);
    gate.go.countDown();
    awaitGone(kept);
  }

  @Test
  void shouldNotInterruptAListenerWhenALeaseIsLostAfterTheHandlersEnd() throws Exception {
    CountDownLatch failed = new CountDownLatch(1);
    CountDownLatch lost = new CountDownLatch(1);
    List<String> told = new CopyOnWriteArrayList<>();
    WorkerListener slow =
        new WorkerListener() {
          @Override
          public void onHandlerFailed(Task task, Throwable failure) {
            failed.countDown();
            try {
              lost.await();
              told.add("in peace");
            } catch (InterruptedException e) {
              told.add("interrupted");
            }
          }

          @Override
          public void onLeaseLost(Task task, String reason) {
            lost.countDown();
          }
        };
    Task task = insert("work");
    start(
        worker().listener(slow),
        work -> {
          if (work.task().id().equals(task.id())) {
            throw new IllegalStateException("a handler");
          }
          return Outcome.done();
        });
    failed.await();
    steal(task);

    advance(DUE);

    assertGoesOn();
    assertThat(told).containsExactly("in peace");
  }

  @Test
  void shouldNotTakeAnotherClaimForItsOwnRenewal() throws Exception {
    CompletableFuture<ModifyResult> reply = new CompletableFuture<>();
    setRenewalFault(renewal -> renewals().size() == 1 ? Optional.of(reply) : Optional.empty());
    Task task = insert("work");
    Gate gate = begin(1);

    advance(DUE);
    Eventually.await("the renewal", () -> renewals().size() == 1);
    steal(task);
    reply.complete(new ModifyResult.OutcomeUnknown("lost"));

    passUntil("the interrupt", () -> !gate.interrupted.isEmpty());
    Eventually.await("the event", () -> !events.lost.isEmpty());
    assertThat(events.lost).singleElement().asString().contains("others");
  }

  @Test
  void shouldCommitOnlyAfterARenewalUnderWayIsAnswered() throws Exception {
    CompletableFuture<ModifyResult> reply = new CompletableFuture<>();
    AtomicReference<Modification> underWay = new AtomicReference<>(Modification.empty());
    setRenewalFault(
        renewal -> {
          underWay.set(renewal);
          return Optional.of(reply);
        });
    Task task = insert("work");
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    AtomicReference<Thread> thread = new AtomicReference<>();
    start(
        work -> {
          thread.set(Thread.currentThread());
          begun.countDown();
          go.await();
          return Outcome.done();
        });
    begun.await();

    advance(DUE);
    Eventually.await("the renewal", () -> !underWay.get().isEmpty());
    go.countDown();
    Eventually.await(
        "the commit to wait",
        () ->
            Arrays.stream(thread.get().getStackTrace())
                .anyMatch(frame -> frame.getMethodName().equals("take")));
    assertThat(modifications).hasSize(1);
    reply.complete(queue.modifyInEarnest(underWay.get()));

    awaitGone(task);
    assertThat(modifications.get(1).deletes().get(0).version()).isEqualTo(2);
  }

  @Test
  void shouldRenewNoMoreWhileItCommits() throws Exception {
    CompletableFuture<ModifyResult> reply = new CompletableFuture<>();
    setFault(
        (number, modification) ->
            modification.deletes().isEmpty() ? Optional.empty() : Optional.of(reply));
    Task task = insert("work");
    start(work -> Outcome.done());
    Eventually.await("the commit", () -> modifications.size() == 1);

    pass(LEASE.multipliedBy(2));
    reply.complete(queue.modifyInEarnest(modifications.get(0)));

    awaitGone(task);
    assertThat(renewals()).isEmpty();
    assertThat(events.lost).isEmpty();
  }

  @Test
  void shouldRenewWhileACommitWaitsForTheQueue() throws Exception {
    setFault(
        (number, modification) ->
            !isRenewal(modification) && renewals().isEmpty()
                ? Optional.of(CompletableFuture.failedFuture(unavailable()))
                : Optional.empty());
    Task task = insert("work");
    start(worker().requestBackoff(Backoff.constant(Duration.ofSeconds(1))), work -> Outcome.done());
    Eventually.await("the commit", () -> modifications.size() == 1);

    pass(DUE);
    Eventually.await("the renewal", () -> !renewals().isEmpty());
    passUntil("the commit", () -> events.committed.size() == 1);

    Modification last = modifications.get(modifications.size() - 1);
    assertThat(last.deletes().get(0).version()).isEqualTo(2);
    assertThat(find(task.id())).isEmpty();
  }

  @Test
  void shouldRenewOthersAfterACallThatIsNeverAnswered() throws Exception {
    setRenewalFault(
        renewal ->
            renewals().size() == 1 ? Optional.of(new CompletableFuture<>()) : Optional.empty());
    insert("lost");
    Gate gate = begin(1);

    pass(DUE);
    Eventually.await("the renewal", () -> renewals().size() == 1);
    pass(DUE);
    Eventually.await("the interrupt", () -> !gate.interrupted.isEmpty());
    Gate second = new Gate(1, Outcome.done());
    start(worker().from("other"), second);
    Task task = insert(Insert.into("other").withValue("work"));
    second.begun.await();
    pass(DUE);

    awaitVersion(task, 2);
    second.go.countDown();
    awaitGone(task);
  }

  @Test
  void shouldSayWhichTaskCannotBeRenewedAndRenewTheOthers() throws Exception {
    Task bad = insert("bad");
    Task good = insert("good");
    setRenewalFault(
        renewal ->
            renewal.changes().stream().anyMatch(change -> change.task().id().equals(bad.id()))
                ? Optional.of(
                    CompletableFuture.failedFuture(
                        new EntroQException.InvalidArgument("version exhausted")))
                : Optional.empty());
    Gate gate = begin(2);

    advance(DUE);

    awaitVersion(good, 2);
    Eventually.await("the interrupt", () -> !gate.interrupted.isEmpty());
    assertThat(gate.interrupted).extracting(Task::id).containsExactly(bad.id());
    Eventually.await("the loss told of", () -> !events.lost.isEmpty());
    assertThat(events.lost.get(0)).contains("version exhausted");
    gate.go.countDown();
    awaitGone(good);
  }

  @Test
  void shouldNotSendValuesWithARenewal() throws Exception {
    Value large = Value.bytes(new byte[700_000]);
    Task task = insert(Insert.into("inbox").withValue(large));
    Gate gate = begin(1);

    advance(DUE);

    Task renewed = awaitVersion(task, 2);
    assertThat(renewals().get(0).changes().get(0).value().isAbsent()).isTrue();
    assertThat(renewed.value()).isEqualTo(large);
    gate.go.countDown();
    awaitEmpty();
  }

  @Test
  void shouldTellAHandlerThatItsWorkIsInVain() throws Exception {
    Task task = insert("work");
    CountDownLatch begun = new CountDownLatch(1);
    List<String> told = new CopyOnWriteArrayList<>();
    start(
        work -> {
          if (work.task().text().equals("go on")) {
            return Outcome.done();
          }
          work.onCancel(() -> told.add("action"));
          work.onCancel(
              () -> {
                throw new IllegalStateException("ignored");
              });
          begun.countDown();
          while (!work.isCancelled()) {
            Thread.onSpinWait();
          }
          work.onCancel(() -> told.add("late action"));
          try {
            work.throwIfCancelled();
          } catch (CancellationException e) {
            told.add("thrown");
          }
          return Outcome.done();
        });
    begun.await();
    Task stolen = steal(task);

    advance(DUE);

    assertGoesOn();
    assertThat(told).containsExactlyInAnyOrder("action", "late action", "thrown");
    assertThat(read(task.id())).isEqualTo(stolen);
  }

  @Test
  void shouldCountAFailureOnceWhoseCommitWasDoneAndNotAnswered() {
    setFault(
        (number, modification) -> {
          if (number == 1) {
            queue.modifyInEarnest(modification);
          }
          return number <= 2
              ? Optional.of(
                  CompletableFuture.completedFuture(new ModifyResult.OutcomeUnknown("lost")))
              : Optional.empty();
        });
    Task task = insert("work");
    start(
        worker().requestBackoff(Backoff.constant(Duration.ofSeconds(20))),
        work -> Outcome.retry("it rains"));
    Eventually.await("the commit", () -> modifications.size() == 1);

    // In steps: until it has heard what became of its commit it renews nothing.
    Eventually.await(
        "a renewal",
        () -> {
          pass(DUE.dividedBy(300));
          return !renewals().isEmpty();
        });
    passUntil("the event", () -> !events.unknown.isEmpty());

    assertThat(read(task.id()).attempt()).isEqualTo(1);
    assertThat(read(task.id()).version()).isEqualTo(2);
  }

  @Test
  void shouldRenewNoMoreWhenItFailsItselfInTheMiddleOfATask() {
    Task task = insert("work");
    ValueCodec<Value> broken =
        new ValueCodec<>() {
          @Override
          public Value encode(Value value) {
            return value;
          }

          @Override
          public Value decode(Value value) {
            if (value.equals(task.value())) {
              throw new StackOverflowError("a codec");
            }
            return value;
          }
        };
    start(worker().values(broken), work -> Outcome.done());
    Task next = insert("next");
    passUntil("the next", () -> find(next.id()).isEmpty());

    advance(DUE);

    awaitGone(insert("another"));
    assertThat(renewals()).isEmpty();
    assertThat(read(task.id()).version()).isEqualTo(1);
  }

  @Test
  void shouldGoOnWhenTheTaskIsLostAtTheCommit() throws Exception {
    Task task = insert("work");
    Gate gate = begin(1);
    steal(task);

    gate.go.countDown();

    Eventually.await("the event", () -> !events.lost.isEmpty());
    assertGoesOn();
    Eventually.await("the event", () -> events.committed.size() == 1);
  }

  private static EntroQException unavailable() {
    return new EntroQException.Unavailable("nobody there");
  }
}

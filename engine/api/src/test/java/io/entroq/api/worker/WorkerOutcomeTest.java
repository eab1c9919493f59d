package io.entroq.api.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.Change;
import io.entroq.api.Claim;
import io.entroq.api.Doc;
import io.entroq.api.DocChange;
import io.entroq.api.DocInsert;
import io.entroq.api.DocQuery;
import io.entroq.api.EntroQException;
import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.Task;
import io.entroq.api.TaskId;
import io.entroq.api.TaskQuery;
import io.entroq.api.TaskRef;
import io.entroq.api.Value;
import io.entroq.api.codec.ValueCodec;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What a worker makes of what a handler returns or throws. */
class WorkerOutcomeTest extends WorkerTestBase {
  private void claimInVain(int times) {
    for (int i = 0; i < times; i++) {
      assertThat(queue.tryClaim(Claim.from("inbox").withLease(Duration.ZERO))).isPresent();
    }
  }

  @Test
  void shouldDeleteATaskThatIsDone() {
    Task task = insert("hello");

    Worker worker = start(work -> Outcome.done());

    awaitGone(task);
    Eventually.await("the count", () -> worker.metrics().done() == 1);
    assertThat(worker.metrics().claimed()).isEqualTo(1);
  }

  @Test
  void shouldDoTheRestInTheSameStep() {
    Task task = insert("hello");

    start(work -> Outcome.done(Modification.insert("outbox", work.value())));

    awaitGone(task);
    assertThat(queue.tasks(TaskQuery.in("outbox"))).extracting(Task::text).containsExactly("hello");
  }

  @Test
  void shouldWriteDocsInTheSameStepAsTheEnd() {
    Task task = insert("hello");
    DocInsert letter = DocInsert.into("letters", "first").withValue("dear");

    start(work -> Outcome.done(Modification.builder().insertDoc(letter).build()));

    awaitGone(task);
    assertThat(letters()).extracting(Doc::text).containsExactly("dear");
  }

  @Test
  void shouldWriteDocsOfAModificationOfTheHandlers() {
    DocInsert letter = DocInsert.into("letters", "first").withValue("dear");
    queue.modify(Modification.builder().insertDoc(letter).build()).orThrow();
    Task task = insert("hello");

    start(
        work ->
            Outcome.modify(
                Modification.builder()
                    .delete(work.task())
                    .changeDoc(DocChange.of(letters().get(0)).withValue("dearest"))
                    .build()));

    awaitGone(task);
    assertThat(letters()).extracting(Doc::text).containsExactly("dearest");
  }

  @Test
  void shouldFailATaskWhoseDocsAreNotAsItTookThemToBe() {
    Doc.Ref missing = new Doc.Ref(new Doc.Id("letters", "1"), 1);
    Task task = insert("hello");

    start(work -> Outcome.done(Modification.builder().deleteDoc(missing).build()));

    Eventually.await("a failure", () -> read(task.id()).attempt() == 1);
    assertThat(read(task.id()).err()).contains("docs missing to delete");
  }

  private List<Doc> letters() {
    return queue.docs(DocQuery.in("letters"));
  }

  @Test
  void shouldDecodeValues() {
    insert("hello");
    Set<String> seen = ConcurrentHashMap.newKeySet();

    start(
        worker().values(ValueCodec.text()),
        work -> {
          seen.add(work.value());
          return Outcome.done();
        });

    awaitEmpty();
    assertThat(seen).containsExactly("hello");
  }

  @Test
  void shouldQuarantineWhatCannotBeDecodedAndNotHandleIt() {
    Task task = insert(Insert.into("inbox").withValue(Value.bytes(new byte[] {(byte) 0xff})));
    AtomicInteger handled = new AtomicInteger();

    start(
        worker().values(ValueCodec.text()),
        work -> {
          handled.incrementAndGet();
          return Outcome.done();
        });

    Task quarantined = awaitIn("inbox/err", task);
    assertThat(quarantined.err()).contains("decoded", "UTF-8");
    assertThat(quarantined.attempt()).isEqualTo(1);
    assertThat(quarantined.value()).isEqualTo(task.value());
    assertThat(quarantined.arrivalTime()).isEqualTo(queue.time());
    assertGoesOn();
    assertThat(handled).hasValue(1);
    assertThat(events.handlerFailures).hasExactlyElementsOfTypes(EntroQException.Codec.class);
  }

  @Test
  void shouldQuarantineATaskClaimedTooOftenWithoutAnEndBeforeHandlingIt() {
    Task task = insert(Insert.into("inbox").withAttempt(1, "once"));
    claimInVain(4);
    AtomicInteger handled = new AtomicInteger();

    start(
        worker().maxClaims(3),
        work -> {
          handled.incrementAndGet();
          return Outcome.done();
        });

    Task quarantined = awaitIn("inbox/err", task);
    assertThat(quarantined.err())
        .startsWith("once\n")
        .contains("claimed 5 times, neither done nor failed; maxClaims 3");
    assertThat(handled).hasValue(0);
  }

  @Test
  void shouldHandleATaskClaimedAsOftenAsAllowed() {
    Task task = insert("hello");
    claimInVain(2);

    start(worker().maxClaims(3), work -> Outcome.done());

    awaitGone(task);
  }

  @Test
  void shouldNotCountClaimsThatEndedInAFailure() {
    Task task = insert("hello");
    start(worker().maxClaims(2).maxAttempts(0), work -> Outcome.retry(Duration.ZERO, "not yet"));

    Eventually.await("many attempts", () -> read(task.id()).attempt() > 5);
    assertThat(read(task.id()).queue()).isEqualTo("inbox");
  }

  @Test
  void shouldNotCountClaimsThatEndedInAMove() {
    Task task = insert("hello");
    start(worker().maxClaims(2), work -> Outcome.moveTo("inbox"));

    Eventually.await("many moves", () -> read(task.id()).version() > 10);
    assertThat(read(task.id()).queue()).isEqualTo("inbox");
  }

  @Test
  void shouldCountClaimsThatEndedInARelease() {
    Task task = insert("hello");
    start(worker().maxClaims(2), work -> Outcome.release());

    assertThat(awaitIn("inbox/err", task).err()).contains("claimed 3 times");
  }

  @Test
  void shouldResetTheClaimsWithEachCommitThatKeepsATask() {
    Task retried = insert("retry");
    Task moved = insert("move");
    Task quarantined = insert("quarantine");
    Task modified = insert("modify");
    start(
        work ->
            switch (work.value().asText()) {
              case "retry" -> Outcome.retry(Duration.ofHours(1), "it rains");
              case "move" -> Outcome.moveTo("elsewhere");
              case "quarantine" -> Outcome.quarantine("it snows");
              default ->
                  Outcome.modify(
                      Modification.change(Change.of(work.task()).availableIn(Duration.ofHours(1))));
            });

    for (Task task : List.of(retried, moved, quarantined, modified)) {
      assertThat(awaitVersion(task, 2).claims()).as(task.text()).isZero();
    }
  }

  @Test
  void shouldPutOffAFailedTaskAndKeepAttemptAndReason() {
    Task task = insert("hello");
    Worker worker = start(work -> Outcome.retry("it rains"));

    Task first = awaitVersion(task, 2);
    assertThat(first.attempt()).isEqualTo(1);
    assertThat(first.err()).isEqualTo("it rains");
    assertThat(first.arrivalTime()).isEqualTo(queue.time().plusSeconds(30));
    assertThat(first.queue()).isEqualTo("inbox");

    advance(Duration.ofSeconds(30));
    Task second = awaitVersion(task, 4);
    assertThat(second.attempt()).isEqualTo(2);
    assertThat(second.err()).isEqualTo("it rains\nit rains");
    Eventually.await("the count", () -> worker.metrics().retried() == 2);
  }

  @Test
  void shouldPutOffByTheDelayThatTheHandlerNames() {
    Task task = insert("hello");
    start(work -> Outcome.retry(Duration.ofMinutes(7), "later"));

    assertThat(awaitVersion(task, 2).arrivalTime())
        .isEqualTo(queue.time().plus(Duration.ofMinutes(7)));
  }

  @Test
  void shouldQuarantineAfterTheLastAttempt() {
    Task task = insert("hello");
    Worker worker =
        start(
            worker().maxAttempts(3),
            work -> Outcome.retry(Duration.ZERO, "no " + work.task().attempt()));

    Task quarantined = awaitIn("inbox/err", task);
    assertThat(quarantined.attempt()).isEqualTo(3);
    assertThat(quarantined.err()).isEqualTo("no 0\nno 1\nno 2");
    assertThat(quarantined.arrivalTime()).isEqualTo(queue.time());
    Eventually.await("the count", () -> worker.metrics().quarantined() == 1);
    Eventually.await("the count", () -> worker.metrics().retried() == 2);
  }

  @Test
  void shouldQuarantineAfterTwentyFailuresUnlessToldOtherwise() {
    Task unlimited = insert("again");
    start(worker().maxAttempts(0), work -> Outcome.retry(Duration.ZERO, "no"));
    Eventually.await("more failures", () -> attempts(unlimited) > 20);

    Task limited =
        queue.modify(Modification.insert("second", "once more")).orThrow().inserted().get(0);
    start(worker().from("second"), work -> Outcome.retry(Duration.ZERO, "no"));
    assertThat(awaitIn("second/err", limited).attempt()).isEqualTo(20);
  }

  private int attempts(Task task) {
    return queue.tasks(TaskQuery.withIds(task.id())).get(0).attempt();
  }

  @Test
  void shouldFailATaskWhoseHandlerRunsTooLong() {
    Task task = insert("hello");
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch never = new CountDownLatch(1);
    start(
        worker().maxRuntime(Duration.ofMinutes(5)),
        work -> {
          running.countDown();
          never.await();
          return Outcome.done();
        });
    Eventually.await("the handler", () -> running.getCount() == 0);

    for (int i = 0; i < 15; i++) {
      int before = modifications.size();
      advance(DUE);
      Eventually.await("the renewal or the end", () -> modifications.size() > before);
    }

    Task failed = awaitAttempt(task);
    assertThat(failed.err()).isEqualTo("TimeoutException: ran longer than maxRuntime PT5M");
    assertThat(failed.attempt()).isEqualTo(1);
    assertThat(events.handlerFailures).hasSize(1);
  }

  private Task awaitAttempt(Task task) {
    Eventually.await("the failure", () -> attempts(task) > 0);
    return queue.tasks(TaskQuery.withIds(task.id())).get(0);
  }

  @Test
  void shouldNameTheErrorQueueAsTold() {
    Task task = insert("hello");
    start(worker().errorQueue(name -> "/dead/" + name), work -> Outcome.quarantine("poison"));

    assertThat(awaitIn("/dead/inbox", task).err()).isEqualTo("poison");
  }

  @Test
  void shouldRetryWhateverAHandlerThrowsAndGoOn() {
    for (Throwable failure :
        new Throwable[] {
          new IllegalStateException("broken"),
          new AssertionError("wrong"),
          new StackOverflowError(),
          new InterruptedException("by itself"),
          new Exception()
        }) {
      Task task = insert(failure.getClass().getSimpleName());
      try (Worker worker = failing(failure)) {
        Task failed = awaitVersion(task, 2);
        assertThat(failed.attempt()).isEqualTo(1);
        assertThat(failed.err()).startsWith(failure.getClass().getSimpleName());
        assertGoesOn();
        assertThat(worker.metrics().handlerFailures()).isEqualTo(1);
      }
    }
    assertThat(events.handlerFailures).hasSize(5);
  }

  private Worker failing(Throwable failure) {
    return start(
        work -> {
          if (work.task().text().equals("go on")) {
            return Outcome.done();
          }
          if (failure instanceof Error error) {
            throw error;
          }
          throw (Exception) failure;
        });
  }

  @Test
  void shouldDoWhatIsSaidFromDeepInside() {
    Task task = insert("hello");
    start(
        work -> {
          throw new OutcomeException(Outcome.moveTo("elsewhere"));
        });

    assertThat(awaitIn("elsewhere", task).attempt()).isZero();
    assertThat(events.handlerFailures).isEmpty();
  }

  @Test
  void shouldFailATaskWhoseHandlerReturnsNothing() {
    Task task = insert("hello");
    start(work -> null);

    assertThat(awaitVersion(task, 2).err()).contains("null");
  }

  @Test
  void shouldFailATaskThatItsModificationLeavesUntouched() {
    Task task = insert("hello");
    start(
        work ->
            Outcome.modify(
                Modification.insert("outbox", "x").and(Modification.depend(work.task()))));

    assertThat(awaitVersion(task, 2).err()).contains("neither changes, fails nor deletes");
    assertThat(queue.tasks(TaskQuery.in("outbox"))).isEmpty();
  }

  @Test
  void shouldMoveATaskWithoutFailingIt() {
    Task task = insert("hello");
    Worker worker = start(work -> Outcome.moveTo("next"));

    Task moved = awaitIn("next", task);
    assertThat(moved.attempt()).isZero();
    assertThat(moved.err()).isEmpty();
    assertThat(moved.arrivalTime()).isEqualTo(queue.time());
    Eventually.await("the count", () -> worker.metrics().moved() == 1);
  }

  @Test
  void shouldMoveATaskThatFailed() {
    Task task = insert("hello");
    start(work -> Outcome.moveTo("slow", "too large"));

    Task moved = awaitIn("slow", task);
    assertThat(moved.attempt()).isEqualTo(1);
    assertThat(moved.err()).isEqualTo("too large");
  }

  @Test
  void shouldReleaseATask() {
    Task task = insert("hello");
    AtomicInteger times = new AtomicInteger();
    start(work -> times.incrementAndGet() == 1 ? Outcome.release() : Outcome.done());

    awaitGone(task);
    assertThat(times).hasValue(2);
  }

  @Test
  void shouldCommitAModificationOfTheHandlers() {
    Task task = insert("hello");
    Task other = insert(Insert.into("settings").withId("settings"));
    start(
        work ->
            work.task().text().equals("half done")
                ? Outcome.moveTo("seen again")
                : Outcome.modify(
                    Modification.builder()
                        .change(Change.of(work.task()).withValue("half done"))
                        .insert("outbox", "half")
                        .depend(other)
                        .build()));

    Task changed = awaitIn("seen again", task);
    assertThat(changed.text()).isEqualTo("half done");
    assertThat(changed.attempt()).isZero();
    assertThat(changed.claims()).isZero();
    assertThat(queue.tasks(TaskQuery.in("outbox"))).hasSize(1);
  }

  @Test
  void shouldKeepAnArrivalThatTheHandlerNames() {
    Task task = insert("hello");
    start(
        work ->
            Outcome.modify(
                Modification.change(Change.of(work.task()).availableIn(Duration.ofHours(2)))));

    assertThat(awaitVersion(task, 2).arrivalTime())
        .isEqualTo(queue.time().plus(Duration.ofHours(2)));
  }

  @Test
  void shouldFailATaskWhoseCommitDoesNotFitForOtherReasons() {
    Task task = insert("hello");
    TaskRef missing = new TaskRef(TaskId.of("missing"), 0, "inbox");
    Worker worker = start(work -> Outcome.done(Modification.depend(missing)));

    Task failed = awaitVersion(task, 2);
    assertThat(failed.err()).contains("missing to depend on", "missing@0");
    assertThat(failed.attempt()).isEqualTo(1);
    assertThat(worker.metrics().lost()).isZero();
    assertThat(worker.isRunning()).isTrue();
  }

  @Test
  void shouldFailATaskWhoseCommitIsInvalid() {
    Task task = insert("hello");
    start(
        work -> {
          if (work.task().text().equals("go on")) {
            return Outcome.done();
          }
          return Outcome.done(Modification.delete(work.task()));
        });

    assertThat(awaitVersion(task, 2).err()).contains("twice");
    assertGoesOn();
  }

  @Test
  void shouldWorkOnAsManyTasksAtOnceAsToldOnTheThreadsGiven() {
    CyclicBarrier together = new CyclicBarrier(4);
    Set<String> threads = ConcurrentHashMap.newKeySet();
    AtomicInteger number = new AtomicInteger();
    for (int i = 0; i < 4; i++) {
      insert("task " + i);
    }

    start(
        worker()
            .concurrency(4)
            .threads(loop -> new Thread(loop, "mine-" + number.incrementAndGet())),
        work -> {
          together.await(10, TimeUnit.SECONDS);
          threads.add(Thread.currentThread().getName());
          return Outcome.done();
        });

    awaitEmpty();
    assertThat(threads).containsExactlyInAnyOrder("mine-1", "mine-2", "mine-3", "mine-4");
  }

  @Test
  void shouldClaimTheNextTaskWithTheCommit() {
    insert("1");
    insert("2");
    insert("3");
    AtomicInteger claims = new AtomicInteger();
    queue.setClaimFault(
        claim -> {
          claims.incrementAndGet();
          return Optional.empty();
        });

    Worker worker = start(worker().claimWithCommit(true), work -> Outcome.done());

    Eventually.await("three tasks", () -> worker.metrics().done() == 3);
    Eventually.await("the next claim", () -> queue.waiting() == 1);
    assertThat(claims).hasValue(2);
  }

  @Test
  void shouldNotMindAListenerThatThrows() {
    Task task = insert("hello");
    WorkerListener broken =
        new WorkerListener() {
          @Override
          public void onClaimed(Task claimed) {
            throw new IllegalStateException("listener");
          }

          @Override
          public void onCommitted(Task committed, Outcome outcome) {
            throw new EntroQException.Closed("listener");
          }
        };

    Worker worker = start(worker().listener(broken), work -> Outcome.done());

    awaitGone(task);
    assertGoesOn();
    assertThat(worker.isRunning()).isTrue();
  }
}

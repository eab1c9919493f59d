package io.entroq.api.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.api.Claim;
import io.entroq.api.EntroQ;
import io.entroq.api.EntroQException;
import io.entroq.api.Modification;
import io.entroq.api.ModifyResult;
import io.entroq.api.Task;
import io.entroq.api.Value;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** How a worker begins, survives a queue that fails, and ends. */
class WorkerLifecycleTest extends WorkerTestBase {
  @Test
  void shouldTryClaimsAgainThatFail() {
    AtomicInteger claims = new AtomicInteger();
    queue.setClaimFault(
        claim ->
            switch (claims.incrementAndGet()) {
              case 1 -> failed(new EntroQException.Unavailable("no leader"));
              case 2 -> failed(new EntroQException.ResourceExhausted("too many requests"));
              case 3 -> failed(new EntroQException.OutcomeUnknown("reply lost"));
              case 4 -> failed(new IllegalStateException("a bug"));
              case 5 -> throw new IllegalArgumentException("another");
              default -> Optional.empty();
            });
    Task task = insert("hello");

    Worker worker = start(work -> Outcome.done());
    passUntil("the end", () -> find(task.id()).isEmpty());

    assertThat(worker.isRunning()).isTrue();
    assertThat(worker.metrics().queueFailures()).isEqualTo(5);
    assertThat(events.queueFailures).hasSize(5);
  }

  @Test
  void shouldWaitForTasksAsLongAsItTakesOnAQueueWithATime() {
    AtomicInteger claims = new AtomicInteger();
    queue.setClaimFault(
        claim -> {
          claims.incrementAndGet();
          return Optional.empty();
        });
    EntroQ impatient = queue.withTimeout(Duration.ofMillis(5));
    Worker worker =
        start(
            Worker.on(impatient).from("inbox").requestBackoff(Backoff.constant(LEASE)),
            work -> Outcome.done());
    Eventually.await("claims that find nothing", () -> claims.get() > 3);
    awaitGone(insert("hello"));
    assertThat(worker.metrics().queueFailures()).isZero();
  }

  @Test
  void shouldTryCommitsAgainThatFail() {
    setFault(
        (number, modification) ->
            switch (number) {
              case 1 -> failed(new EntroQException.Unavailable("no leader"));
              case 2 -> failed(new EntroQException.ResourceExhausted("disk is full"));
              case 3 -> failed(new EntroQException.OutcomeUnknown("reply lost"));
              case 4 ->
                  Optional.of(
                      CompletableFuture.completedFuture(
                          new ModifyResult.OutcomeUnknown("reply lost")));
              default -> Optional.empty();
            });
    Task task = insert("hello");

    Worker worker = start(work -> Outcome.done());
    passUntil("the end", () -> find(task.id()).isEmpty());

    Eventually.await("the count", () -> worker.metrics().done() == 1);
    assertThat(worker.metrics().queueFailures()).isEqualTo(4);
    assertThat(worker.metrics().unknown()).isZero();
  }

  @Test
  void shouldSayThatAnOutcomeIsUnknown() {
    setFault(
        (number, modification) -> {
          if (number > 1) {
            return Optional.empty();
          }
          queue.modifyInEarnest(modification);
          return Optional.of(
              CompletableFuture.completedFuture(new ModifyResult.OutcomeUnknown("reply lost")));
        });
    Task task = insert("hello");

    Worker worker = start(work -> Outcome.done());
    passUntil("the end", () -> !events.unknown.isEmpty());

    assertThat(events.unknown).extracting(Task::id).containsExactly(task.id());
    assertThat(worker.metrics().unknown()).isEqualTo(1);
    assertThat(worker.metrics().lost()).isZero();
    assertGoesOn();
  }

  @Test
  void shouldGoOnWhateverItsListenerThrows() {
    AtomicInteger claims = new AtomicInteger();
    queue.setClaimFault(
        claim ->
            claims.incrementAndGet() == 1
                ? failed(new EntroQException.Unavailable("no leader"))
                : Optional.empty());
    Task first = insert("1");
    Task second = insert("2");
    Task bad = insert("bad");
    WorkerListener broken = new BrokenListener();

    Worker worker =
        start(
            worker().claimWithCommit(true).maxAttempts(1).listener(broken),
            work -> {
              if (work.task().id().equals(bad.id())) {
                throw new IllegalStateException("a handler");
              }
              return Outcome.done();
            });

    passUntil("the end of the first", () -> find(first.id()).isEmpty());
    awaitGone(second);
    awaitIn("inbox/err", bad);
    assertThat(worker.isRunning()).isTrue();
    assertThat(worker.metrics().claimed()).isEqualTo(3);
  }

  /** Throws at every opportunity. */
  private static final class BrokenListener implements WorkerListener {
    @Override
    public void onClaimed(Task task) {
      throw new AssertionError("claimed");
    }

    @Override
    public void onCommitted(Task task, Outcome outcome) {
      throw new AssertionError("committed");
    }

    @Override
    public void onHandlerFailed(Task task, Throwable failure) {
      throw new AssertionError("handler failed");
    }

    @Override
    public void onQueueFailed(Throwable failure, Duration pause) {
      throw new AssertionError("queue failed");
    }
  }

  @Test
  void shouldKeepWhatAClaimBringsToAThreadThatWasInterrupted() {
    CompletableFuture<List<Task>> answered =
        new CompletableFuture<>() {
          @Override
          public boolean cancel(boolean mayInterruptIfRunning) {
            return !complete(queue.tryClaimMany(Claim.from("inbox").withLease(LEASE)));
          }
        };
    AtomicInteger claims = new AtomicInteger();
    queue.setClaimFault(
        claim -> claims.incrementAndGet() == 1 ? Optional.of(answered) : Optional.empty());
    AtomicReference<Thread> thread = new AtomicReference<>();
    List<Boolean> interrupted = new CopyOnWriteArrayList<>();
    start(
        worker()
            .threads(
                loop -> {
                  thread.set(new Thread(loop));
                  return thread.get();
                }),
        work -> {
          interrupted.add(Thread.interrupted());
          return Outcome.done();
        });
    Eventually.await("the claim to wait", () -> answered.getNumberOfDependents() == 1);
    Task task = insert("work");

    thread.get().interrupt();
    answered.cancel(false);

    awaitGone(task);
    assertThat(interrupted).containsExactly(false);
  }

  private static <T> Optional<CompletableFuture<T>> failed(RuntimeException failure) {
    return Optional.of(CompletableFuture.failedFuture(failure));
  }

  @Test
  void shouldLetHandlersEndWhenItCloses() throws Exception {
    Task task = insert("work");
    Gate gate = new Gate(1, Outcome.done());
    Worker worker = start(worker().concurrency(2), gate);
    gate.begun.await();
    Eventually.await("the second to wait", () -> queue.waiting() == 1);

    Thread closing = new Thread(worker::close);
    closing.start();
    Eventually.await("the end of the claim", () -> queue.waiting() == 0 && !worker.isRunning());
    Task late = insert("too late");
    gate.go.countDown();
    closing.join();

    assertThat(find(task.id())).isEmpty();
    assertThat(read(late.id()).claims()).isZero();
    assertThat(gate.interrupted).isEmpty();
    assertThat(worker.metrics().running()).isZero();
    worker.join();
  }

  @Test
  void shouldInterruptHandlersThatGoOnAndGiveTheirTasksBack() throws Exception {
    Task task = insert("work");
    Gate gate = new Gate(1, Outcome.done());
    Worker worker = start(gate);
    gate.begun.await();

    assertThat(worker.close(Duration.ofMillis(1))).isFalse();

    assertThat(gate.interrupted).extracting(Task::id).containsExactly(task.id());
    Task released = read(task.id());
    assertThat(released.arrivalTime()).isEqualTo(queue.time());
    assertThat(released.attempt()).isZero();
    assertThat(released.err()).isEmpty();
    assertThat(worker.metrics().released()).isEqualTo(1);
    assertThat(events.handlerFailures).isEmpty();
  }

  @Test
  void shouldInterruptAllHandlersWhateverTheirCancelActionsThrow() throws Exception {
    insert("1");
    insert("2");
    Gate gate = new Gate(2, Outcome.done());
    Worker worker =
        start(
            worker().concurrency(2),
            work -> {
              work.onCancel(
                  () -> {
                    throw new AssertionError("a cancel action");
                  });
              return gate.handle(work);
            });
    gate.begun.await();

    assertThat(worker.close(Duration.ofMillis(1))).isFalse();

    assertThat(gate.interrupted).hasSize(2);
    assertThat(worker.metrics().released()).isEqualTo(2);
  }

  @Test
  void shouldRunHandlersToTheEndOfAnInterruptedClose() throws Exception {
    insert("work");
    Gate gate = new Gate(1, Outcome.done());
    Worker worker = start(gate);
    gate.begun.await();

    Thread.currentThread().interrupt();
    worker.close();

    assertThat(Thread.interrupted()).isTrue();
    assertThat(gate.interrupted).hasSize(1);
  }

  @Test
  void shouldEndWhenTheQueueIsClosed() throws Exception {
    Worker worker = start(worker().concurrency(3), work -> Outcome.done());
    Eventually.await("all to wait", () -> queue.waiting() == 3);

    queue.close();

    worker.join();
    assertThat(worker.isRunning()).isFalse();
    worker.close();
  }

  @Test
  void shouldEndWhenTheQueueIsClosedUnderAHandler() throws Exception {
    insert("work");
    Gate gate = new Gate(1, Outcome.done());
    Worker worker = start(gate);
    gate.begun.await();

    queue.close();
    gate.go.countDown();

    worker.join();
    assertThat(worker.isRunning()).isFalse();
  }

  @Test
  void shouldCloseFromItsOwnHandler() throws Exception {
    Task task = insert("stop");
    AtomicReference<Worker> itself = new AtomicReference<>();
    CountDownLatch known = new CountDownLatch(1);
    Worker worker =
        start(
            worker().concurrency(2),
            work -> {
              known.await();
              itself.get().close();
              return Outcome.done();
            });
    itself.set(worker);
    known.countDown();

    worker.join();
    assertThat(find(task.id())).isEmpty();
  }

  @Test
  void shouldGiveBackATaskThatCameWithTheLastCommit() throws Exception {
    Task first = insert("1");
    Gate gate = new Gate(1, Outcome.done());
    CountDownLatch committing = new CountDownLatch(1);
    CompletableFuture<ModifyResult> reply = new CompletableFuture<>();
    setFault(
        (number, modification) -> {
          if (number == 1) {
            committing.countDown();
            return Optional.of(reply);
          }
          return Optional.empty();
        });
    Worker worker = start(worker().claimWithCommit(true), gate);
    gate.begun.await();
    Task second = insert("2");
    gate.go.countDown();
    committing.await();

    Thread closing = new Thread(worker::close);
    closing.start();
    Eventually.await("the close", () -> !worker.isRunning());
    reply.complete(queue.modifyInEarnest(modifications.get(0)));
    closing.join();

    assertThat(find(first.id())).isEmpty();
    assertThat(read(second.id()).arrivalTime()).isEqualTo(queue.time());
    assertThat(queue.tryClaim(Claim.from("inbox"))).isPresent();
    assertThat(worker.metrics().released()).isEqualTo(1);
  }

  @Test
  void shouldLeaveNothingBehindWhenAThreadCannotBeStarted() {
    AtomicInteger threads = new AtomicInteger();
    WorkerBuilder<Value> builder =
        worker()
            .concurrency(3)
            .threads(
                loop -> {
                  if (threads.incrementAndGet() == 3) {
                    throw new IllegalStateException("no more threads");
                  }
                  return new Thread(loop);
                });

    assertThatThrownBy(() -> builder.start(work -> Outcome.done())).hasMessage("no more threads");

    Eventually.await("the end of the claims", () -> queue.waiting() == 0);
    Task task = insert("hello");
    assertThat(read(task.id()).claims()).isZero();
  }

  @Test
  void shouldRefuseAWorkerThatCannotWork() {
    assertThatThrownBy(() -> Worker.on(queue).start(work -> Outcome.done()))
        .isInstanceOf(EntroQException.InvalidArgument.class)
        .hasMessageContaining("queues");
    assertThatThrownBy(() -> worker().from("").start(work -> Outcome.done()))
        .isInstanceOf(EntroQException.InvalidArgument.class)
        .hasMessageContaining("queue");
    assertThatThrownBy(() -> worker().lease(Duration.ZERO)).hasMessageContaining("lease");
    assertThatThrownBy(() -> worker().concurrency(0)).hasMessageContaining("concurrency");
    assertThatThrownBy(() -> worker().maxAttempts(-1)).hasMessageContaining("maxAttempts");
    assertThatThrownBy(() -> worker().maxClaims(-1)).hasMessageContaining("maxClaims");
    assertThatThrownBy(() -> worker().drainTimeout(Duration.ofMillis(-1)))
        .hasMessageContaining("drainTimeout");
    assertThatThrownBy(() -> Outcome.done(Modification.empty().thenClaim(Claim.from("inbox"))))
        .hasMessageContaining("thenClaim");
    assertThatThrownBy(() -> Outcome.retry(Duration.ofMillis(-1), "x"))
        .hasMessageContaining("delay");
  }
}

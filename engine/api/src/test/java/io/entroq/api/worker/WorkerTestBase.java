package io.entroq.api.worker;

import io.entroq.api.Arrival;
import io.entroq.api.Change;
import io.entroq.api.Claim;
import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.ModifyResult;
import io.entroq.api.QueueQuery;
import io.entroq.api.Task;
import io.entroq.api.TaskId;
import io.entroq.api.TaskQuery;
import io.entroq.api.Value;
import io.entroq.api.fake.FakeEntroQ;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;

/** A queue in memory and workers on it, with time that stands until it is moved. */
abstract class WorkerTestBase {
  static final Duration LEASE = Duration.ofSeconds(30);

  /** When a lease is renewed. */
  static final Duration DUE = Duration.ofSeconds(20);

  final FakeEntroQ queue = new FakeEntroQ();
  final List<Modification> modifications = new CopyOnWriteArrayList<>();
  final Events events = new Events();
  private final AtomicLong nanos = new AtomicLong();
  final Ticker ticker = nanos::get;
  private final List<Worker> workers = new ArrayList<>();
  private volatile BiFunction<Integer, Modification, Optional<CompletableFuture<ModifyResult>>>
      fault = (number, modification) -> Optional.empty();

  WorkerTestBase() {
    queue.setModifyFault(
        modification -> {
          modifications.add(modification);
          return fault.apply(modifications.size(), modification);
        });
  }

  @AfterEach
  void closeWorkers() {
    workers.forEach(worker -> worker.close(Duration.ZERO));
    queue.close();
  }

  WorkerBuilder<Value> worker() {
    return Worker.on(queue)
        .from("inbox")
        .lease(LEASE)
        .ticker(ticker)
        .requestBackoff(Backoff.constant(Duration.ofMillis(1)))
        .retryBackoff(Backoff.constant(Duration.ofSeconds(30)))
        .claimWithCommit(false)
        .listener(events);
  }

  <T> Worker start(WorkerBuilder<T> builder, Handler<T> handler) {
    Worker worker = builder.start(handler);
    workers.add(worker);
    return worker;
  }

  Worker start(Handler<Value> handler) {
    return start(worker(), handler);
  }

  /** Moves the queue's clock, and then the time of the workers. */
  void advance(Duration duration) {
    queue.advance(duration);
    pass(duration);
  }

  /** Moves the time of the workers alone. */
  void pass(Duration duration) {
    nanos.addAndGet(duration.toNanos());
  }

  /** Lets the time of the workers pass, a little at a time, until something has happened. */
  void passUntil(String what, BooleanSupplier condition) {
    Eventually.await(
        what,
        () -> {
          pass(Duration.ofMillis(3));
          return condition.getAsBoolean();
        });
  }

  /** Answers requests to modify in place of the queue, given their number from 1. */
  void setFault(
      BiFunction<Integer, Modification, Optional<CompletableFuture<ModifyResult>>> newFault) {
    modifications.clear();
    fault = newFault;
  }

  /** The same for those that are renewals only. */
  void setRenewalFault(Function<Modification, Optional<CompletableFuture<ModifyResult>>> newFault) {
    setFault(
        (number, modification) ->
            isRenewal(modification) ? newFault.apply(modification) : Optional.empty());
  }

  static boolean isRenewal(Modification modification) {
    return !modification.changes().isEmpty()
        && modification.changes().stream()
            .allMatch(
                change ->
                    change.mode() == Change.Mode.LEASE
                        && change.arrival().equals(Arrival.in(LEASE)));
  }

  List<Modification> renewals() {
    return modifications.stream().filter(WorkerTestBase::isRenewal).toList();
  }

  Task insert(String text) {
    return insert(Insert.into("inbox").withValue(text));
  }

  Task insert(Insert insert) {
    return queue.modifyInEarnest(Modification.insert(insert)).orThrow().inserted().get(0);
  }

  Optional<Task> find(TaskId id) {
    return queue.tasks(TaskQuery.withIds(id)).stream().findFirst();
  }

  Task read(TaskId id) {
    return find(id).orElseThrow();
  }

  void awaitGone(Task task) {
    Eventually.await("the end of " + task.text(), () -> find(task.id()).isEmpty());
  }

  Task awaitIn(String name, Task task) {
    Eventually.await(
        task.text() + " in " + name,
        () -> find(task.id()).filter(now -> now.queue().equals(name)).isPresent());
    return read(task.id());
  }

  Task awaitVersion(Task task, int version) {
    Eventually.await(
        "version " + version + " of " + task.text(),
        () -> find(task.id()).filter(now -> now.version() == version).isPresent());
    return read(task.id());
  }

  void awaitEmpty() {
    Eventually.await("no tasks", () -> queue.queues(QueueQuery.all()).isEmpty());
  }

  /** Shows that a worker still works. */
  void assertGoesOn() {
    Task task = insert(Insert.into("inbox").withValue("go on"));
    awaitGone(task);
  }

  /** Takes a task away from whoever holds it, as if its lease had ended. */
  Task steal(Task task) {
    Task now = read(task.id());
    queue
        .modifyInEarnest(
            Modification.change(Change.of(now).availableNow()).withClaimant(now.claimant()))
        .orThrow();
    Claim claim = Claim.from(now.queue()).withClaimant("a thief").withLimit(Claim.LIMIT_MAX);
    return queue.tryClaimMany(claim).stream()
        .filter(stolen -> stolen.id().equals(task.id()))
        .findFirst()
        .orElseThrow();
  }

  /** A handler that tells when it begins and goes on until it is let go. */
  static final class Gate implements Handler<Value> {
    final CountDownLatch begun;
    final CountDownLatch go = new CountDownLatch(1);
    final List<Task> interrupted = new CopyOnWriteArrayList<>();
    private final Outcome outcome;

    Gate(int tasks, Outcome outcome) {
      this.begun = new CountDownLatch(tasks);
      this.outcome = outcome;
    }

    @Override
    public Outcome handle(WorkContext<Value> work) throws InterruptedException {
      if (work.task().text().equals("go on")) {
        return Outcome.done();
      }
      begun.countDown();
      try {
        go.await();
      } catch (InterruptedException e) {
        interrupted.add(work.task());
        throw e;
      }
      return outcome;
    }
  }

  /** Remembers what it was told. */
  static final class Events implements WorkerListener {
    final List<String> lost = new CopyOnWriteArrayList<>();
    final List<Throwable> handlerFailures = new CopyOnWriteArrayList<>();
    final List<Throwable> queueFailures = new CopyOnWriteArrayList<>();
    final List<Outcome> committed = new CopyOnWriteArrayList<>();
    final List<Task> unknown = new CopyOnWriteArrayList<>();
    final List<Task> claimed = new CopyOnWriteArrayList<>();

    @Override
    public void onClaimed(Task task) {
      claimed.add(task);
    }

    @Override
    public void onCommitted(Task task, Outcome outcome) {
      committed.add(outcome);
    }

    @Override
    public void onHandlerFailed(Task task, Throwable failure) {
      handlerFailures.add(failure);
    }

    @Override
    public void onLeaseLost(Task task, String reason) {
      lost.add(reason);
    }

    @Override
    public void onOutcomeUnknown(Task task, Outcome outcome) {
      unknown.add(task);
    }

    @Override
    public void onQueueFailed(Throwable failure, Duration pause) {
      queueFailures.add(failure);
    }
  }
}

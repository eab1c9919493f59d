package io.entroq.system.load;

import io.entroq.api.Claim;
import io.entroq.api.EntroQ;
import io.entroq.api.EntroQException;
import io.entroq.api.ModifyResult;
import io.entroq.api.Task;
import io.entroq.api.TaskId;
import io.entroq.api.TaskQuery;
import io.entroq.api.TaskRef;
import io.entroq.system.history.Invocation;
import io.entroq.system.history.ObservedTask;
import io.entroq.system.history.OperationKind;
import io.entroq.system.history.Outcome;
import io.entroq.system.history.Response;
import io.entroq.system.history.TaskVersion;
import io.entroq.system.history.TaskWrite;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/** Runs one operation at a time and records it. One thread. */
public final class Caller {
  /** For a response that arrives after the limit. */
  private static final Duration GRACE = Duration.ofSeconds(5);

  private final String name;
  private final QueueCalls queue;
  private final HistoryRecorder recorder;
  private final Duration limit;
  private int operations;

  /** Calls with this product's client, which stays open. */
  public Caller(String name, EntroQ queue, HistoryRecorder recorder, Duration limit) {
    this(name, QueueCalls.of(queue), recorder, limit);
  }

  /**
   * @param name unique, without blanks, commas and colons
   * @param limit how long an operation may take, in addition to a claim's wait
   */
  public Caller(String name, QueueCalls queue, HistoryRecorder recorder, Duration limit) {
    this.name = name;
    this.queue = queue;
    this.recorder = recorder;
    this.limit = limit;
  }

  String name() {
    return name;
  }

  /** Claims tasks; empty if there are none, or the outcome is unknown. */
  public List<Task> claim(Claim claim) throws InterruptedException {
    Invocation invocation =
        begin(
            OperationKind.CLAIM,
            List.of(),
            List.of(),
            Optional.of(claim),
            claim.maxWait(),
            List.of());
    CallResult<List<Task>> result = await(invocation, queue.claim(claim));
    List<Task> tasks = result.answer.orElse(List.of());
    end(invocation, result.outcome, List.of(), tasks, List.of());
    return tasks;
  }

  /** Modifies; empty if it did not happen, or the outcome is unknown. */
  Optional<ModifyResult.Committed> modify(PlannedModify plan) throws InterruptedException {
    Invocation invocation =
        begin(
            OperationKind.MODIFY,
            plan.writes(),
            plan.deletes(),
            plan.next(),
            Duration.ZERO,
            List.of());
    CallResult<ModifyResult> call =
        await(invocation, queue.modify(plan.modification(invocation.op())));
    ModifyResult result = call.answer.orElse(new ModifyResult.OutcomeUnknown(""));
    if (result instanceof ModifyResult.Committed done) {
      List<Task> written =
          Stream.concat(done.inserted().stream(), done.changed().stream()).toList();
      end(invocation, Outcome.DONE, written, done.claimed(), List.of());
      return Optional.of(done);
    }
    if (result instanceof ModifyResult.DependencyFailure refused) {
      end(invocation, Outcome.REFUSED, List.of(), List.of(), missing(refused));
    } else {
      Outcome outcome = call.outcome == Outcome.DONE ? Outcome.UNKNOWN : call.outcome;
      end(invocation, outcome, List.of(), List.of(), List.of());
    }
    return Optional.empty();
  }

  private static List<TaskVersion> missing(ModifyResult.DependencyFailure refused) {
    return Stream.concat(refused.changes().stream(), refused.deletes().stream())
        .map(Caller::version)
        .toList();
  }

  private static TaskVersion version(TaskRef task) {
    return new TaskVersion(task.id().text(), task.version());
  }

  void read(List<String> ids) throws InterruptedException {
    Invocation invocation =
        begin(OperationKind.READ, List.of(), List.of(), Optional.empty(), Duration.ZERO, ids);
    TaskQuery query = TaskQuery.withIds(ids.stream().map(TaskId::of).toList());
    CallResult<List<Task>> result = await(invocation, queue.tasks(query));
    end(invocation, result.outcome, List.of(), result.answer.orElse(List.of()), List.of());
  }

  /**
   * Lists all tasks, while no caller writes.
   *
   * @return empty if a call failed
   */
  public Optional<List<Task>> audit(List<String> queues) throws InterruptedException {
    Invocation invocation =
        begin(OperationKind.AUDIT, List.of(), List.of(), Optional.empty(), limit, List.of());
    List<Task> tasks = new ArrayList<>();
    for (String each : queues) {
      CallResult<List<Task>> result = await(invocation, queue.tasks(TaskQuery.in(each)));
      if (result.answer.isEmpty()) {
        end(invocation, result.outcome, List.of(), List.of(), List.of());
        return Optional.empty();
      }
      tasks.addAll(result.answer.get());
    }
    end(invocation, Outcome.DONE, List.of(), tasks, List.of());
    return Optional.of(tasks);
  }

  private Invocation begin(
      OperationKind kind,
      List<TaskWrite> writes,
      List<TaskVersion> deletes,
      Optional<Claim> claim,
      Duration wait,
      List<String> ids) {
    operations++;
    Invocation invocation =
        new Invocation(
            name + "-" + operations,
            name,
            kind,
            System.nanoTime(),
            writes,
            deletes,
            claim.map(Claim::queues).orElse(List.of()),
            claim.map(Claim::leaseMs).orElse(0L),
            limit.plus(wait).toMillis(),
            ids);
    recorder.invoked(invocation);
    return invocation;
  }

  private void end(
      Invocation invocation,
      Outcome outcome,
      List<Task> written,
      List<Task> tasks,
      List<TaskVersion> missing) {
    recorder.responded(
        new Response(
            invocation.op(),
            System.nanoTime(),
            outcome,
            observed(written),
            observed(tasks),
            missing));
  }

  private static List<ObservedTask> observed(List<Task> tasks) {
    return tasks.stream()
        .map(
            task ->
                new ObservedTask(
                    task.id().text(),
                    task.version(),
                    task.queue(),
                    Values.writer(task.text()),
                    task.claims()))
        .toList();
  }

  private record CallResult<T>(Outcome outcome, Optional<T> answer) {}

  private static <T> CallResult<T> await(Invocation invocation, CompletableFuture<T> future)
      throws InterruptedException {
    try {
      long mostMs = invocation.limitMs() + GRACE.toMillis();
      return new CallResult<>(Outcome.DONE, Optional.of(future.get(mostMs, TimeUnit.MILLISECONDS)));
    } catch (TimeoutException e) {
      return new CallResult<>(Outcome.UNKNOWN, Optional.empty());
    } catch (ExecutionException e) {
      return new CallResult<>(outcome(e.getCause()), Optional.empty());
    }
  }

  private static Outcome outcome(Throwable cause) {
    boolean isUndone =
        cause instanceof EntroQException.Unavailable
            || cause instanceof EntroQException.ResourceExhausted
            || cause instanceof EntroQException.InvalidArgument
            || cause instanceof EntroQException.PermissionDenied;
    return isUndone ? Outcome.NOT_DONE : Outcome.UNKNOWN;
  }
}

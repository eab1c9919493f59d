package io.entroq.system.load;

import io.entroq.api.Claim;
import io.entroq.api.EntroQ;
import io.entroq.api.EntroQException;
import io.entroq.api.ModifyResult;
import io.entroq.api.Task;
import io.entroq.api.TaskId;
import io.entroq.api.TaskQuery;
import io.entroq.api.TaskRef;
import io.entroq.system.history.Asked;
import io.entroq.system.history.Kind;
import io.entroq.system.history.Outcome;
import io.entroq.system.history.Seen;
import io.entroq.system.history.TaskVersion;
import io.entroq.system.history.Told;
import io.entroq.system.history.Written;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/** Asks one thing at a time, and has it taken down with its answer. One thread. */
public final class Caller {
  /** For what is still to be told when an operation should have ended. */
  private static final Duration GRACE = Duration.ofSeconds(5);

  private final String name;
  private final EntroQ queue;
  private final Recorder recorder;
  private final Duration patience;
  private int operations;

  /**
   * Asks under a name.
   *
   * @param name that no other caller has, without blanks, commas and colons
   * @param patience how long anything may take, besides what it waits by itself
   */
  public Caller(String name, EntroQ queue, Recorder recorder, Duration patience) {
    this.name = name;
    this.queue = queue;
    this.recorder = recorder;
    this.patience = patience;
  }

  String name() {
    return name;
  }

  /** Claims; empty if it found nothing, or nobody knows what. */
  public List<Task> claim(Claim claim) throws InterruptedException {
    Asked asked =
        ask(Kind.CLAIM, List.of(), List.of(), Optional.of(claim), claim.maxWait(), List.of());
    CompletableFuture<List<Task>> answer =
        claim.maxWait().isZero() ? queue.tryClaimAsync(claim) : queue.claimAsync(claim);
    Ending<List<Task>> ending = await(asked, answer);
    List<Task> tasks = ending.answer.orElse(List.of());
    tell(asked, ending.outcome, List.of(), tasks, List.of());
    return tasks;
  }

  /** Modifies; empty if it was not done, or nobody knows. */
  Optional<ModifyResult.Committed> modify(Plan plan) throws InterruptedException {
    Asked asked =
        ask(Kind.MODIFY, plan.writes(), plan.deletes(), plan.next(), Duration.ZERO, List.of());
    Ending<ModifyResult> ending = await(asked, queue.modifyAsync(plan.modification(asked.op())));
    ModifyResult result = ending.answer.orElse(new ModifyResult.OutcomeUnknown(""));
    if (result instanceof ModifyResult.Committed done) {
      List<Task> written =
          Stream.concat(done.inserted().stream(), done.changed().stream()).toList();
      tell(asked, Outcome.DONE, written, done.claimed(), List.of());
      return Optional.of(done);
    }
    if (result instanceof ModifyResult.DependencyFailure refused) {
      tell(asked, Outcome.REFUSED, List.of(), List.of(), missing(refused));
    } else {
      Outcome outcome = ending.outcome == Outcome.DONE ? Outcome.UNKNOWN : ending.outcome;
      tell(asked, outcome, List.of(), List.of(), List.of());
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

  /** Looks for tasks. */
  void read(List<String> ids) throws InterruptedException {
    Asked asked = ask(Kind.READ, List.of(), List.of(), Optional.empty(), Duration.ZERO, ids);
    TaskQuery query = TaskQuery.withIds(ids.stream().map(TaskId::of).toList());
    Ending<List<Task>> ending = await(asked, queue.tasksAsync(query));
    tell(asked, ending.outcome, List.of(), ending.answer.orElse(List.of()), List.of());
  }

  /**
   * Looks at all there is, while nobody writes.
   *
   * @return empty if nobody could be asked
   */
  public Optional<List<Task>> audit(List<String> queues) throws InterruptedException {
    Asked asked = ask(Kind.AUDIT, List.of(), List.of(), Optional.empty(), patience, List.of());
    List<Task> tasks = new ArrayList<>();
    for (String each : queues) {
      Ending<List<Task>> ending = await(asked, queue.tasksAsync(TaskQuery.in(each)));
      if (ending.answer.isEmpty()) {
        tell(asked, ending.outcome, List.of(), List.of(), List.of());
        return Optional.empty();
      }
      tasks.addAll(ending.answer.get());
    }
    tell(asked, Outcome.DONE, List.of(), tasks, List.of());
    return Optional.of(tasks);
  }

  private Asked ask(
      Kind kind,
      List<Written> writes,
      List<TaskVersion> deletes,
      Optional<Claim> claim,
      Duration wait,
      List<String> ids) {
    operations++;
    Asked asked =
        new Asked(
            name + "-" + operations,
            name,
            kind,
            System.nanoTime(),
            writes,
            deletes,
            claim.map(Claim::queues).orElse(List.of()),
            claim.map(Claim::leaseMs).orElse(0L),
            patience.plus(wait).toMillis(),
            ids);
    recorder.asked(asked);
    return asked;
  }

  private void tell(
      Asked asked,
      Outcome outcome,
      List<Task> written,
      List<Task> tasks,
      List<TaskVersion> missing) {
    recorder.told(
        new Told(asked.op(), System.nanoTime(), outcome, seen(written), seen(tasks), missing));
  }

  private static List<Seen> seen(List<Task> tasks) {
    return tasks.stream()
        .map(
            task ->
                new Seen(
                    task.id().text(),
                    task.version(),
                    task.queue(),
                    Values.writer(task.text()),
                    task.claims()))
        .toList();
  }

  private record Ending<T>(Outcome outcome, Optional<T> answer) {}

  private static <T> Ending<T> await(Asked asked, CompletableFuture<T> future)
      throws InterruptedException {
    try {
      long mostMs = asked.patienceMs() + GRACE.toMillis();
      return new Ending<>(Outcome.DONE, Optional.of(future.get(mostMs, TimeUnit.MILLISECONDS)));
    } catch (TimeoutException e) {
      return new Ending<>(Outcome.UNKNOWN, Optional.empty());
    } catch (ExecutionException e) {
      return new Ending<>(outcome(e.getCause()), Optional.empty());
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

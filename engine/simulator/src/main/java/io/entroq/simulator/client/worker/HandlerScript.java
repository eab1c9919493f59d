package io.entroq.simulator.client.worker;

import io.entroq.api.Change;
import io.entroq.api.Doc;
import io.entroq.api.EntroQ;
import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.Task;
import io.entroq.api.TaskId;
import io.entroq.api.TaskRef;
import io.entroq.api.worker.Outcome;
import io.entroq.simulator.virtual.SeededRandom;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Plans the runs of handlers, by {@link WorkKind} and at random. */
final class HandlerScript {
  private static final long MILLISECOND = 1_000_000;
  private static final TaskRef MISSING = new TaskRef(TaskId.of("never inserted"), 0, "nowhere");
  private static final int RETURNS = 2;
  private static final int FLAKY_FAILURES_MAX = WorkersConfig.MAX_ATTEMPTS - 1;

  private final SeededRandom random;
  private final long leaseNs;

  HandlerScript(SeededRandom random, long leaseNs) {
    this.random = random;
    this.leaseNs = leaseNs;
  }

  HandlerRun perform(Task task, Work work) {
    long lastsNs = work.kind() == WorkKind.LONG ? drawLongNs() : drawNs();
    Throwable failure = isFailing(task, work) ? new IllegalStateException("the work failed") : null;
    boolean stopsWhenLost = random.oneIn(2);
    Outcome outcome = outcome(task, work);
    return new HandlerRun(lastsNs, stopsWhenLost, () -> outcome, failure);
  }

  /** Work that is counted in a doc, which the handler reads at its start. */
  HandlerRun count(Work work, WorkCounter counter, EntroQ queue) {
    CompletableFuture<List<Doc>> seen = queue.docsAsync(counter.query());
    return new HandlerRun(drawNs(), random.oneIn(2), () -> counted(work, counter, seen), null);
  }

  private static Outcome counted(
      Work work, WorkCounter counter, CompletableFuture<List<Doc>> seen) {
    return seen.isDone() && !seen.isCompletedExceptionally()
        ? Outcome.done(result(work).and(counter.count(seen.join(), work)))
        : Outcome.retry("the docs were not told in time");
  }

  private long drawNs() {
    return random.between(1, 200) * MILLISECOND;
  }

  /** Longer than two thirds of the lease; sometimes just until a renewal is in flight. */
  private long drawLongNs() {
    long renewalNs = leaseNs / 3 * 2;
    return random.oneIn(3)
        ? random.between(1, 5) * renewalNs + random.between(0, 3 * MILLISECOND)
        : random.between(renewalNs, 3 * leaseNs);
  }

  private static boolean isFailing(Task task, Work work) {
    return work.kind() == WorkKind.FAILING
        || (work.kind() == WorkKind.FLAKY
            && task.attempt() <= Math.floorMod(work.number(), FLAKY_FAILURES_MAX));
  }

  private Outcome outcome(Task task, Work work) {
    return switch (work.kind()) {
      case MOVED ->
          task.queue().equals(WorkQueues.INBOX) ? Outcome.moveTo(WorkQueues.SECOND) : done(work);
      case RETURNED -> task.claims() <= RETURNS ? Outcome.release() : done(work);
      case CHANGED -> Outcome.modify(Modification.change(changed(task, work)));
      case IMPOSSIBLE -> Outcome.done(result(work).and(Modification.depend(MISSING)));
      case CONTRADICTORY -> Outcome.done(result(work).and(Modification.delete(task)));
      case UNTOUCHED -> Outcome.modify(result(work));
      case SILENT -> null;
      case HOPELESS -> Outcome.quarantine("it is no use");
      default -> done(work);
    };
  }

  /** The first part is done; the second is quick. */
  private Change changed(Task task, Work work) {
    Change change = Change.of(task).withValue(new Work(work.number(), WorkKind.QUICK).value());
    return random.oneIn(2)
        ? change
        : change.availableIn(Duration.ofMillis(random.between(0, 3_000)));
  }

  private static Outcome done(Work work) {
    return Outcome.done(result(work));
  }

  private static Modification result(Work work) {
    return Modification.insert(
        Insert.into(WorkQueues.DONE).withId(work.resultId()).withValue(work.value()));
  }
}

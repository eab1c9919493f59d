package io.entroq.simulator.client.worker;

import static io.entroq.simulator.check.Broken.assertBroken;

import io.entroq.api.Change;
import io.entroq.api.EntroQException;
import io.entroq.api.Modification;
import io.entroq.api.ModifyResult;
import io.entroq.api.Task;
import io.entroq.api.worker.Outcome;
import io.entroq.api.worker.WorkerStep;
import io.entroq.simulator.check.Invariant;
import io.entroq.simulator.fault.Faults;
import io.entroq.simulator.virtual.EventQueue;
import io.entroq.simulator.virtual.SeededRandom;
import io.entroq.simulator.virtual.Trace;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Each forbidden act of a worker is detected. */
class WorkerObserverTest {
  private static final Duration LEASE = Duration.ofSeconds(3);
  private static final long CALM_NS = 60_000_000_000L;
  private static final TaskSketch SKETCH =
      TaskSketch.of(WorkKind.QUICK).modifiedAt(CALM_NS / 1_000_000);
  private static final Task TASK = SKETCH.task();
  private static final WorkerStep PUT_BACK = new WorkerStep.PutBack(Duration.ofMillis(1), true);
  private static final WorkerStep END = new WorkerStep.End();

  private final EventQueue events = new EventQueue();
  private RemoteQueue queue;
  private WorkerObserver observer;
  private long newestMs;

  @BeforeEach
  void hold() {
    WorkersConfig config = new WorkersConfig(1, 1, 1, 0, EngineService.START_MS);
    WorkerContext context =
        new WorkerContext(
            config, events, new Faults(Set.of()), request -> 0, new Trace(), () -> newestMs);
    SeededRandom random = new SeededRandom(1);
    queue = new RemoteQueue(context, new ProcessLifetime(events), random, 0, 1);
    observer = new WorkerObserver(queue, new TaskDisposal(context.invariants, random), LEASE);
    events.in(CALM_NS, () -> observer.held(TASK));
    events.step();
  }

  private static ModifyResult committed(Task... claimed) {
    return new ModifyResult.Committed(List.of(), List.of(), List.of(claimed));
  }

  @Test
  void shouldTakeATaskThatIsDone() {
    observer.taken(Optional.of(TASK));
    observer.committing(Modification.delete(TASK));
    observer.onCommitted(TASK, Outcome.done());
    observer.answered(committed(), END);
    observer.ended();
  }

  @Test
  void shouldSeeALeaseThatIsLostForNothing() {
    assertBroken(Invariant.LEASES_ARE_KEPT, () -> observer.lost("it is said to be over"));
  }

  @Test
  void shouldTakeItThatALeaseIsLostInTrouble() {
    queue.troubled();
    observer.lost("it is over");
    observer.taken(Optional.empty());
  }

  @Test
  void shouldTakeItThatALeaseIsLostWhenWordOfTheClaimWasLongUnderWay() {
    newestMs = TASK.modified().toEpochMilli() + LEASE.toMillis() / 2;
    observer.held(TASK);

    observer.lost("it is over");
  }

  @Test
  void shouldSeeALossThatIsNotTold() {
    assertBroken(Invariant.LOST_LEASES_ARE_TOLD, () -> observer.taken(Optional.empty()));
  }

  @Test
  void shouldSeeACommitOfWhatOthersHaveClaimed() {
    Task later = SKETCH.withVersion(3).withClaims(2).task();
    assertBroken(Invariant.COMMITS_WHAT_IT_HOLDS, () -> observer.taken(Optional.of(later)));
  }

  @Test
  void shouldSeeACommitAfterALostLease() {
    queue.troubled();
    observer.lost("it is over");
    assertBroken(
        Invariant.NO_COMMIT_AFTER_LOST_LEASE, () -> observer.committing(Modification.delete(TASK)));
  }

  @Test
  void shouldSeeAFailedTaskThatDoesNotRest() {
    Change retry = Change.of(TASK).withAttempt(1, "not yet").availableIn(Duration.ofMillis(1));
    assertBroken(
        Invariant.FAILED_TASKS_REST, () -> observer.committing(Modification.change(retry)));
  }

  @Test
  void shouldMissAWordOfACommit() {
    assertBroken(Invariant.COMMITS_ARE_TOLD, () -> observer.answered(committed(), END));
  }

  @Test
  void shouldMissTheWorkOnTheNextTask() {
    observer.onCommitted(TASK, Outcome.done());
    Task next = new TaskSketch(new Work(6, WorkKind.QUICK), 1, 1, 0, 0, 0).task();
    assertBroken(
        Invariant.CLAIMED_TASKS_ARE_WORKED_ON, () -> observer.answered(committed(next), END));
  }

  @Test
  void shouldMissAnotherTryOfACommitThatIsNotDone() {
    assertBroken(
        Invariant.COMMITS_ARE_TRIED_AGAIN,
        () -> observer.answered(new ModifyResult.OutcomeUnknown("nobody knows"), END));
    assertBroken(
        Invariant.COMMITS_ARE_TRIED_AGAIN,
        () -> observer.notAnswered(new EntroQException.Unavailable("nobody there"), END));
  }

  @Test
  void shouldMissAWordOfAnUnknownOutcome() {
    observer.answered(new ModifyResult.OutcomeUnknown("nobody knows"), PUT_BACK);
    assertBroken(Invariant.UNKNOWN_OUTCOMES_ARE_TOLD, observer::ended);
  }
}

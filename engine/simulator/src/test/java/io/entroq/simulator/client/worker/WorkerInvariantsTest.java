package io.entroq.simulator.client.worker;

import static io.entroq.simulator.check.Broken.assertBroken;
import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.Task;
import io.entroq.api.worker.Outcome;
import io.entroq.simulator.check.Invariant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Each invariant of the workers' tasks is violated once. */
class WorkerInvariantsTest {
  private static final TaskSketch QUICK = TaskSketch.of(WorkKind.QUICK);
  private static final TaskSketch FAILING = TaskSketch.of(WorkKind.FAILING);

  private final WorkerInvariants invariants = new WorkerInvariants();

  /** Inserts the task of the work item. */
  private TaskHistory plan(TaskSketch sketch) {
    TaskHistory history = invariants.planned(sketch.work(), 0);
    invariants.inserted(history);
    return history;
  }

  private void handle(TaskSketch sketch) {
    invariants.handled(sketch.task(), sketch.work());
  }

  private void commit(TaskSketch sketch, Outcome outcome) {
    invariants.committed(sketch.task(), outcome);
  }

  private void findDone(TaskSketch sketch) {
    invariants.foundDone(sketch.task(), sketch.work());
  }

  private void findError(TaskSketch sketch) {
    invariants.foundError(sketch.task(), sketch.work());
  }

  @Test
  void shouldTakeFailuresAndAGoodEnd() {
    plan(QUICK);
    handle(QUICK);
    commit(QUICK, Outcome.retry("not yet"));
    TaskSketch again = QUICK.withVersion(3).withClaims(2).withAttempt(1);
    handle(again);
    commit(again, Outcome.done());
    findDone(QUICK.createdAt(70));
    invariants.requireEnds(Long.MAX_VALUE);
  }

  @Test
  void shouldSeeWorkThatIsCommittedTwice() {
    plan(QUICK);
    commit(QUICK, Outcome.done());
    assertBroken(Invariant.WORK_COMMITTED_ONCE, () -> commit(QUICK, Outcome.done()));
  }

  @Test
  void shouldSeeTwoTasksThatSayThatOneWorkIsDone() {
    plan(QUICK);
    findDone(QUICK.createdAt(50));
    findDone(QUICK.createdAt(50));
    assertBroken(Invariant.WORK_COMMITTED_ONCE, () -> findDone(QUICK.createdAt(60)));
  }

  @Test
  void shouldSeeWorkThatIsDoneAndInQuarantine() {
    plan(TaskSketch.of(WorkKind.DEADLY));
    findDone(QUICK);
    TaskSketch buried = FAILING.withAttempt(WorkersConfig.MAX_ATTEMPTS);
    assertBroken(Invariant.ONE_END, () -> findError(buried));
  }

  @Test
  void shouldSeeWorkThatIsInQuarantineAndDone() {
    plan(QUICK);
    findError(FAILING.withAttempt(WorkersConfig.MAX_ATTEMPTS));
    assertBroken(Invariant.ONE_END, () -> findDone(QUICK));
  }

  @Test
  void shouldSeeWorkThatGoesOnWhenItIsDone() {
    plan(QUICK);
    findDone(QUICK.createdAt(50));
    handle(QUICK.modifiedAt(50));
    assertBroken(Invariant.WHAT_IS_OVER_STAYS_OVER, () -> handle(QUICK.modifiedAt(51)));
  }

  @Test
  void shouldSeeWorkThatComesBackFromQuarantine() {
    plan(FAILING);
    findError(FAILING.withVersion(9).withAttempt(WorkersConfig.MAX_ATTEMPTS));
    handle(FAILING.withVersion(8));
    assertBroken(Invariant.WHAT_IS_OVER_STAYS_OVER, () -> handle(FAILING.withVersion(9)));
  }

  @Test
  void shouldMissTheEndOfATask() {
    plan(QUICK);
    invariants.requireEnds(0);
    assertBroken(Invariant.TASKS_COME_TO_AN_END, () -> invariants.requireEnds(1));
  }

  @Test
  void shouldSeeFailedWorkThatIsCommittedAsDone() {
    plan(FAILING);
    assertBroken(Invariant.FAILED_WORK_IS_NOT_COMMITTED, () -> commit(FAILING, Outcome.done()));
    assertBroken(Invariant.FAILED_WORK_IS_NOT_COMMITTED, () -> findDone(FAILING));
  }

  @Test
  void shouldSeeAHandlerThatIsGivenWhatCannotBeRead() {
    TaskSketch unreadable = TaskSketch.of(WorkKind.UNREADABLE);
    assertBroken(Invariant.UNREADABLE_NEVER_HANDLED, () -> handle(unreadable));
  }

  @Test
  void shouldSeeAFailureThatDoesNotCount() {
    plan(FAILING);
    handle(FAILING);
    commit(FAILING, Outcome.retry("not yet"));
    handle(FAILING);
    assertBroken(Invariant.FAILURES_ARE_COUNTED, () -> handle(FAILING.withVersion(3)));
  }

  @Test
  void shouldSeeAFailureThatCountsTwice() {
    plan(FAILING);
    handle(FAILING);
    handle(FAILING.withAttempt(1));
    assertBroken(Invariant.FAILURES_COUNT_ONCE, () -> handle(FAILING.withAttempt(3)));
  }

  @Test
  void shouldSeeATaskThatIsTriedTooOften() {
    TaskSketch worn = FAILING.withAttempt(WorkersConfig.MAX_ATTEMPTS);
    assertBroken(
        Invariant.QUARANTINED_AFTER_MAX_ATTEMPTS,
        () -> handle(worn.withClaims(worn.attempt() + 1)));
  }

  @Test
  void shouldSeeATaskThatIsGivenUpTooSoon() {
    TaskSketch early = FAILING.withAttempt(WorkersConfig.MAX_ATTEMPTS - 1);
    assertBroken(Invariant.QUARANTINED_AFTER_MAX_ATTEMPTS, () -> findError(early));
  }

  @Test
  void shouldSeeATaskThatIsClaimedTooOften() {
    TaskSketch deadly = TaskSketch.of(WorkKind.DEADLY).withClaims(WorkersConfig.MAX_CLAIMS);
    handle(deadly);
    assertBroken(
        Invariant.QUARANTINED_AFTER_MAX_CLAIMS,
        () -> handle(deadly.withClaims(WorkersConfig.MAX_CLAIMS + 1)));
  }

  @Test
  void shouldSeeWorkInQuarantineThatCanBeDone() {
    TaskSketch flaky = TaskSketch.of(WorkKind.FLAKY).withAttempt(WorkersConfig.MAX_ATTEMPTS);
    assertBroken(Invariant.QUARANTINED_FOR_A_REASON, () -> findError(flaky));
  }

  @Test
  void shouldTakeItThatOthersWereQuickerTimeAfterTime() {
    TaskSketch counted = TaskSketch.of(WorkKind.COUNTED).withAttempt(WorkersConfig.MAX_ATTEMPTS);
    assertBroken(Invariant.QUARANTINED_FOR_A_REASON, () -> findError(counted));

    invariants.foundError(
        failed(counted.task(), "it does not fit: docs held by others"), counted.work());
  }

  private static Task failed(Task task, String err) {
    return new Task(
        task.id(),
        task.version(),
        task.queue(),
        task.arrivalTime(),
        task.claimant(),
        task.value(),
        task.created(),
        task.modified(),
        task.claims(),
        task.attempt(),
        err);
  }

  @Test
  void shouldCompareWhatIsCountedWithWhatIsFoundDone() {
    TaskSketch counted = TaskSketch.of(WorkKind.COUNTED);
    plan(counted);
    invariants.requireCounted(List.of());

    findDone(counted);
    findDone(counted);

    assertBroken(Invariant.WORK_COUNTED_ONCE, () -> invariants.requireCounted(List.of()));
  }

  @Test
  void shouldCompareNothingWhenNobodyKnowsWhetherWorkWasThere() {
    TaskSketch counted = TaskSketch.of(WorkKind.COUNTED);
    TaskHistory history = plan(counted);
    handle(counted);
    findDone(counted);
    assertBroken(Invariant.WORK_COUNTED_ONCE, () -> invariants.requireCounted(List.of()));

    invariants.unknown(history);

    invariants.requireCounted(List.of());
    assertThat(invariants.counter(counted.work())).isNull();
  }
}

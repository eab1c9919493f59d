package io.entroq.api.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.EntroQException;
import io.entroq.api.Modification;
import io.entroq.api.ModifyResult;
import io.entroq.api.Task;
import io.entroq.api.TaskId;
import io.entroq.api.TaskRef;
import io.entroq.api.Value;
import io.entroq.api.codec.ValueCodec;
import io.entroq.api.fake.FakeEntroQ;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a worker does step by step, with nobody to do it. */
class WorkerStepsTest {
  private final FakeEntroQ queue = new FakeEntroQ();
  private final WorkerTestBase.Events events = new WorkerTestBase.Events();
  private final Task task = Claimed.task("work");

  @AfterEach
  void closeQueue() {
    queue.close();
  }

  private WorkerBuilder<Value> builder() {
    return Worker.on(queue)
        .from("inbox")
        .claimWithCommit(false)
        .requestBackoff(new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(8), 0.5))
        .listener(events);
  }

  private static <T> WorkerSteps<T> steps(WorkerBuilder<T> builder) {
    return builder.steps(() -> 0);
  }

  /** Up to where the handler is to run. */
  private WorkerSteps<Value> handling(WorkerBuilder<Value> builder) {
    WorkerSteps<Value> steps = steps(builder);
    assertThat(steps.begin()).isInstanceOf(WorkerStep.ClaimTask.class);
    assertThat(steps.claimed(List.of(task))).isEqualTo(new WorkerStep.HoldLease(task));
    assertThat(steps.held()).isEqualTo(new WorkerStep.Handle(task));
    return steps;
  }

  private static Modification committed(WorkerStep step) {
    return ((WorkerStep.Commit) step).modification();
  }

  private static WorkerStep putBack(int seconds, boolean isInDoubt) {
    return new WorkerStep.PutBack(Duration.ofSeconds(seconds), isInDoubt);
  }

  @Test
  void shouldGoFromClaimToCommitAndAgain() {
    WorkerSteps<Value> steps = handling(builder());
    assertThat(steps.value()).isEqualTo(task.value());
    assertThat(steps.metrics().running()).isEqualTo(1);

    assertThat(steps.handled(Outcome.done(), false)).isInstanceOf(WorkerStep.TakeLease.class);
    assertThat(steps.metrics().running()).isZero();
    Task newest = Claimed.atVersion(task, 3);
    assertThat(committed(steps.taken(Optional.of(newest)))).isEqualTo(Modification.delete(newest));
    assertThat(steps.answered(Claimed.changed())).isInstanceOf(WorkerStep.ClaimTask.class);
    assertThat(steps.metrics().done()).isEqualTo(1);
  }

  @Test
  void shouldWorkOnWhatACommitHasClaimed() {
    WorkerSteps<Value> steps = handling(builder().claimWithCommit(true));
    steps.handled(Outcome.done(), false);
    assertThat(committed(steps.taken(Optional.of(task))).thenClaim()).isPresent();
    Task next = Claimed.task("next");

    assertThat(steps.answered(new ModifyResult.Committed(List.of(), List.of(), List.of(next))))
        .isEqualTo(new WorkerStep.HoldLease(next));
  }

  @Test
  void shouldPauseLongerWithEachFailedClaimUntilOneIsAnswered() {
    WorkerSteps<Value> steps = steps(builder());
    for (int seconds : new int[] {1, 2, 4, 8, 8}) {
      assertThat(steps.failed(new EntroQException.Unavailable("nobody there")))
          .isEqualTo(new WorkerStep.Pause(Duration.ofSeconds(seconds)));
      assertThat(steps.paused()).isInstanceOf(WorkerStep.ClaimTask.class);
    }

    steps.claimed(List.of());

    assertThat(steps.failed(new IllegalStateException("a bug")))
        .isEqualTo(new WorkerStep.Pause(Duration.ofSeconds(1)));
    assertThat(steps.metrics().queueFailures()).isEqualTo(6);
  }

  @Test
  void shouldQuarantineWithoutHandling() {
    Task often = Claimed.task("often", 5, 1);
    WorkerSteps<Value> steps = steps(builder().maxClaims(3));
    steps.claimed(List.of(often));

    assertThat(steps.held()).isInstanceOf(WorkerStep.TakeLease.class);
    assertThat(committed(steps.taken(Optional.of(often))).changes().get(0).queue())
        .isEqualTo("inbox/err");

    WorkerSteps<String> texts = steps(builder().values(ValueCodec.text()));
    texts.claimed(List.of(Claimed.task("bad", Value.bytes(new byte[] {(byte) 0xff}), 1, 0)));
    assertThat(texts.held()).isInstanceOf(WorkerStep.TakeLease.class);
  }

  @Test
  void shouldTryACommitAgainThatWasNotDoneAndKeepTheTask() {
    WorkerSteps<Value> steps = handling(builder());
    steps.handled(Outcome.done(), false);

    steps.taken(Optional.of(task));
    assertThat(steps.notAnswered(new EntroQException.ResourceExhausted("full")))
        .isEqualTo(putBack(1, false));
    assertThat(steps.paused()).isInstanceOf(WorkerStep.TakeLease.class);
    steps.taken(Optional.of(task));
    assertThat(steps.answered(new ModifyResult.OutcomeUnknown("reply lost")))
        .isEqualTo(putBack(2, true));
    steps.paused();
    assertThat(steps.taken(Optional.empty())).isInstanceOf(WorkerStep.ClaimTask.class);

    assertThat(steps.metrics().unknown()).isEqualTo(1);
    assertThat(steps.metrics().lost()).isZero();
  }

  @Test
  void shouldLoseATaskThatOthersHave() {
    WorkerSteps<Value> steps = handling(builder());
    steps.handled(Outcome.done(), false);
    steps.taken(Optional.of(task));

    assertThat(steps.answered(Claimed.missing(task.ref())))
        .isInstanceOf(WorkerStep.ClaimTask.class);

    assertThat(events.lost).hasSize(1);
    assertThat(steps.metrics().lost()).isEqualTo(1);
  }

  @Test
  void shouldFailATaskAtOnceWhoseEndIsRefused() {
    WorkerSteps<Value> steps = handling(builder().maxAttempts(1));
    TaskRef missing = new TaskRef(TaskId.of("missing"), 0, "inbox");
    steps.handled(Outcome.done(Modification.depend(missing)), false);
    steps.taken(Optional.of(task));

    assertThat(steps.answered(Claimed.missing(missing))).isEqualTo(putBack(0, false));
    steps.paused();

    assertThat(committed(steps.taken(Optional.of(task))).changes().get(0).queue())
        .isEqualTo("inbox/err");
    assertThat(steps.notAnswered(new EntroQException.InvalidArgument("err is too long")))
        .isInstanceOf(WorkerStep.ClaimTask.class);
    assertThat(events.lost).singleElement().asString().contains("cannot be committed");
  }

  @Test
  void shouldFailATaskAtOnceWhoseEndIsNotAllowed() {
    WorkerSteps<Value> steps = handling(builder().maxAttempts(1));
    steps.handled(Outcome.done(Modification.insert("forbidden", "x")), false);
    steps.taken(Optional.of(task));

    assertThat(steps.notAnswered(new EntroQException.PermissionDenied("INSERT on forbidden")))
        .isEqualTo(putBack(0, false));
    steps.paused();

    assertThat(committed(steps.taken(Optional.of(task))).changes().get(0).queue())
        .isEqualTo("inbox/err");
  }

  @Test
  void shouldReleaseWhatWasHandledInVain() {
    WorkerSteps<Value> steps = handling(builder());

    steps.threw(new InterruptedException(), true);

    assertThat(committed(steps.taken(Optional.of(task))).changes().get(0).attempt()).isZero();
    assertThat(events.handlerFailures).isEmpty();
  }

  @Test
  void shouldEndAfterTheTaskInWorkWhenStopped() {
    WorkerSteps<Value> steps = handling(builder().claimWithCommit(true));
    steps.stop();
    steps.handled(Outcome.done(), false);
    assertThat(committed(steps.taken(Optional.of(task))).thenClaim()).isEmpty();
    steps.notAnswered(new EntroQException.Unavailable("nobody there"));
    steps.paused();
    steps.taken(Optional.of(task));

    assertThat(steps.answered(Claimed.changed())).isInstanceOf(WorkerStep.End.class);
  }

  @Test
  void shouldGiveBackWhatWasClaimedTooLate() {
    WorkerSteps<Value> steps = steps(builder());
    steps.begin();
    steps.stop();

    assertThat(steps.claimed(List.of(task))).isInstanceOf(WorkerStep.Release.class);

    assertThat(steps.released(Claimed.changed(task))).isInstanceOf(WorkerStep.End.class);
    assertThat(steps.metrics().released()).isEqualTo(1);
    assertThat(steps.metrics().claimed()).isZero();
  }

  @Test
  void shouldTryNoCommitAgainWhenAbandoned() {
    WorkerSteps<Value> steps = handling(builder());
    steps.handled(Outcome.done(), false);
    steps.taken(Optional.of(task));
    steps.abandon();

    assertThat(steps.notAnswered(new EntroQException.Unavailable("nobody there")))
        .isInstanceOf(WorkerStep.End.class);
    assertThat(steps.metrics().lost()).isEqualTo(1);
  }

  @Test
  void shouldEndWhenTheQueueIsClosed() {
    EntroQException closed = new EntroQException.Closed("closed");
    assertThat(steps(builder()).failed(closed)).isInstanceOf(WorkerStep.End.class);

    WorkerSteps<Value> committing = handling(builder());
    committing.handled(Outcome.done(), false);
    committing.taken(Optional.of(task));
    assertThat(committing.notAnswered(closed)).isInstanceOf(WorkerStep.End.class);
  }

  @Test
  void shouldGoOnAfterAFailureInTheMiddleOfATask() {
    WorkerSteps<Value> steps = handling(builder());

    assertThat(steps.failed(new StackOverflowError()))
        .isEqualTo(new WorkerStep.Pause(Duration.ofSeconds(1)));

    assertThat(steps.paused()).isInstanceOf(WorkerStep.ClaimTask.class);
    assertThat(steps.metrics().running()).isZero();
  }
}

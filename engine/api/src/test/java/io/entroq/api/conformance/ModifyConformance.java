package io.entroq.api.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.api.Change;
import io.entroq.api.Claim;
import io.entroq.api.EntroQException;
import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.ModifyResult;
import io.entroq.api.Task;
import io.entroq.api.TaskId;
import io.entroq.api.TaskRef;
import io.entroq.api.Value;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How tasks change and end, and why they may not. */
abstract class ModifyConformance {
  private final EntroQConformance suite;

  ModifyConformance(EntroQConformance suite) {
    this.suite = suite;
  }

  private Task modify(Change change) {
    return suite.queue().modify(Modification.change(change)).orThrow().changed().get(0);
  }

  @Test
  void shouldDeleteATask() {
    Task task = suite.insert("inbox", "hello");

    suite.queue().modify(Modification.delete(task)).orThrow();

    assertThat(suite.find(task.id())).isEmpty();
    assertThat(suite.tryClaim("inbox")).isEmpty();
  }

  @Test
  void shouldReplaceEverythingThatAChangeSays() {
    Task inserted = suite.insert("inbox", "hello");
    Task claimed = suite.claimNow("inbox");
    suite.advance(Duration.ofSeconds(1));
    Instant now = suite.queue().time();

    Task changed = modify(Change.of(claimed).withValue("bye").withAttempt(2, "why").moveTo("next"));

    assertThat(changed.version()).isEqualTo(2);
    assertThat(changed.queue()).isEqualTo("next");
    assertThat(changed.text()).isEqualTo("bye");
    assertThat(changed.attempt()).isEqualTo(2);
    assertThat(changed.err()).isEqualTo("why");
    assertThat(changed.arrivalTime()).isEqualTo(changed.modified());
    suite.assertTime(changed.modified(), now);
    assertThat(changed.claimant()).isEmpty();
    assertThat(changed.claims()).isEqualTo(1);
    assertThat(changed.created()).isEqualTo(inserted.created());
    assertThat(suite.read(changed.id())).isEqualTo(changed);
    assertThat(suite.tryClaim("inbox")).isEmpty();
    assertThat(suite.claimNow("next").version()).isEqualTo(3);
  }

  @Test
  void shouldClearAValueThatAChangeLeavesAbsent() {
    Task task = suite.insert("inbox", "hello");

    assertThat(modify(Change.of(task).withValue(Value.absent())).value().isAbsent()).isTrue();
    assertThat(suite.read(task.id()).value().isAbsent()).isTrue();
  }

  @Test
  void shouldKeepTheLeaseWhenAChangeDoesNotSayOtherwise() {
    suite.insert("inbox", "hello");
    Task claimed = suite.claimNow("inbox");

    Task changed = modify(Change.of(claimed).withValue("half done"));

    suite.assertTime(changed.arrivalTime(), claimed.arrivalTime());
    assertThat(changed.claimant()).isEqualTo(claimed.claimant());
    assertThat(suite.tryClaim("inbox")).isEmpty();
  }

  @Test
  void shouldProlongALease() {
    suite.insert("inbox", "hello");
    Task claimed = suite.claimNow("inbox");
    suite.advance(Duration.ofSeconds(20));

    Task renewed = modify(Change.of(claimed).availableIn(EntroQConformance.LEASE));

    assertThat(renewed.claims()).isEqualTo(1);
    suite.advanceAlmost(EntroQConformance.LEASE);
    assertThat(suite.tryClaim("inbox")).isEmpty();
    suite.advanceTheRest();
    assertThat(suite.tryClaim("inbox")).isPresent();
  }

  @Test
  void shouldNameEveryItemThatDoesNotFit() {
    Task taken = suite.insert(Insert.into("inbox").withId("taken"));
    Task toChange = suite.insert(Insert.into("inbox").withId("to-change"));
    Task held = suite.insert(Insert.into("held").withId("held"));
    Task heldNow =
        suite
            .queue()
            .tryClaim(Claim.from("held").withClaimant(EntroQConformance.OTHER))
            .orElseThrow();
    TaskRef wrongVersion = new TaskRef(toChange.id(), 7, "inbox");
    TaskRef missing = new TaskRef(TaskId.of("missing"), 0, "inbox");
    TaskRef missingToo = new TaskRef(TaskId.of("missing-too"), 3, "inbox");

    ModifyResult.DependencyFailure failure =
        suite.failure(
            Modification.builder()
                .insert(Insert.into("inbox").withId("taken"))
                .insert(Insert.into("inbox").withId("free"))
                .change(Change.of(toChange).withTask(wrongVersion))
                .change(Change.of(heldNow))
                .delete(missing)
                .depend(missingToo)
                .build());

    assertThat(failure.collisions()).containsExactly(new TaskRef(taken.id(), 0, "inbox"));
    assertThat(failure.changes()).containsExactly(wrongVersion);
    assertThat(failure.deletes()).containsExactly(missing);
    assertThat(failure.depends()).containsExactly(missingToo);
    assertThat(failure.claims()).containsExactly(heldNow.ref());
    assertThat(failure.missing()).containsExactly(wrongVersion, missing, missingToo);
    assertThat(failure.concerns(held.id())).isTrue();
    assertThat(failure.concerns(taken.id())).isFalse();
    assertThat(suite.find(TaskId.of("free"))).isEmpty();
    assertThat(suite.read(toChange.id())).isEqualTo(toChange);
  }

  @Test
  void shouldRefuseWhatOthersHold() {
    suite.insert("inbox", "1");
    suite.insert("inbox", "2");
    Task first = suite.claimNow("inbox");
    Task second = suite.claimNow("inbox");

    ModifyResult.DependencyFailure failure =
        suite.failure(
            Modification.delete(first)
                .and(Modification.change(Change.of(second)))
                .withClaimant(EntroQConformance.OTHER));

    assertThat(failure.onlyClaims()).isTrue();
    assertThat(failure.claims()).containsExactlyInAnyOrder(first.ref(), second.ref());
    suite.queue().modify(Modification.delete(first)).orThrow();
  }

  @Test
  void shouldProtectATaskBeforeItsArrivalForItsInserter() {
    Task task = suite.insert(Insert.into("inbox").availableIn(Duration.ofHours(1)));

    assertThat(
            suite
                .failure(Modification.delete(task).withClaimant(EntroQConformance.OTHER))
                .onlyClaims())
        .isTrue();
    suite.queue().modify(Modification.delete(task)).orThrow();
  }

  @Test
  void shouldNotProtectATaskWhoseLeaseHasEnded() {
    suite.insert("inbox", "hello");
    Task held = suite.claimNow("inbox");
    suite.advance(EntroQConformance.LEASE);

    suite
        .queue()
        .modify(
            Modification.change(Change.of(held).availableNow())
                .withClaimant(EntroQConformance.OTHER))
        .orThrow();

    ModifyResult.DependencyFailure failure = suite.failure(Modification.delete(held));
    assertThat(failure.deletes()).containsExactly(held.ref());
    assertThat(failure.hasClaims()).isFalse();
  }

  @Test
  void shouldDependOnATaskWhoeverHoldsIt() {
    suite.insert("settings", "on");
    Task held =
        suite
            .queue()
            .tryClaim(Claim.from("settings").withClaimant(EntroQConformance.OTHER))
            .orElseThrow();
    Modification insert = Modification.insert("inbox", "hello");

    suite.queue().modify(insert.and(Modification.depend(held))).orThrow();

    assertThat(suite.read(held.id())).isEqualTo(held);
    TaskRef old = new TaskRef(held.id(), 0, "settings");
    assertThat(suite.failure(insert.and(Modification.depend(old))).depends()).containsExactly(old);
  }

  @Test
  void shouldMissATaskInAnotherQueueThanTheStatedOne() {
    Task task = suite.insert("inbox", "hello");
    TaskRef elsewhere = new TaskRef(task.id(), 0, "elsewhere");

    assertThat(suite.failure(Modification.delete(elsewhere)).deletes()).containsExactly(elsewhere);
    assertThat(suite.failure(Modification.depend(elsewhere)).depends()).containsExactly(elsewhere);
    suite.queue().modify(Modification.delete(new TaskRef(task.id(), 0, "inbox"))).orThrow();
  }

  @Test
  void shouldNotFindATaskToChangeInAnotherQueue() {
    Task task = suite.insert("inbox", "hello");
    for (String queue : List.of("elsewhere", "")) {
      TaskRef elsewhere = new TaskRef(task.id(), 0, queue);
      ModifyResult.DependencyFailure failure =
          suite.failure(Modification.change(Change.of(task).withTask(elsewhere)));

      assertThat(failure.changes()).extracting(TaskRef::id).containsExactly(task.id());
    }
    assertThat(suite.read(task.id())).isEqualTo(task);
  }

  // Lease changes.

  @Test
  void shouldRenewALeaseAndChangeNothingElse() {
    suite.insert(Insert.into("inbox").withValue("hello").withAttempt(2, "why"));
    Task claimed = suite.claimNow("inbox");
    suite.advance(Duration.ofSeconds(20));

    Task renewed = modify(Change.renew(claimed, EntroQConformance.LEASE));

    assertThat(renewed.version()).isEqualTo(2);
    assertThat(renewed.lease()).isEqualTo(EntroQConformance.LEASE);
    assertThat(renewed.claimant()).isEqualTo(claimed.claimant());
    assertThat(renewed.queue()).isEqualTo("inbox");
    assertThat(renewed.value()).isEqualTo(claimed.value());
    assertThat(renewed.created()).isEqualTo(claimed.created());
    assertThat(renewed.claims()).isEqualTo(1);
    assertThat(renewed.attempt()).isEqualTo(2);
    assertThat(renewed.err()).isEqualTo("why");
    assertThat(suite.read(claimed.id())).isEqualTo(renewed);
    suite.advanceAlmost(EntroQConformance.LEASE);
    assertThat(suite.tryClaim("inbox")).isEmpty();
    suite.advanceTheRest();
    assertThat(suite.tryClaim("inbox")).isPresent();
  }

  @Test
  void shouldReturnTheWholeTaskWithALeaseChangeWhateverItsValue() {
    for (Value value :
        List.of(Value.absent(), Value.bytes(new byte[] {-1, 0}), Value.json("{\"x\":[null]}"))) {
      Task task = suite.insert(Insert.into("inbox").withValue(value));

      assertThat(modify(Change.renew(task, EntroQConformance.LEASE)).value()).isEqualTo(value);
    }
  }

  @Test
  void shouldReleaseALeaseAndChangeNothingElse() {
    suite.insert("inbox", "hello");
    Task claimed = suite.claimNow("inbox");

    Task released = modify(Change.release(claimed));

    assertThat(released.arrivalTime()).isEqualTo(released.modified());
    assertThat(released.claimant()).isEmpty();
    assertThat(released.text()).isEqualTo("hello");
    assertThat(released.claims()).isEqualTo(1);
    assertThat(suite.tryClaim("inbox")).isPresent();
  }

  @Test
  void shouldTakeATaskBackFromWhoeverHoldsIt() {
    suite.insert(Insert.into("inbox").withValue("hello").withAttempt(2, "why"));
    Task held =
        suite
            .queue()
            .tryClaim(Claim.from("inbox").withClaimant(EntroQConformance.OTHER))
            .orElseThrow();

    Task taken = modify(Change.takeBack(held));

    assertThat(taken.version()).isEqualTo(held.version() + 1);
    assertThat(taken.arrivalTime()).isEqualTo(taken.modified());
    assertThat(taken.claimant()).isEmpty();
    assertThat(taken.value()).isEqualTo(held.value());
    assertThat(taken.claims()).isEqualTo(1);
    assertThat(taken.attempt()).isEqualTo(2);
    assertThat(taken.err()).isEqualTo("why");
    assertThat(suite.read(held.id())).isEqualTo(taken);
    Modification late = Modification.delete(held).withClaimant(EntroQConformance.OTHER);
    assertThat(suite.failure(late).deletes()).containsExactly(held.ref());
    assertThat(suite.tryClaim("inbox")).isPresent();
  }

  @Test
  void shouldTakeATaskBackOnlyAtItsVersionAndInItsQueue() {
    suite.insert("inbox", "hello");
    Task held = suite.claimNow("inbox");
    Change takeBack = Change.takeBack(held);
    TaskRef old = new TaskRef(held.id(), 0, "inbox");

    assertThat(suite.failure(Modification.change(takeBack.withTask(old))).changes())
        .containsExactly(old);
    assertThat(suite.read(held.id())).isEqualTo(held);
    modify(takeBack);
    assertThat(suite.failure(Modification.change(takeBack)).changes()).containsExactly(held.ref());
  }

  @Test
  void shouldMoveTheVersionAlsoOfATaskThatNobodyHolds() {
    Task free = suite.insert("inbox", "hello");

    Task taken = modify(Change.takeBack(free));

    assertThat(taken.version()).isEqualTo(1);
    assertThat(taken.claimant()).isEmpty();
    assertThat(suite.tryClaim("inbox")).isPresent();
  }

  @Test
  void shouldRefuseALeaseChangeOfATaskThatIsGoneOrHeldByOthers() {
    suite.insert("inbox", "hello");
    Task claimed = suite.claimNow("inbox");
    Change renewal = Change.renew(claimed, EntroQConformance.LEASE);
    TaskRef old = new TaskRef(claimed.id(), 0, "inbox");

    assertThat(suite.failure(Modification.change(renewal.withTask(old))).changes())
        .containsExactly(old);
    assertThat(
            suite
                .failure(Modification.change(renewal).withClaimant(EntroQConformance.OTHER))
                .claims())
        .containsExactly(claimed.ref());
    assertThat(suite.read(claimed.id())).isEqualTo(claimed);
  }

  @Test
  void shouldGrantExactlyTheDelayThatIsAskedFor() {
    Duration delay = Duration.ofMillis(12_345);

    Task inserted = suite.insert(Insert.into("inbox").availableIn(delay));
    Task changed = modify(Change.of(inserted).availableIn(delay.plusMillis(1)));

    assertThat(inserted.lease()).isEqualTo(delay);
    assertThat(changed.lease()).isEqualTo(delay.plusMillis(1));
  }

  @Test
  void shouldSetTheNumberOfClaimsToZeroWhenToldTo() {
    suite.insert("inbox", "hello");
    Task claimed = suite.claimNow("inbox");

    Task kept = modify(Change.of(claimed));
    Task reset = modify(Change.of(kept).resettingClaims().availableNow());

    assertThat(kept.claims()).isEqualTo(1);
    assertThat(reset.claims()).isZero();
    assertThat(suite.read(reset.id())).isEqualTo(reset);
    assertThat(suite.claimNow("inbox").claims()).isEqualTo(1);
  }

  @Test
  void shouldNameTheHolderAsClaimant() {
    Task available = suite.insert("inbox", "hello");
    Task later = suite.insert(Insert.into("inbox").availableIn(Duration.ofHours(1)));

    assertThat(available.claimant()).isEmpty();
    assertThat(later.claimant()).isEqualTo(suite.queue().claimant());
    assertThat(modify(Change.of(later).availableNow()).claimant()).isEmpty();
    assertThat(modify(Change.of(available).availableIn(Duration.ofHours(1))).claimant())
        .isEqualTo(suite.queue().claimant());
  }

  @Test
  void shouldRefuseOneTaskTwice() {
    Task task = suite.insert("inbox", "hello");
    Modification delete = Modification.delete(task);
    for (Modification twice :
        List.of(
            delete.and(delete),
            delete.and(Modification.depend(task)),
            delete.and(Modification.change(Change.of(task))),
            Modification.change(Change.of(task), Change.of(task)))) {
      assertThatThrownBy(() -> suite.queue().modify(twice))
          .isInstanceOf(EntroQException.InvalidArgument.class);
    }
    assertThat(suite.read(task.id())).isEqualTo(task);
  }

  @Test
  void shouldClaimInTheSameStep() {
    Task task = suite.insert("inbox", "1");
    Claim next = Claim.from("inbox", "more").withLimit(2).withLease(Duration.ofSeconds(7));

    ModifyResult.Committed committed =
        suite
            .queue()
            .modify(Modification.delete(task).and(Modification.insert("more", "2")).thenClaim(next))
            .orThrow();

    assertThat(committed.claimed()).hasSize(1);
    Task claimed = committed.next().orElseThrow();
    assertThat(claimed.id()).isEqualTo(committed.inserted().get(0).id());
    assertThat(claimed.version()).isEqualTo(1);
    assertThat(claimed.claimant()).isEqualTo(suite.queue().claimant());
    assertThat(claimed.arrivalTime()).isEqualTo(claimed.modified().plusSeconds(7));
    suite.assertTime(claimed.modified(), suite.queue().time());
    assertThat(suite.read(claimed.id())).isEqualTo(claimed);
  }

  @Test
  void shouldCommitWhenThereIsNothingToClaimThen() {
    Task task = suite.insert("inbox", "1");

    ModifyResult.Committed committed =
        suite.queue().modify(Modification.delete(task).thenClaim(Claim.from("inbox"))).orThrow();

    assertThat(committed.claimed()).isEmpty();
    assertThat(committed.next()).isEmpty();
  }

  @Test
  void shouldClaimNothingWhenTheRestDoesNotFit() {
    Task task = suite.insert("inbox", "1");

    suite.failure(
        Modification.delete(new TaskRef(TaskId.of("missing"), 0, "inbox"))
            .thenClaim(Claim.from("inbox")));

    assertThat(suite.read(task.id())).isEqualTo(task);
  }

  @Test
  void shouldThrowWhatDoesNotFitWhereAsked() {
    Modification missing = Modification.delete(new TaskRef(TaskId.of("missing"), 4, "inbox"));

    assertThatThrownBy(() -> suite.queue().modify(missing).orThrow())
        .isInstanceOfSatisfying(
            EntroQException.Dependency.class,
            e -> assertThat(e.failure().deletes()).isEqualTo(missing.deletes()))
        .hasMessageContaining("missing@4");
  }
}

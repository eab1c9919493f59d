package io.entroq.api.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.Arrival;
import io.entroq.api.Change;
import io.entroq.api.DocSet;
import io.entroq.api.EntroQException;
import io.entroq.api.ModifyResult;
import io.entroq.api.Task;
import io.entroq.api.TaskId;
import io.entroq.api.TaskRef;
import io.entroq.api.Value;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What is decided about leases, moment by moment. */
class LeasesTest {
  /** Times by the ticker may begin anywhere and pass the end of their range. */
  private static final long START = Long.MAX_VALUE - TimeUnit.SECONDS.toNanos(10);

  private static final Duration LEASE = Duration.ofSeconds(30);

  private final Leases leases = new Leases();
  private final List<String> lost = new ArrayList<>();
  private final Task a = Claimed.task("a");
  private final Task b = Claimed.task("b");

  private Lease hold(Task task, double atSeconds) {
    return leases.hold(task, at(atSeconds), reason -> lost.add(task.text() + ": " + reason));
  }

  private static long at(double seconds) {
    return START + (long) (seconds * 1e9);
  }

  private LeaseCall.Renewal renewal(double atSeconds) {
    return (LeaseCall.Renewal) leases.advance(at(atSeconds)).orElseThrow();
  }

  private LeaseCall.LookUp lookUp(double atSeconds) {
    return (LeaseCall.LookUp) leases.advance(at(atSeconds)).orElseThrow();
  }

  private List<String> losses() {
    leases.takeNotices().forEach(Runnable::run);
    return lost;
  }

  private long quietSeconds(double atSeconds) {
    return TimeUnit.NANOSECONDS.toSeconds(leases.quietNanos(at(atSeconds)));
  }

  @Test
  void shouldHaveNothingToDoWithoutLeases() {
    assertThat(leases.advance(at(0))).isEmpty();
    assertThat(quietSeconds(0)).isEqualTo(Duration.ofDays(1).toSeconds());
  }

  @Test
  void shouldRenewAfterTwoThirdsOfTheLeaseWhatWillBeDueWithinASixth() {
    hold(a, 0);
    hold(b, 4.9);
    hold(Claimed.task("c"), 5.1);

    assertThat(quietSeconds(0)).isEqualTo(20);
    assertThat(leases.advance(at(19.9))).isEmpty();
    LeaseCall.Renewal call = renewal(20);

    assertThat(call.modification().changes())
        .containsExactly(Change.renew(a, LEASE), Change.renew(b, LEASE));
    assertThat(leases.advance(at(24))).as("one call at a time").isEmpty();
    assertThat(quietSeconds(24)).as("the end of the first lease").isEqualTo(6);
  }

  @Test
  void shouldRenewOnlyAsManyTasksAtOnceAsAResponseHasRoomFor() {
    Value large = Value.bytes(new byte[400 << 10]);
    for (String id : List.of("a", "b", "c", "d", "e")) {
      hold(Claimed.task(id, large, 1, 0), 0);
    }
    Value larger = Value.bytes(new byte[2 << 20]);
    hold(Claimed.task("f", larger, 1, 0), 0);

    List<Integer> sizes = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      LeaseCall.Renewal call = renewal(20);
      sizes.add(call.leases().size());
      leases.renewed(call, Claimed.changed(call, 2, 0), at(20));
    }

    assertThat(sizes).containsExactly(2, 2, 1, 1);
    assertThat(leases.advance(at(20))).isEmpty();
  }

  @Test
  void shouldCountANewLeaseFromWhenItsRenewalWasSent() {
    Lease lease = hold(a, 0);
    LeaseCall.Renewal call = renewal(20);

    leases.renewed(call, Claimed.changed(Claimed.atVersion(a, 2)), at(25));

    assertThat(quietSeconds(25)).isEqualTo(15);
    assertThat(leases.take(lease)).isTrue();
    assertThat(lease.taken()).hasValueSatisfying(task -> assertThat(task.version()).isEqualTo(2));
  }

  @Test
  void shouldLetATaskBeTakenOnlyWhenItsVersionIsKnown() {
    Lease lease = hold(a, 0);
    LeaseCall.Renewal call = renewal(20);
    assertThat(leases.take(lease)).isFalse();

    leases.renewed(call, new ModifyResult.OutcomeUnknown("lost"), at(21));
    assertThat(leases.take(lease)).isFalse();
    assertThat(leases.advance(at(22.2))).isEmpty();
    leases.lookedUp(lookUp(22.5), List.of(Claimed.atVersion(a, 2)));

    assertThat(leases.take(lease)).isTrue();
    assertThat(lease.taken()).hasValue(Claimed.atVersion(a, 2));
  }

  @Test
  void shouldRenewNoMoreWhatIsTakenUntilItIsPutBack() {
    Lease lease = hold(a, 0);
    assertThat(leases.take(lease)).isTrue();
    assertThat(leases.advance(at(21))).isEmpty();

    leases.putBack(lease, false);

    assertThat(renewal(21).leases()).containsExactly(lease);
  }

  @Test
  void shouldLoseWhatIsNotRenewedInTime() {
    Lease lease = hold(a, 0);
    LeaseCall.Renewal unanswered = renewal(20);

    assertThat(leases.advance(at(30))).isEmpty();

    assertThat(losses()).containsExactly("a: its lease ran out before it could be renewed");
    assertThat(leases.take(lease)).isTrue();
    assertThat(lease.taken()).isEmpty();
    hold(b, 30);
    LeaseCall.Renewal next = renewal(50);
    leases.renewed(unanswered, Claimed.changed(Claimed.atVersion(a, 2)), at(51));
    assertThat(lease.taken()).isEmpty();
    assertThat(leases.advance(at(52))).as("the next call is under way still").isEmpty();
    leases.renewed(next, Claimed.changed(Claimed.atVersion(b, 2)), at(53));
    assertThat(losses()).hasSize(1);
  }

  @Test
  void shouldRenewTheOthersAtOnceWhenOneIsLost() {
    hold(a, 0);
    Lease kept = hold(b, 0);

    leases.renewed(renewal(20), Claimed.missing(a.ref()), at(21));

    assertThat(renewal(21).leases()).containsExactly(kept);
    assertThat(losses()).containsExactly("a: others have claimed, changed or deleted it");
  }

  @Test
  void shouldWaitAfterARefusalThatNamesNoneOfThem() {
    hold(a, 0);

    leases.renewed(renewal(20), Claimed.missing(new TaskRef(TaskId.of("x"), 0, "inbox")), at(21));

    assertThat(leases.advance(at(22.2))).isEmpty();
    assertThat(renewal(22.5).leases()).hasSize(1);
  }

  @Test
  void shouldTryLaterWhatWasNotDone() {
    hold(a, 0);

    leases.failed(renewal(20), new EntroQException.Unavailable("nobody there"), at(21));

    assertThat(leases.advance(at(22.2))).isEmpty();
    assertThat(renewal(22.5).modification().changes().get(0).arrival())
        .isEqualTo(Arrival.in(LEASE));
  }

  @Test
  void shouldRetryARenewalAfterAnEighthOfTheMarginThenTwiceAsLongEachTime() {
    hold(a, 0);
    EntroQException failure = new EntroQException.Unavailable("nobody there");
    leases.failed(renewal(20), failure, at(20));

    for (double second : new double[] {21.25, 23.75, 28.75}) {
      assertThat(leases.advance(at(second - 0.01))).isEmpty();
      leases.failed(renewal(second), failure, at(second));
    }

    assertThat(leases.advance(at(29.99))).isEmpty();
    assertThat(losses()).isEmpty();
    assertThat(leases.advance(at(30))).isEmpty();
    assertThat(losses()).containsExactly("a: its lease ran out before it could be renewed");
  }

  /** A server may show bytes as JSON. */
  @Test
  void shouldKeepTheValueThatWasClaimedWhateverARenewalReturns() {
    Task bytes = Claimed.task("a", Value.bytes(new byte[] {-1}), 1, 0);
    Lease lease = hold(bytes, 0);

    leases.renewed(renewal(20), Claimed.changed(Claimed.atVersion(a, 2)), at(21));

    assertThat(leases.take(lease)).isTrue();
    assertThat(lease.taken().orElseThrow().version()).isEqualTo(2);
    assertThat(lease.taken().orElseThrow().value()).isEqualTo(bytes.value());
  }

  @Test
  void shouldRenewByWhatWasGrantedWhateverWasAskedFor() {
    Task raised = Claimed.granted(a, Duration.ofSeconds(90));
    hold(raised, 0);

    assertThat(leases.advance(at(59.9))).isEmpty();

    assertThat(renewal(60).modification().changes())
        .containsExactly(Change.renew(raised, Duration.ofSeconds(90)));
  }

  @Test
  void shouldRenewTheSetsOfATaskInTheSameModification() {
    Lease lease = hold(a, 0);
    hold(b, 0);
    lease.add(List.of(Claimed.set("users", "ann", 4), Claimed.set("users", "bob", 1)));
    LeaseCall.Renewal call = renewal(20);

    assertThat(call.modification().docs().setLeases())
        .containsExactly(
            new DocSet.LeaseChange(new DocSet.Ref("users", "ann", 4), LEASE),
            new DocSet.LeaseChange(new DocSet.Ref("users", "bob", 1), LEASE));
    leases.renewed(call, Claimed.changed(call, 2, 5), at(21));

    assertThat(lease.sets())
        .extracting(HeldSet::set)
        .containsExactly(new DocSet.Ref("users", "ann", 5), new DocSet.Ref("users", "bob", 5));
  }

  @Test
  void shouldLoseATaskWithASetThatOthersHave() {
    Lease lease = hold(a, 0);
    Lease kept = hold(b, 0);
    lease.add(List.of(Claimed.set("users", "ann", 4)));

    leases.renewed(renewal(20), Claimed.missing(new DocSet.Ref("users", "ann", 6)), at(21));

    assertThat(losses()).containsExactly("a: others have claimed, changed or deleted it");
    assertThat(renewal(21).leases()).containsExactly(kept);
  }

  @Test
  void shouldRaiseTheVersionsOfSetsWithARenewalThatIsFoundDone() {
    Lease lease = hold(a, 0);
    lease.add(List.of(Claimed.set("users", "ann", 4)));
    leases.failed(renewal(20), new EntroQException.OutcomeUnknown("reply lost"), at(21));

    leases.lookedUp(lookUp(22.5), List.of(Claimed.atVersion(a, 2)));

    assertThat(lease.sets()).extracting(held -> held.set().version()).containsExactly(5);
  }

  @Test
  void shouldNotRenewAgainWhatWasDroppedWhileItWasTaken() {
    Lease lease = hold(a, 0);
    assertThat(leases.take(lease)).isTrue();
    leases.drop(lease);

    leases.putBack(lease, false);

    assertThat(leases.advance(at(20))).isEmpty();
  }

  @Test
  void shouldLookUpUntilItIsKnownWhatBecameOfARenewal() {
    Lease lease = hold(a, 0);
    leases.failed(renewal(20), new EntroQException.OutcomeUnknown("reply lost"), at(21));
    leases.failed(lookUp(22.5), new EntroQException.Unavailable("nobody there"), at(22.5));
    assertThat(leases.take(lease)).isFalse();

    leases.lookedUp(lookUp(25), List.of(Claimed.atVersion(a, 2)));

    assertThat(leases.take(lease)).isTrue();
    assertThat(lease.taken()).hasValue(Claimed.atVersion(a, 2));
  }

  @Test
  void shouldLetATaskBeTakenOnlyWhenNoRenewalCanComeLate() {
    Lease lease = hold(a, 0);
    leases.failed(renewal(20), new EntroQException.OutcomeUnknown("reply lost"), at(21));
    leases.lookedUp(lookUp(22.5), List.of(a));

    assertThat(leases.take(lease)).isFalse();
    assertThat(quietSeconds(22.5)).isZero();
    leases.renewed(renewal(22.5), Claimed.changed(Claimed.atVersion(a, 2)), at(25));

    assertThat(leases.take(lease)).isTrue();
    assertThat(lease.taken()).hasValue(Claimed.atVersion(a, 2));
  }

  @Test
  void shouldLookUpAgainWhatMayHaveBeenRenewedLate() {
    Lease late = hold(a, 0);
    hold(b, 0);
    leases.failed(renewal(20), new EntroQException.OutcomeUnknown("reply lost"), at(21));
    leases.lookedUp(lookUp(22.5), List.of(a, b));

    leases.renewed(renewal(22.5), Claimed.missing(a.ref()), at(22.5));
    leases.renewed(renewal(22.5), Claimed.changed(Claimed.atVersion(b, 2)), at(22.5));
    assertThat(leases.advance(at(24.9))).isEmpty();
    leases.lookedUp(lookUp(25), List.of(Claimed.atVersion(a, 2)));

    assertThat(losses()).isEmpty();
    assertThat(leases.take(late)).isTrue();
    assertThat(late.taken()).hasValue(Claimed.atVersion(a, 2));
  }

  @Test
  void shouldLoseWhatOthersHaveThoughItMightHaveBeenRenewedLate() {
    hold(a, 0);
    leases.failed(renewal(20), new EntroQException.OutcomeUnknown("reply lost"), at(21));
    leases.lookedUp(lookUp(22.5), List.of(a));
    leases.renewed(renewal(22.5), Claimed.missing(a.ref()), at(22.5));

    leases.lookedUp(lookUp(25), List.of(Claimed.heldBy(a, 2, "another")));

    assertThat(losses()).containsExactly("a: others have claimed, changed or deleted it");
  }

  @Test
  void shouldLoseWhatIsRefusedAfterALaterRenewal() {
    hold(a, 0);
    leases.failed(renewal(20), new EntroQException.OutcomeUnknown("reply lost"), at(21));
    leases.lookedUp(lookUp(22.5), List.of(a));
    leases.renewed(renewal(22.5), Claimed.changed(Claimed.atVersion(a, 2)), at(25));

    leases.renewed(renewal(42.5), Claimed.missing(new TaskRef(a.id(), 2, "inbox")), at(43));

    assertThat(losses()).containsExactly("a: others have claimed, changed or deleted it");
  }

  @Test
  void shouldNotTakeTheChangeOfOthersForItsOwnRenewal() {
    hold(a, 0);
    hold(b, 0);
    leases.failed(renewal(20), new EntroQException.OutcomeUnknown("reply lost"), at(21));

    leases.lookedUp(lookUp(22.5), List.of(Claimed.heldBy(a, 2, "another")));

    assertThat(losses())
        .containsExactly(
            "a: others have claimed, changed or deleted it",
            "b: others have claimed, changed or deleted it");
  }

  /** A failed task that was put off is as a renewed one to look at: held by us, one version on. */
  @Test
  void shouldNotTakeACommitInDoubtForItsOwnRenewal() {
    Lease lease = hold(a, 0);
    assertThat(leases.take(lease)).isTrue();
    leases.putBack(lease, true);
    leases.failed(renewal(20), new EntroQException.OutcomeUnknown("reply lost"), at(21));

    leases.lookedUp(lookUp(22.5), List.of(Claimed.atVersion(a, 2)));

    assertThat(losses()).hasSize(1);
  }

  @Test
  void shouldStillDoubtACommitAfterOneThatWasNotDone() {
    Lease lease = hold(a, 0);
    assertThat(leases.take(lease)).isTrue();
    leases.putBack(lease, true);
    assertThat(leases.take(lease)).isTrue();
    leases.putBack(lease, false);
    leases.failed(renewal(20), new EntroQException.OutcomeUnknown("reply lost"), at(21));

    leases.lookedUp(lookUp(22.5), List.of(Claimed.atVersion(a, 2)));

    assertThat(losses()).hasSize(1);
  }

  /** By the same claimant, but not under this lease. */
  @Test
  void shouldNotTakeAnotherClaimForItsOwnRenewal() {
    hold(a, 0);
    leases.failed(renewal(20), new EntroQException.OutcomeUnknown("reply lost"), at(21));

    leases.lookedUp(lookUp(22.5), List.of(Claimed.task("a", 2, 0)));

    assertThat(losses()).containsExactly("a: others have claimed, changed or deleted it");
  }

  @Test
  void shouldKnowThatACommitInDoubtWasNotDoneOnceALaterRenewalIs() {
    Lease lease = hold(a, 0);
    assertThat(leases.take(lease)).isTrue();
    leases.putBack(lease, true);
    leases.renewed(renewal(20), Claimed.changed(Claimed.atVersion(a, 2)), at(21));
    leases.failed(renewal(40), new EntroQException.OutcomeUnknown("reply lost"), at(41));

    leases.lookedUp(lookUp(42.5), List.of(Claimed.atVersion(a, 3)));

    assertThat(losses()).isEmpty();
  }

  @Test
  void shouldFindTheOneThatCannotBeRenewed() {
    hold(a, 0);
    Lease good = hold(b, 0);
    EntroQException refusal = new EntroQException.InvalidArgument("version exhausted");
    leases.failed(renewal(20), refusal, at(20));

    leases.failed(renewal(20), refusal, at(20));

    assertThat(renewal(20).leases()).containsExactly(good);
    assertThat(losses()).containsExactly("a: its lease cannot be renewed: version exhausted");
  }

  @Test
  void shouldLoseAllWhenTheQueueIsClosed() {
    hold(a, 0);
    hold(b, 0);

    leases.failed(renewal(20), new EntroQException.Closed("closed"), at(20));

    assertThat(losses()).containsExactly("a: the queue is closed", "b: the queue is closed");
  }

  @Test
  void shouldLeaveADroppedLeaseToItsEnd() {
    Lease lease = hold(a, 0);
    LeaseCall.Renewal call = renewal(20);
    leases.drop(lease);

    leases.renewed(call, Claimed.changed(Claimed.atVersion(a, 2)), at(21));

    assertThat(leases.take(lease)).isTrue();
    assertThat(lease.taken()).isEmpty();
    assertThat(leases.advance(at(31))).isEmpty();
    assertThat(losses()).isEmpty();
  }

  private Lease holdFor(Task task, double maxRuntimeSeconds) {
    return leases.hold(
        task,
        at(0),
        Duration.ofMillis((long) (maxRuntimeSeconds * 1_000)),
        () -> lost.add(task.text() + ": overdue"),
        reason -> lost.add(task.text() + ": " + reason));
  }

  @Test
  void shouldSayOnceThatARunTimeIsOverAndRenewNoMore() {
    Lease lease = holdFor(a, 5);

    assertThat(quietSeconds(0)).isEqualTo(5);
    assertThat(leases.advance(at(4.9))).isEmpty();
    assertThat(losses()).isEmpty();
    assertThat(leases.advance(at(5))).isEmpty();
    assertThat(losses()).containsExactly("a: overdue");
    assertThat(leases.advance(at(29.9))).isEmpty();
    assertThat(losses()).containsExactly("a: overdue");
    assertThat(leases.take(lease)).isTrue();
    assertThat(lease.taken()).isPresent();
  }

  @Test
  void shouldRenewAgainWhileTheCommitOfAnOverdueTaskIsRetried() {
    Lease lease = holdFor(a, 5);
    leases.advance(at(5));
    leases.take(lease);
    leases.putBack(lease, false);

    assertThat(renewal(20).leases()).containsExactly(lease);
  }

  @Test
  void shouldKeepTheRunTimeWhileDocsAreClaimed() {
    Lease lease = holdFor(a, 5);
    leases.take(lease);
    leases.resume(lease);
    leases.advance(at(5));

    assertThat(losses()).containsExactly("a: overdue");
  }

  @Test
  void shouldLoseTheLeaseOfAHandlerThatIgnoresTheEndOfItsRunTime() {
    holdFor(a, 5);
    leases.advance(at(5));
    leases.advance(at(30));

    assertThat(losses()).hasSize(2);
    assertThat(lost.get(1)).contains("ran out");
  }
}

package io.entroq.api.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.Arrival;
import io.entroq.api.Change;
import io.entroq.api.EntroQException;
import io.entroq.api.ModifyResult;
import io.entroq.api.Task;
import io.entroq.api.TaskId;
import io.entroq.api.TaskRef;
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
    return leases.hold(task, LEASE, at(atSeconds), reason -> lost.add(task.text() + ": " + reason));
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
    leases.takeLosses().forEach(Runnable::run);
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
  void shouldRenewAtHalfOfTheLeaseWhatWillBeDueWithinAQuarter() {
    hold(a, 0);
    hold(b, 7);
    hold(Claimed.task("c"), 8);

    assertThat(quietSeconds(0)).isEqualTo(15);
    assertThat(leases.advance(at(14.9))).isEmpty();
    LeaseCall.Renewal call = renewal(15);

    assertThat(call.modification().changes())
        .containsExactly(Change.of(a).availableIn(LEASE), Change.of(b).availableIn(LEASE));
    assertThat(leases.advance(at(24))).as("one call at a time").isEmpty();
    assertThat(quietSeconds(24)).as("the end of the first lease").isEqualTo(6);
  }

  @Test
  void shouldCountANewLeaseFromWhenItsRenewalWasSent() {
    Lease lease = hold(a, 0);
    LeaseCall.Renewal call = renewal(15);

    leases.renewed(call, Claimed.changed(Claimed.atVersion(a, 2)), at(20));

    assertThat(quietSeconds(20)).isEqualTo(10);
    assertThat(leases.take(lease)).isTrue();
    assertThat(lease.taken()).hasValueSatisfying(task -> assertThat(task.version()).isEqualTo(2));
  }

  @Test
  void shouldLetATaskBeTakenOnlyWhenItsVersionIsKnown() {
    Lease lease = hold(a, 0);
    LeaseCall.Renewal call = renewal(15);
    assertThat(leases.take(lease)).isFalse();

    leases.renewed(call, new ModifyResult.OutcomeUnknown("lost"), at(16));
    assertThat(leases.take(lease)).isFalse();
    assertThat(leases.advance(at(16.9))).isEmpty();
    leases.lookedUp(lookUp(17), List.of(Claimed.atVersion(a, 2)));

    assertThat(leases.take(lease)).isTrue();
    assertThat(lease.taken()).hasValue(Claimed.atVersion(a, 2));
  }

  @Test
  void shouldRenewNoMoreWhatIsTakenUntilItIsPutBack() {
    Lease lease = hold(a, 0);
    assertThat(leases.take(lease)).isTrue();
    assertThat(leases.advance(at(16))).isEmpty();

    leases.putBack(lease, false);

    assertThat(renewal(16).leases()).containsExactly(lease);
  }

  @Test
  void shouldLoseWhatIsNotRenewedInTime() {
    Lease lease = hold(a, 0);
    LeaseCall.Renewal unanswered = renewal(15);

    assertThat(leases.advance(at(30))).isEmpty();

    assertThat(losses()).containsExactly("a: its lease ran out before it could be renewed");
    assertThat(leases.take(lease)).isTrue();
    assertThat(lease.taken()).isEmpty();
    hold(b, 30);
    LeaseCall.Renewal next = renewal(45);
    leases.renewed(unanswered, Claimed.changed(Claimed.atVersion(a, 2)), at(46));
    assertThat(lease.taken()).isEmpty();
    assertThat(leases.advance(at(47))).as("the next call is under way still").isEmpty();
    leases.renewed(next, Claimed.changed(Claimed.atVersion(b, 2)), at(48));
    assertThat(losses()).hasSize(1);
  }

  @Test
  void shouldRenewTheOthersAtOnceWhenOneIsLost() {
    hold(a, 0);
    Lease kept = hold(b, 0);

    leases.renewed(renewal(15), Claimed.missing(a.ref()), at(16));

    assertThat(renewal(16).leases()).containsExactly(kept);
    assertThat(losses()).containsExactly("a: others have claimed, changed or deleted it");
  }

  @Test
  void shouldWaitAfterARefusalThatNamesNoneOfThem() {
    hold(a, 0);

    leases.renewed(renewal(15), Claimed.missing(TaskRef.of(TaskId.of("x"), 0)), at(16));

    assertThat(leases.advance(at(16.9))).isEmpty();
    assertThat(renewal(17).leases()).hasSize(1);
  }

  @Test
  void shouldTryLaterWhatWasNotDone() {
    hold(a, 0);

    leases.failed(renewal(15), new EntroQException.Unavailable("nobody there"), at(16));

    assertThat(leases.advance(at(16.9))).isEmpty();
    assertThat(renewal(17).modification().changes().get(0).arrival()).isEqualTo(Arrival.in(LEASE));
  }

  @Test
  void shouldLookUpUntilItIsKnownWhatBecameOfARenewal() {
    Lease lease = hold(a, 0);
    leases.failed(renewal(15), new EntroQException.OutcomeUnknown("reply lost"), at(16));
    leases.failed(lookUp(17), new EntroQException.Unavailable("nobody there"), at(17));
    assertThat(leases.take(lease)).isFalse();

    leases.lookedUp(lookUp(18), List.of(Claimed.atVersion(a, 2)));

    assertThat(leases.take(lease)).isTrue();
    assertThat(lease.taken()).hasValue(Claimed.atVersion(a, 2));
  }

  @Test
  void shouldLetATaskBeTakenOnlyWhenNoRenewalCanComeLate() {
    Lease lease = hold(a, 0);
    leases.failed(renewal(15), new EntroQException.OutcomeUnknown("reply lost"), at(16));
    leases.lookedUp(lookUp(17), List.of(a));

    assertThat(leases.take(lease)).isFalse();
    assertThat(quietSeconds(17)).isZero();
    leases.renewed(renewal(17), Claimed.changed(Claimed.atVersion(a, 2)), at(18));

    assertThat(leases.take(lease)).isTrue();
    assertThat(lease.taken()).hasValue(Claimed.atVersion(a, 2));
  }

  @Test
  void shouldLookUpAgainWhatMayHaveBeenRenewedLate() {
    Lease late = hold(a, 0);
    hold(b, 0);
    leases.failed(renewal(15), new EntroQException.OutcomeUnknown("reply lost"), at(16));
    leases.lookedUp(lookUp(17), List.of(a, b));

    leases.renewed(renewal(17), Claimed.missing(a.ref()), at(17));
    leases.renewed(renewal(17), Claimed.changed(Claimed.atVersion(b, 2)), at(17));
    assertThat(leases.advance(at(17.9))).isEmpty();
    leases.lookedUp(lookUp(18), List.of(Claimed.atVersion(a, 2)));

    assertThat(losses()).isEmpty();
    assertThat(leases.take(late)).isTrue();
    assertThat(late.taken()).hasValue(Claimed.atVersion(a, 2));
  }

  @Test
  void shouldLoseWhatOthersHaveThoughItMightHaveBeenRenewedLate() {
    hold(a, 0);
    leases.failed(renewal(15), new EntroQException.OutcomeUnknown("reply lost"), at(16));
    leases.lookedUp(lookUp(17), List.of(a));
    leases.renewed(renewal(17), Claimed.missing(a.ref()), at(17));

    leases.lookedUp(lookUp(18), List.of(Claimed.heldBy(a, 2, "another")));

    assertThat(losses()).containsExactly("a: others have claimed, changed or deleted it");
  }

  @Test
  void shouldLoseWhatIsRefusedAfterALaterRenewal() {
    hold(a, 0);
    leases.failed(renewal(15), new EntroQException.OutcomeUnknown("reply lost"), at(16));
    leases.lookedUp(lookUp(17), List.of(a));
    leases.renewed(renewal(17), Claimed.changed(Claimed.atVersion(a, 2)), at(18));

    leases.renewed(renewal(32), Claimed.missing(TaskRef.of(a.id(), 2)), at(33));

    assertThat(losses()).containsExactly("a: others have claimed, changed or deleted it");
  }

  @Test
  void shouldNotTakeTheChangeOfOthersForItsOwnRenewal() {
    hold(a, 0);
    hold(b, 0);
    leases.failed(renewal(15), new EntroQException.OutcomeUnknown("reply lost"), at(16));

    leases.lookedUp(lookUp(17), List.of(Claimed.heldBy(a, 2, "another")));

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
    leases.failed(renewal(15), new EntroQException.OutcomeUnknown("reply lost"), at(16));

    leases.lookedUp(lookUp(17), List.of(Claimed.atVersion(a, 2)));

    assertThat(losses()).hasSize(1);
  }

  @Test
  void shouldStillDoubtACommitAfterOneThatWasNotDone() {
    Lease lease = hold(a, 0);
    assertThat(leases.take(lease)).isTrue();
    leases.putBack(lease, true);
    assertThat(leases.take(lease)).isTrue();
    leases.putBack(lease, false);
    leases.failed(renewal(15), new EntroQException.OutcomeUnknown("reply lost"), at(16));

    leases.lookedUp(lookUp(17), List.of(Claimed.atVersion(a, 2)));

    assertThat(losses()).hasSize(1);
  }

  /** By the same claimant, but not under this lease. */
  @Test
  void shouldNotTakeAnotherClaimForItsOwnRenewal() {
    hold(a, 0);
    leases.failed(renewal(15), new EntroQException.OutcomeUnknown("reply lost"), at(16));

    leases.lookedUp(lookUp(17), List.of(Claimed.task("a", 2, 0)));

    assertThat(losses()).containsExactly("a: others have claimed, changed or deleted it");
  }

  @Test
  void shouldKnowThatACommitInDoubtWasNotDoneOnceALaterRenewalIs() {
    Lease lease = hold(a, 0);
    assertThat(leases.take(lease)).isTrue();
    leases.putBack(lease, true);
    leases.renewed(renewal(15), Claimed.changed(Claimed.atVersion(a, 2)), at(16));
    leases.failed(renewal(30), new EntroQException.OutcomeUnknown("reply lost"), at(31));

    leases.lookedUp(lookUp(32), List.of(Claimed.atVersion(a, 3)));

    assertThat(losses()).isEmpty();
  }

  @Test
  void shouldFindTheOneThatCannotBeRenewed() {
    hold(a, 0);
    Lease good = hold(b, 0);
    EntroQException refusal = new EntroQException.InvalidArgument("version exhausted");
    leases.failed(renewal(15), refusal, at(15));

    leases.failed(renewal(15), refusal, at(15));

    assertThat(renewal(15).leases()).containsExactly(good);
    assertThat(losses()).containsExactly("a: its lease cannot be renewed: version exhausted");
  }

  @Test
  void shouldLoseAllWhenTheQueueIsClosed() {
    hold(a, 0);
    hold(b, 0);

    leases.failed(renewal(15), new EntroQException.Closed("closed"), at(15));

    assertThat(losses()).containsExactly("a: the queue is closed", "b: the queue is closed");
  }

  @Test
  void shouldLeaveADroppedLeaseToItsEnd() {
    Lease lease = hold(a, 0);
    LeaseCall.Renewal call = renewal(15);
    leases.drop(lease);

    leases.renewed(call, Claimed.changed(Claimed.atVersion(a, 2)), at(16));

    assertThat(leases.take(lease)).isTrue();
    assertThat(lease.taken()).isEmpty();
    assertThat(leases.advance(at(31))).isEmpty();
    assertThat(losses()).isEmpty();
  }
}

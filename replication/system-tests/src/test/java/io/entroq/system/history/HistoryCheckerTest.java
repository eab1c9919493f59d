package io.entroq.system.history;

import static io.entroq.system.history.HistoryBuilder.observed;
import static io.entroq.system.history.HistoryBuilder.op;
import static io.entroq.system.history.HistoryBuilder.write;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The checker finds each violation, and none in valid histories. */
class HistoryCheckerTest {
  private static final String T = "task";

  /** What the second operation inserts. */
  private static final ObservedTask NEXT = observed("next", 0, op(2), 0);

  @Test
  void shouldFindNothingWrongWithTheUsual() {
    HistoryBuilder builder =
        new HistoryBuilder()
            .insert(T, Outcome.DONE)
            .claim(observed(T, 1, op(1), 1))
            .change(T, 2, 1, Outcome.DONE)
            .read(T, observed(T, 2, op(3), 1))
            .delete(T, 1, Outcome.REFUSED)
            .delete(T, 2, Outcome.DONE)
            .read(T)
            .audit();
    assertThat(check(builder)).isEmpty();
  }

  @Test
  void shouldFindNothingWrongWithWhatNobodyKnows() {
    HistoryBuilder builder =
        new HistoryBuilder()
            .insert("made", Outcome.UNKNOWN)
            .insert("unmade", Outcome.UNKNOWN)
            .insert(T, Outcome.DONE)
            .change(T, 1, 0, Outcome.UNKNOWN)
            .delete("made", 0, Outcome.UNKNOWN)
            .claim(observed("made", 1, op(1), 1))
            .audit(observed(T, 1, op(4), 0), observed("made", 1, op(1), 1))
            .delete(T, 1, Outcome.UNKNOWN)
            .audit(observed("made", 1, op(1), 1));
    assertThat(check(builder)).isEmpty();
  }

  @Test
  void shouldFindNothingWrongWithClaimThatWasGivenBack() {
    HistoryBuilder builder =
        new HistoryBuilder().insert(T, Outcome.DONE).audit(observed(T, 2, op(1), 0));
    assertThat(check(builder)).isEmpty();
  }

  @Test
  void shouldFindNothingWrongWithWhatIsProven() {
    HistoryBuilder seenByOthers =
        new HistoryBuilder()
            .insert(T, Outcome.DONE)
            .modifyWithUnknownOutcome(List.of(write("next", 0)), new TaskVersion(T, 0))
            .read("next")
            .by("bob")
            .claim(observed("next", 1, op(2), 1))
            .delete(T, 0, Outcome.REFUSED)
            .audit(observed("next", 1, op(2), 1));
    assertThat(check(seenByOthers)).isEmpty();
    HistoryBuilder goneForOthers =
        new HistoryBuilder()
            .insert(T, Outcome.DONE)
            .modifyWithUnknownOutcome(List.of(write("next", 0)), new TaskVersion(T, 0))
            .audit(observed("next", 0, op(2), 0))
            .audit(observed("next", 0, op(2), 0));
    assertThat(check(goneForOthers)).isEmpty();
    HistoryBuilder doneByEither =
        new HistoryBuilder()
            .insert(T, Outcome.DONE)
            .modifyWithUnknownOutcome(List.of(write("next", 0)), new TaskVersion(T, 0))
            .by("bob")
            .delete(T, 0, Outcome.UNKNOWN)
            .audit()
            .audit();
    assertThat(check(doneByEither)).isEmpty();
  }

  @Test
  void shouldCountEndsOfWhatIsProven() {
    HistoryBuilder finished =
        new HistoryBuilder()
            .insert(T, Outcome.DONE)
            .modifyWithUnknownOutcome(List.of(write("next", 0)), new TaskVersion(T, 0));
    assertViolation(
        finished.by("bob").delete(T, 0, Outcome.DONE).audit(NEXT), ViolationKind.DOUBLED);
    HistoryBuilder claimed =
        new HistoryBuilder()
            .insert(T, Outcome.DONE)
            .modifyWithUnknownOutcome(List.of(write("next", 0)), new TaskVersion(T, 0));
    assertViolation(
        claimed.by("bob").claim(observed(T, 1, op(1), 1)).audit(NEXT), ViolationKind.DOUBLED);
  }

  @Test
  void shouldCountMakersOfWhatIsProven() {
    HistoryBuilder moved =
        new HistoryBuilder()
            .insert(T, Outcome.DONE)
            .change(T, 1, 0, Outcome.UNKNOWN)
            .claim(observed(T, 2, op(2), 1))
            .by("bob")
            .change(T, 1, 0, Outcome.DONE);
    assertViolation(moved, ViolationKind.DOUBLED);
    // Two race for an id: one insert is acknowledged, but the value of the other one exists.
    HistoryBuilder raced =
        new HistoryBuilder()
            .insert(T, Outcome.DONE)
            .by("bob")
            .insert(T, Outcome.UNKNOWN)
            .audit(observed(T, 0, op(2), 0));
    assertViolation(raced, ViolationKind.DOUBLED);
  }

  @Test
  void shouldMissAPartOfWhatIsProven() {
    HistoryBuilder withoutItsDeletion =
        new HistoryBuilder()
            .insert(T, Outcome.DONE)
            .modifyWithUnknownOutcome(List.of(write("next", 0)), new TaskVersion(T, 0))
            .audit(NEXT, observed(T, 0, op(1), 0))
            .audit(NEXT, observed(T, 0, op(1), 0));
    assertViolation(withoutItsDeletion, ViolationKind.LOST);
    HistoryBuilder withoutOneOfItsInserts =
        new HistoryBuilder()
            .modifyWithUnknownOutcome(List.of(write("first", 0), write("second", 0)))
            .claim(observed("first", 1, op(1), 1))
            .audit(observed("first", 1, op(1), 1));
    assertViolation(withoutOneOfItsInserts, ViolationKind.LOST);
    HistoryBuilder withItsDeletionAlone =
        new HistoryBuilder()
            .insert(T, Outcome.DONE)
            .modifyWithUnknownOutcome(List.of(write("next", 0)), new TaskVersion(T, 0))
            .audit()
            .audit();
    assertViolation(withItsDeletionAlone, ViolationKind.LOST);
  }

  @Test
  void shouldMissAChangeThatIsProven() {
    HistoryBuilder builder =
        new HistoryBuilder()
            .insert(T, Outcome.DONE)
            .change(T, 1, 0, Outcome.UNKNOWN)
            .claim(observed(T, 2, op(2), 1))
            .audit(observed(T, 2, op(1), 1));
    assertViolation(builder, ViolationKind.LOST);
  }

  @Test
  void shouldMissAnInsert() {
    assertViolation(new HistoryBuilder().insert(T, Outcome.DONE).audit(), ViolationKind.LOST);
  }

  @Test
  void shouldMissAnInsertThatOnlyAnOlderVersionOfMayHaveBeenDeleted() {
    assertViolation(
        new HistoryBuilder()
            .insert(T, Outcome.DONE)
            .delete(T, 0, Outcome.UNKNOWN)
            .claim(observed(T, 1, op(1), 1))
            .audit(),
        ViolationKind.LOST);
  }

  @Test
  void shouldMissAChange() {
    assertViolation(
        new HistoryBuilder()
            .insert(T, Outcome.DONE)
            .change(T, 1, 0, Outcome.DONE)
            .audit(observed(T, 0, op(1), 0)),
        ViolationKind.LOST);
  }

  @Test
  void shouldMissTheValueOfAChange() {
    assertViolation(
        new HistoryBuilder()
            .insert(T, Outcome.DONE)
            .change(T, 1, 0, Outcome.DONE)
            .audit(observed(T, 1, op(1), 0)),
        ViolationKind.LOST);
  }

  @Test
  void shouldMissADeletion() {
    assertViolation(
        new HistoryBuilder()
            .insert(T, Outcome.DONE)
            .delete(T, 0, Outcome.DONE)
            .audit(observed(T, 0, op(1), 0)),
        ViolationKind.LOST);
  }

  @Test
  void shouldNotLetAVersionBeDeniedThatWasThere() {
    assertViolation(
        new HistoryBuilder()
            .insert(T, Outcome.DONE)
            .delete(T, 0, Outcome.REFUSED)
            .claim(observed(T, 1, op(1), 1)),
        ViolationKind.LOST);
  }

  @Test
  void shouldNotLetAVersionBeDeniedThatIsStillThere() {
    assertViolation(
        new HistoryBuilder()
            .insert(T, Outcome.DONE)
            .delete(T, 0, Outcome.REFUSED)
            .audit(observed(T, 0, op(1), 0)),
        ViolationKind.LOST);
  }

  @Test
  void shouldCountInsertsOfOneTask() {
    assertViolation(
        new HistoryBuilder().insert(T, Outcome.DONE).insert(T, Outcome.DONE),
        ViolationKind.DOUBLED);
  }

  @Test
  void shouldCountHoldersOfOneVersion() {
    assertViolation(
        new HistoryBuilder()
            .insert(T, Outcome.DONE)
            .claim(observed(T, 1, op(1), 1))
            .by("bob")
            .claim(observed(T, 1, op(1), 1)),
        ViolationKind.DOUBLED);
  }

  @Test
  void shouldCountEndsOfOneVersion() {
    assertViolation(
        new HistoryBuilder()
            .insert(T, Outcome.DONE)
            .change(T, 1, 0, Outcome.DONE)
            .by("bob")
            .delete(T, 0, Outcome.DONE),
        ViolationKind.DOUBLED);
  }

  @Test
  void shouldNotLetATaskComeBack() {
    assertViolation(
        new HistoryBuilder()
            .insert(T, Outcome.DONE)
            .delete(T, 0, Outcome.DONE)
            .claim(observed(T, 2, op(1), 1)),
        ViolationKind.DOUBLED);
  }

  @Test
  void shouldNotLetTwoHoldATaskAtATime() {
    HistoryBuilder early = claimedTwiceWithin(HistoryBuilder.LEASE_MS / 2);
    assertViolation(early, ViolationKind.DOUBLED);
    assertThat(HistoryChecker.check(early.history(), CheckConfig.USUAL.withClockChanges()))
        .isEmpty();
    assertThat(check(claimedTwiceWithin(HistoryBuilder.LEASE_MS))).isEmpty();
  }

  @Test
  void shouldBearThatLogTimeIsATenthFaster() {
    assertThat(check(claimedTwiceWithin(HistoryBuilder.LEASE_MS * 10 / 11))).isEmpty();
    assertViolation(claimedTwiceWithin(HistoryBuilder.LEASE_MS * 8 / 10), ViolationKind.DOUBLED);
  }

  private static HistoryBuilder claimedTwiceWithin(long ms) {
    return new HistoryBuilder()
        .insert(T, Outcome.DONE)
        .claim(observed(T, 1, op(1), 1))
        .by("bob")
        .after(ms)
        .claim(observed(T, 2, op(1), 2));
  }

  @Test
  void shouldNotKnowWhatNobodyInserted() {
    assertViolation(
        new HistoryBuilder()
            .insert("other", Outcome.DONE)
            .audit(observed("other", 0, op(1), 0), observed(T, 0, op(1), 0)),
        ViolationKind.PHANTOM);
    assertViolation(new HistoryBuilder().delete(T, 0, Outcome.DONE), ViolationKind.PHANTOM);
  }

  @Test
  void shouldNotSeeWhatWasRefused() {
    assertViolation(
        new HistoryBuilder().insert(T, Outcome.REFUSED).audit(observed(T, 0, op(1), 0)),
        ViolationKind.PHANTOM);
    assertViolation(
        new HistoryBuilder().insert(T, Outcome.NOT_DONE).claim(observed(T, 1, op(1), 1)),
        ViolationKind.PHANTOM);
    assertViolation(
        new HistoryBuilder()
            .insert(T, Outcome.DONE)
            .change(T, 1, 0, Outcome.REFUSED)
            .audit(observed(T, 1, op(2), 0)),
        ViolationKind.PHANTOM);
  }

  @Test
  void shouldNotSeeATaskBeforeItIsInserted() {
    assertViolation(
        new HistoryBuilder().claim(observed(T, 1, op(2), 1)).insert(T, Outcome.DONE),
        ViolationKind.PHANTOM);
  }

  @Test
  void shouldNotFindAVersionThatNobodyMade() {
    assertViolation(
        new HistoryBuilder().insert(T, Outcome.DONE).audit(observed(T, 1, op(1), 0)),
        ViolationKind.PHANTOM);
  }

  /** Also if its caller asked again, when the task had moved on. */
  @Test
  void shouldCountTheClaimsThatAChangeIsToldOf() {
    assertViolation(
        new HistoryBuilder()
            .insert(T, Outcome.DONE)
            .claim(observed(T, 1, op(1), 1))
            .change(T, 2, 0, Outcome.DONE)
            .audit(observed(T, 2, op(3), 1)),
        ViolationKind.PHANTOM);
  }

  @Test
  void shouldNotFindAValueThatNobodyWrote() {
    assertViolation(
        new HistoryBuilder().insert(T, Outcome.DONE).audit(observed(T, 0, "?", 0)),
        ViolationKind.PHANTOM);
  }

  @Test
  void shouldShowCallersWhatTheyHaveWritten() {
    assertViolation(new HistoryBuilder().insert(T, Outcome.DONE).read(T), ViolationKind.STALE);
    assertViolation(
        new HistoryBuilder()
            .insert(T, Outcome.DONE)
            .claim(observed(T, 1, op(1), 1))
            .read(T, observed(T, 0, op(1), 0)),
        ViolationKind.STALE);
    assertViolation(
        new HistoryBuilder()
            .insert(T, Outcome.DONE)
            .delete(T, 0, Outcome.DONE)
            .read(T, observed(T, 0, op(1), 0)),
        ViolationKind.STALE);
    assertThat(check(new HistoryBuilder().insert(T, Outcome.DONE).by("bob").read(T))).isEmpty();
  }

  @Test
  void shouldMissAnEnd() {
    HistoryBuilder builder = new HistoryBuilder().invokeWithoutResponse();
    assertViolation(builder, ViolationKind.STUCK);
    CheckConfig dead = CheckConfig.USUAL.withDead(Set.of("ann"));
    assertThat(HistoryChecker.check(builder.history(), dead)).isEmpty();
  }

  @Test
  void shouldLetAPlainCallerBeInDoubtAtOnce() {
    HistoryBuilder doubtful = new HistoryBuilder().insert(T, Outcome.UNKNOWN);
    CheckConfig certain = CheckConfig.USUAL.withCertainty(Duration.ofSeconds(1));
    assertThat(HistoryChecker.check(doubtful.history(), certain)).isNotEmpty();
    assertThat(HistoryChecker.check(doubtful.history(), certain.withPlain(Set.of("ann"))))
        .isEmpty();
  }

  @Test
  void shouldNotLetACallerBeInDoubtBeforeItsTime() {
    CheckConfig config = CheckConfig.USUAL.withCertainty(Duration.ofMillis(100));
    HistoryBuilder builder = new HistoryBuilder().insert(T, Outcome.UNKNOWN);
    assertThat(HistoryChecker.check(builder.history(), config))
        .extracting(Violation::kind)
        .containsExactly(ViolationKind.STUCK);
    assertThat(check(builder)).isEmpty();
  }

  @Test
  void shouldKeepWhatLinesSay() {
    History history =
        new HistoryBuilder()
            .insert(T, Outcome.DONE)
            .claim(observed(T, 1, op(1), 1))
            .delete(T, 1, Outcome.REFUSED)
            .read(T, observed(T, 1, op(1), 1))
            .invokeWithoutResponse()
            .history();
    Stream<String> begins =
        history.operations().stream().map(op -> HistoryFormat.of(op.invocation()));
    Stream<String> ends =
        history.operations().stream().flatMap(op -> op.response().stream()).map(HistoryFormat::of);
    List<String> lines = Stream.concat(begins, ends).toList();
    assertThat(HistoryFormat.read(lines)).isEqualTo(history);
    assertThat(HistoryFormat.read(List.of("invoked op1 ann CL")).operations()).isEmpty();
  }

  private static List<Violation> check(HistoryBuilder builder) {
    return HistoryChecker.check(builder.history(), CheckConfig.USUAL);
  }

  private static void assertViolation(HistoryBuilder builder, ViolationKind kind) {
    assertThat(check(builder)).extracting(Violation::kind).contains(kind);
  }
}

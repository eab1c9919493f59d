package io.entroq.system.history;

import static io.entroq.system.history.Story.op;
import static io.entroq.system.history.Story.seen;
import static io.entroq.system.history.Story.write;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The checker finds what is wrong, and nothing else. */
class HistoryCheckerTest {
  private static final String T = "task";

  /** What the second operation inserts. */
  private static final Seen NEXT = seen("next", 0, op(2), 0);

  @Test
  void shouldFindNothingWrongWithTheUsual() {
    Story story =
        new Story()
            .insert(T, Outcome.DONE)
            .claim(seen(T, 1, op(1), 1))
            .change(T, 2, 1, Outcome.DONE)
            .read(T, seen(T, 2, op(3), 1))
            .delete(T, 1, Outcome.REFUSED)
            .delete(T, 2, Outcome.DONE)
            .read(T)
            .audit();
    assertThat(check(story)).isEmpty();
  }

  @Test
  void shouldFindNothingWrongWithWhatNobodyKnows() {
    Story story =
        new Story()
            .insert("made", Outcome.UNKNOWN)
            .insert("unmade", Outcome.UNKNOWN)
            .insert(T, Outcome.DONE)
            .change(T, 1, 0, Outcome.UNKNOWN)
            .delete("made", 0, Outcome.UNKNOWN)
            .claim(seen("made", 1, op(1), 1))
            .audit(seen(T, 1, op(4), 0), seen("made", 1, op(1), 1))
            .delete(T, 1, Outcome.UNKNOWN)
            .audit(seen("made", 1, op(1), 1));
    assertThat(check(story)).isEmpty();
  }

  @Test
  void shouldFindNothingWrongWithClaimThatWasGivenBack() {
    Story story = new Story().insert(T, Outcome.DONE).audit(seen(T, 2, op(1), 0));
    assertThat(check(story)).isEmpty();
  }

  @Test
  void shouldFindNothingWrongWithWhatIsProven() {
    Story seenByOthers =
        new Story()
            .insert(T, Outcome.DONE)
            .tryInDoubt(List.of(write("next", 0)), new TaskVersion(T, 0))
            .read("next")
            .by("bob")
            .claim(seen("next", 1, op(2), 1))
            .delete(T, 0, Outcome.REFUSED)
            .audit(seen("next", 1, op(2), 1));
    assertThat(check(seenByOthers)).isEmpty();
    Story goneForOthers =
        new Story()
            .insert(T, Outcome.DONE)
            .tryInDoubt(List.of(write("next", 0)), new TaskVersion(T, 0))
            .audit(seen("next", 0, op(2), 0))
            .audit(seen("next", 0, op(2), 0));
    assertThat(check(goneForOthers)).isEmpty();
    Story doneByEither =
        new Story()
            .insert(T, Outcome.DONE)
            .tryInDoubt(List.of(write("next", 0)), new TaskVersion(T, 0))
            .by("bob")
            .delete(T, 0, Outcome.UNKNOWN)
            .audit()
            .audit();
    assertThat(check(doneByEither)).isEmpty();
  }

  @Test
  void shouldCountEndsOfWhatIsProven() {
    Story finished =
        new Story()
            .insert(T, Outcome.DONE)
            .tryInDoubt(List.of(write("next", 0)), new TaskVersion(T, 0));
    assertHarm(finished.by("bob").delete(T, 0, Outcome.DONE).audit(NEXT), Harm.DOUBLED);
    Story claimed =
        new Story()
            .insert(T, Outcome.DONE)
            .tryInDoubt(List.of(write("next", 0)), new TaskVersion(T, 0));
    assertHarm(claimed.by("bob").claim(seen(T, 1, op(1), 1)).audit(NEXT), Harm.DOUBLED);
  }

  @Test
  void shouldCountMakersOfWhatIsProven() {
    Story moved =
        new Story()
            .insert(T, Outcome.DONE)
            .change(T, 1, 0, Outcome.UNKNOWN)
            .claim(seen(T, 2, op(2), 1))
            .by("bob")
            .change(T, 1, 0, Outcome.DONE);
    assertHarm(moved, Harm.DOUBLED);
    // Of two who race for an id, one was told that it is his, and the other one's value is there.
    Story raced =
        new Story()
            .insert(T, Outcome.DONE)
            .by("bob")
            .insert(T, Outcome.UNKNOWN)
            .audit(seen(T, 0, op(2), 0));
    assertHarm(raced, Harm.DOUBLED);
  }

  @Test
  void shouldMissAPartOfWhatIsProven() {
    Story withoutItsDeletion =
        new Story()
            .insert(T, Outcome.DONE)
            .tryInDoubt(List.of(write("next", 0)), new TaskVersion(T, 0))
            .audit(NEXT, seen(T, 0, op(1), 0))
            .audit(NEXT, seen(T, 0, op(1), 0));
    assertHarm(withoutItsDeletion, Harm.LOST);
    Story withoutOneOfItsInserts =
        new Story()
            .tryInDoubt(List.of(write("first", 0), write("second", 0)))
            .claim(seen("first", 1, op(1), 1))
            .audit(seen("first", 1, op(1), 1));
    assertHarm(withoutOneOfItsInserts, Harm.LOST);
    Story withItsDeletionAlone =
        new Story()
            .insert(T, Outcome.DONE)
            .tryInDoubt(List.of(write("next", 0)), new TaskVersion(T, 0))
            .audit()
            .audit();
    assertHarm(withItsDeletionAlone, Harm.LOST);
  }

  @Test
  void shouldMissAChangeThatIsProven() {
    Story story =
        new Story()
            .insert(T, Outcome.DONE)
            .change(T, 1, 0, Outcome.UNKNOWN)
            .claim(seen(T, 2, op(2), 1))
            .audit(seen(T, 2, op(1), 1));
    assertHarm(story, Harm.LOST);
  }

  @Test
  void shouldMissAnInsert() {
    assertHarm(new Story().insert(T, Outcome.DONE).audit(), Harm.LOST);
  }

  @Test
  void shouldMissAnInsertThatOnlyAnOlderVersionOfMayHaveBeenDeleted() {
    assertHarm(
        new Story()
            .insert(T, Outcome.DONE)
            .delete(T, 0, Outcome.UNKNOWN)
            .claim(seen(T, 1, op(1), 1))
            .audit(),
        Harm.LOST);
  }

  @Test
  void shouldMissAChange() {
    assertHarm(
        new Story()
            .insert(T, Outcome.DONE)
            .change(T, 1, 0, Outcome.DONE)
            .audit(seen(T, 0, op(1), 0)),
        Harm.LOST);
  }

  @Test
  void shouldMissTheValueOfAChange() {
    assertHarm(
        new Story()
            .insert(T, Outcome.DONE)
            .change(T, 1, 0, Outcome.DONE)
            .audit(seen(T, 1, op(1), 0)),
        Harm.LOST);
  }

  @Test
  void shouldMissADeletion() {
    assertHarm(
        new Story().insert(T, Outcome.DONE).delete(T, 0, Outcome.DONE).audit(seen(T, 0, op(1), 0)),
        Harm.LOST);
  }

  @Test
  void shouldNotLetAVersionBeDeniedThatWasThere() {
    assertHarm(
        new Story()
            .insert(T, Outcome.DONE)
            .delete(T, 0, Outcome.REFUSED)
            .claim(seen(T, 1, op(1), 1)),
        Harm.LOST);
  }

  @Test
  void shouldNotLetAVersionBeDeniedThatIsStillThere() {
    assertHarm(
        new Story()
            .insert(T, Outcome.DONE)
            .delete(T, 0, Outcome.REFUSED)
            .audit(seen(T, 0, op(1), 0)),
        Harm.LOST);
  }

  @Test
  void shouldCountInsertsOfOneTask() {
    assertHarm(new Story().insert(T, Outcome.DONE).insert(T, Outcome.DONE), Harm.DOUBLED);
  }

  @Test
  void shouldCountHoldersOfOneVersion() {
    assertHarm(
        new Story()
            .insert(T, Outcome.DONE)
            .claim(seen(T, 1, op(1), 1))
            .by("bob")
            .claim(seen(T, 1, op(1), 1)),
        Harm.DOUBLED);
  }

  @Test
  void shouldCountEndsOfOneVersion() {
    assertHarm(
        new Story()
            .insert(T, Outcome.DONE)
            .change(T, 1, 0, Outcome.DONE)
            .by("bob")
            .delete(T, 0, Outcome.DONE),
        Harm.DOUBLED);
  }

  @Test
  void shouldNotLetATaskComeBack() {
    assertHarm(
        new Story().insert(T, Outcome.DONE).delete(T, 0, Outcome.DONE).claim(seen(T, 2, op(1), 1)),
        Harm.DOUBLED);
  }

  @Test
  void shouldNotLetTwoHoldATaskAtATime() {
    Story early = claimedTwiceWithin(Story.LEASE_MS / 2);
    assertHarm(early, Harm.DOUBLED);
    assertThat(HistoryChecker.check(early.history(), CheckConfig.USUAL.withOddClocks())).isEmpty();
    assertThat(check(claimedTwiceWithin(Story.LEASE_MS))).isEmpty();
  }

  @Test
  void shouldBearThatLogTimeIsATenthFaster() {
    assertThat(check(claimedTwiceWithin(Story.LEASE_MS * 10 / 11))).isEmpty();
    assertHarm(claimedTwiceWithin(Story.LEASE_MS * 8 / 10), Harm.DOUBLED);
  }

  private static Story claimedTwiceWithin(long ms) {
    return new Story()
        .insert(T, Outcome.DONE)
        .claim(seen(T, 1, op(1), 1))
        .by("bob")
        .after(ms)
        .claim(seen(T, 2, op(1), 2));
  }

  @Test
  void shouldNotKnowWhatNobodyInserted() {
    assertHarm(
        new Story()
            .insert("other", Outcome.DONE)
            .audit(seen("other", 0, op(1), 0), seen(T, 0, op(1), 0)),
        Harm.PHANTOM);
    assertHarm(new Story().delete(T, 0, Outcome.DONE), Harm.PHANTOM);
  }

  @Test
  void shouldNotSeeWhatWasRefused() {
    assertHarm(new Story().insert(T, Outcome.REFUSED).audit(seen(T, 0, op(1), 0)), Harm.PHANTOM);
    assertHarm(new Story().insert(T, Outcome.NOT_DONE).claim(seen(T, 1, op(1), 1)), Harm.PHANTOM);
    assertHarm(
        new Story()
            .insert(T, Outcome.DONE)
            .change(T, 1, 0, Outcome.REFUSED)
            .audit(seen(T, 1, op(2), 0)),
        Harm.PHANTOM);
  }

  @Test
  void shouldNotSeeATaskBeforeItIsInserted() {
    assertHarm(new Story().claim(seen(T, 1, op(2), 1)).insert(T, Outcome.DONE), Harm.PHANTOM);
  }

  @Test
  void shouldNotFindAVersionThatNobodyMade() {
    assertHarm(new Story().insert(T, Outcome.DONE).audit(seen(T, 1, op(1), 0)), Harm.PHANTOM);
  }

  /** Also if its caller asked again, when the task had moved on. */
  @Test
  void shouldCountTheClaimsThatAChangeIsToldOf() {
    assertHarm(
        new Story()
            .insert(T, Outcome.DONE)
            .claim(seen(T, 1, op(1), 1))
            .change(T, 2, 0, Outcome.DONE)
            .audit(seen(T, 2, op(3), 1)),
        Harm.PHANTOM);
  }

  @Test
  void shouldNotFindAValueThatNobodyWrote() {
    assertHarm(new Story().insert(T, Outcome.DONE).audit(seen(T, 0, "?", 0)), Harm.PHANTOM);
  }

  @Test
  void shouldShowCallersWhatTheyHaveWritten() {
    assertHarm(new Story().insert(T, Outcome.DONE).read(T), Harm.STALE);
    assertHarm(
        new Story()
            .insert(T, Outcome.DONE)
            .claim(seen(T, 1, op(1), 1))
            .read(T, seen(T, 0, op(1), 0)),
        Harm.STALE);
    assertHarm(
        new Story()
            .insert(T, Outcome.DONE)
            .delete(T, 0, Outcome.DONE)
            .read(T, seen(T, 0, op(1), 0)),
        Harm.STALE);
    assertThat(check(new Story().insert(T, Outcome.DONE).by("bob").read(T))).isEmpty();
  }

  @Test
  void shouldMissAnEnd() {
    Story story = new Story().askInVain();
    assertHarm(story, Harm.STUCK);
    CheckConfig dead = CheckConfig.USUAL.withDead(Set.of("ann"));
    assertThat(HistoryChecker.check(story.history(), dead)).isEmpty();
  }

  @Test
  void shouldNotLetACallerBeInDoubtBeforeItsTime() {
    CheckConfig config = CheckConfig.USUAL.withCertainty(Duration.ofMillis(100));
    Story story = new Story().insert(T, Outcome.UNKNOWN);
    assertThat(HistoryChecker.check(story.history(), config))
        .extracting(Finding::harm)
        .containsExactly(Harm.STUCK);
    assertThat(check(story)).isEmpty();
  }

  @Test
  void shouldKeepWhatLinesSay() {
    History history =
        new Story()
            .insert(T, Outcome.DONE)
            .claim(seen(T, 1, op(1), 1))
            .delete(T, 1, Outcome.REFUSED)
            .read(T, seen(T, 1, op(1), 1))
            .askInVain()
            .history();
    Stream<String> begins = history.operations().stream().map(op -> HistoryLine.of(op.asked()));
    Stream<String> ends =
        history.operations().stream().flatMap(op -> op.told().stream()).map(HistoryLine::of);
    List<String> lines = Stream.concat(begins, ends).toList();
    assertThat(HistoryLine.read(lines)).isEqualTo(history);
    assertThat(HistoryLine.read(List.of("asked op1 ann CL")).operations()).isEmpty();
  }

  private static List<Finding> check(Story story) {
    return HistoryChecker.check(story.history(), CheckConfig.USUAL);
  }

  private static void assertHarm(Story story, Harm harm) {
    assertThat(check(story)).extracting(Finding::harm).contains(harm);
  }
}

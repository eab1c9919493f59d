package io.entroq.simulator.check;

import static io.entroq.simulator.check.Script.assertBroken;
import static io.entroq.simulator.check.Script.name;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.entroq.api.Durability;
import io.entroq.codec.wire.log.CallersGone;
import io.entroq.codec.wire.log.Cancel;
import io.entroq.codec.wire.log.Claim;
import io.entroq.codec.wire.log.Failure;
import io.entroq.codec.wire.log.ItemKind;
import io.entroq.codec.wire.log.Modify;
import io.entroq.codec.wire.log.Result;
import io.entroq.codec.wire.log.ResultCode;
import io.entroq.codec.wire.log.Task;
import io.entroq.codec.wire.log.Tick;
import io.entroq.simulator.virtual.SeededRandom;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Each invariant that the ledger checks is violated by a lie: scripted records with answers that an
 * engine must not give, counts and digests that do not fit, ends of lives and what is found after
 * them. Those that are watched elsewhere are broken where they are; none is broken nowhere.
 */
class InvariantTest {
  private Script script;

  @BeforeEach
  void begin() {
    script = new Script(LedgerConfig.of(Durability.DISK, true));
  }

  @AfterEach
  void close() {
    script.close();
  }

  // Tasks.

  @Test
  void shouldMissATaskThatIsNotListed() {
    script.apply(script.machine, Script.insertion("q", 5, script.nowMs).build());
    script.insert("q", 5);
    script.insert("q", 6);
    assertBroken(
        Invariant.ACKNOWLEDGED_STAYS, name(6), () -> script.ledger.full(script.machine, 0));
  }

  @Test
  void shouldMissRecordsThatAReplyHasShown() {
    script.insert("q", 5);
    script.ledger.onForced(2);
    script.ledger.onReplyLeft(2);
    script.ledger.onDeath(Ledger.Death.POWER);
    assertBroken(Invariant.ACKNOWLEDGED_STAYS, "@2", () -> script.ledger.onRecovered(1));
  }

  @Test
  void shouldNoticeATaskThatNobodyInserted() {
    Task task = script.insert("q", 5);
    Task other = script.claimed(task).toBuilder().setId(Script.id(6)).build();
    assertBroken(Invariant.NO_PHANTOM, name(6), () -> claimOne(other));
  }

  @Test
  void shouldNoticeATaskThatIsListedAndGone() {
    script.apply(script.machine, Script.insertion("q", 5, script.nowMs).build());
    script.insert("q", 6);
    assertBroken(Invariant.NO_PHANTOM, name(5), () -> script.ledger.full(script.machine, 0));
  }

  @Test
  void shouldNoticeASecondCommitOfOneVersion() {
    Task task = script.insert("q", 5);
    script.feed(Script.deletion(task).build(), script.ok());
    assertBroken(
        Invariant.COMMITTED_ONCE,
        name(5),
        () -> script.feed(Script.deletion(task).build(), script.ok()));
  }

  @Test
  void shouldNoticeAVersionThatIsLeftOut() {
    Task task = script.claimed(script.insert("q", 5));
    assertBroken(
        Invariant.VERSIONS_BY_ONE, name(5), () -> claimOne(task.toBuilder().setVersion(2).build()));
  }

  @Test
  void shouldNoticeASecondLease() {
    Task task = script.take(script.insert("q", 5));
    script.nowMs += Script.LEASE_MS - 1;
    assertBroken(Invariant.ONE_LEASE, name(5), () -> claimOne(script.claimed(task)));
  }

  @Test
  void shouldNoticeATaskThatIsClaimedTwiceInOneClaim() {
    Task task = script.insert("q", 5);
    script.insert("q", 6);
    Task taken = script.claimed(task);
    Claim claim = Script.claim("q").setLimit(2).build();
    assertBroken(
        Invariant.ONE_LEASE,
        name(5),
        () -> script.feed(claim, script.ok().addClaimed(taken).addClaimed(taken)));
  }

  @Test
  void shouldNoticeAModifyOfATaskThatSomebodyElseHolds() {
    Task task = script.take(script.insert("q", 5));
    Modify deletion = Script.deletion(task).setClaimant(Script.id(78)).build();
    assertBroken(Invariant.ONE_LEASE, name(5), () -> script.feed(deletion, script.ok()));
  }

  @Test
  void shouldNoticeAClaimBeforeTheArrival() {
    Task task = script.insert("q", 5, script.nowMs + 10);
    assertBroken(Invariant.NOT_BEFORE_ARRIVAL, name(5), () -> claimOne(script.claimed(task)));
  }

  @Test
  void shouldNoticeAnotherValue() {
    Task task = script.claimed(script.insert("q", 5));
    Task other = task.toBuilder().setValue(ByteString.copyFromUtf8("what is to be dome")).build();
    assertBroken(Invariant.VALUE_INTACT, name(5), () -> claimOne(other));
  }

  @Test
  void shouldNoticeAClaimedTaskThatIsNotToldInFull() {
    Task task = script.claimed(script.insert("q", 5));
    Task untold = task.toBuilder().clearQueue().clearValue().clearValueKind().build();
    assertBroken(Invariant.ANSWERS_EXACT, name(5), () -> claimOne(untold));
  }

  @Test
  void shouldNoticeAnInsertedTaskThatIsToldWithAnotherValueAndNoQueue() {
    Modify insertion = Script.insertion("q", 5, script.nowMs).build();
    Task task = script.inserted("q", 5, script.nowMs).toBuilder().clearQueue().build();
    assertBroken(
        Invariant.VALUE_INTACT,
        name(5),
        () -> script.feed(insertion, script.ok().addInserted(task)));
  }

  @Test
  void shouldNoticeAClaimedTaskThatIsNotToldInFullTheSecondTime() {
    Task task = script.claimed(script.insert("q", 5));
    Claim claim = Script.claim("q").setIdentity(Script.identity(9, 1)).build();
    script.feed(claim, script.ok().addClaimed(task));
    Task untold = task.toBuilder().clearQueue().clearValue().clearValueKind().build();
    assertBroken(
        Invariant.FIRST_ANSWER, name(5), () -> script.feed(claim, script.ok().addClaimed(untold)));
  }

  @Test
  void shouldNoticeAClaimThatIsNotUndone() {
    Task task = script.insert("q", 5);
    Claim claim = Script.claim("q").setIdentity(Script.identity(9, 1)).build();
    script.feed(claim, script.ok().addClaimed(script.claimed(task)));
    Cancel cancel = Cancel.newBuilder().setIdentity(Script.identity(9, 1)).build();
    script.feed(cancel, script.ok());
    Task again = script.claimed(task).toBuilder().setVersion(3).setClaims(2).build();
    assertBroken(Invariant.GIVEN_BACK, name(5), () -> claimOne(again));
  }

  private void claimOne(Task taken) {
    script.feed(Script.claim("q").build(), script.ok().addClaimed(taken));
  }

  // Modifies.

  @Test
  void shouldNoticeAPartThatIsLeftOut() {
    Modify.Builder two = Script.insertion("q", 5, script.nowMs);
    two.addInserts(Script.insertion("q", 6, script.nowMs).getInserts(0));
    Task one = script.inserted("q", 5, script.nowMs);
    assertBroken(
        Invariant.ALL_OR_NONE, "@2", () -> script.feed(two.build(), script.ok().addInserted(one)));
  }

  @Test
  void shouldNoticeAFailureThatIsLeftOut() {
    Task task = script.insert("q", 5);
    Modify modify =
        Script.deletion(task.toBuilder().setVersion(4).build())
            .addDepends(Script.ref(task.toBuilder().setId(Script.id(8)).build()))
            .build();
    Failure failure = Failure.newBuilder().setItemKind(ItemKind.ITEM_DELETE).build();
    Result.Builder lie = script.answer(ResultCode.RESULT_DEPENDENCY).addFailures(failure);
    assertBroken(Invariant.DEPENDENCIES_EXACT, "@3", () -> script.feed(modify, lie));
  }

  @Test
  void shouldNoticeARefusalWithoutReason() {
    Task task = script.insert("q", 5);
    Failure failure = Failure.newBuilder().setItemKind(ItemKind.ITEM_DELETE).build();
    Result.Builder lie = script.answer(ResultCode.RESULT_DEPENDENCY).addFailures(failure);
    assertBroken(
        Invariant.DEPENDENCIES_EXACT, "@3", () -> script.feed(Script.deletion(task).build(), lie));
  }

  @Test
  void shouldNoticeAQueueThatGrowsBeyondItsLimit() {
    Modify second = Script.insertion("q", 6, script.nowMs).setQueueTasksMax(1).build();
    script.insert("q", 5);
    Result.Builder lie = script.ok().addInserted(script.inserted("q", 6, script.nowMs));
    assertBroken(Invariant.QUEUE_LIMIT, "@3", () -> script.feed(second, lie));
  }

  // Requests.

  @Test
  void shouldNoticeARetryThatIsAnsweredAnew() {
    Task task = script.insert("q", 5);
    Modify deletion = Script.deletion(task).setIdentity(Script.identity(9, 1)).build();
    script.feed(deletion, script.ok());
    Failure failure = Failure.newBuilder().setItemKind(ItemKind.ITEM_DELETE).build();
    Result.Builder lie = script.answer(ResultCode.RESULT_DEPENDENCY).addFailures(failure);
    assertBroken(Invariant.FIRST_ANSWER, Tasks.name(9, 9) + "/1", () -> script.feed(deletion, lie));
  }

  @Test
  void shouldNoticeAnAnswerTooMany() {
    Task task = script.inserted("q", 5, script.nowMs);
    Result answer = script.ok().addInserted(task).build();
    Modify insertion = Script.insertion("q", 5, script.nowMs).build();
    assertBroken(
        Invariant.ONE_ANSWER,
        "@1",
        () -> script.feed(insertion, Script.answers(2, answer, 1, answer)));
  }

  @Test
  void shouldNoticeAnAnswerThatIsMissing() {
    Modify insertion = Script.insertion("q", 5, script.nowMs).build();
    assertBroken(Invariant.ONE_ANSWER, "@2", () -> script.feed(insertion, Map.of()));
  }

  @Test
  void shouldNoticeAnAnswerFromAnotherTime() {
    Task task = script.inserted("q", 5, script.nowMs);
    Result.Builder lie = script.ok().addInserted(task).setLogTimeMs(script.nowMs + 1);
    assertBroken(
        Invariant.ANSWERS_EXACT,
        "@2",
        () -> script.feed(Script.insertion("q", 5, script.nowMs).build(), lie));
  }

  // Claims.

  @Test
  void shouldNoticeAClaimThatFindsNothingWhereSomethingIs() {
    script.insert("q", 5);
    Claim claim = Script.claim("q").build();
    LoggedRecord entry = LoggedRecord.of(claim, script.nowMs, 0);
    Result empty =
        Result.newBuilder()
            .setCode(ResultCode.RESULT_EMPTY)
            .setSequence(2)
            .setLogTimeMs(script.nowMs)
            .build();
    assertBroken(
        Invariant.CLAIMS_FIND_WORK,
        "q",
        () ->
            script.ledger.onUnlogged(
                entry.type(),
                entry.payload(),
                0,
                entry.payload().capacity(),
                Script.decoded(empty)));
  }

  @Test
  void shouldNoticeAClaimThatGetsLessThanThereIs() {
    Task task = script.insert("q", 5);
    script.insert("q", 6);
    Claim claim = Script.claim("q").setLimit(2).build();
    assertBroken(
        Invariant.CLAIMS_FIND_WORK,
        "@4",
        () -> script.feed(claim, script.ok().addClaimed(script.claimed(task))));
  }

  @Test
  void shouldNoticeAClaimThatWaitsBesideATask() {
    script.feed(Script.waiting(9, "q", 0).build(), Map.of());
    assertBroken(Invariant.CLAIMERS_SERVED, "@2", () -> script.insert("q", 5));
  }

  @Test
  void shouldNoticeATaskThatHasComeDueUnheard() {
    script.feed(Script.waiting(9, "q", 0).build(), Map.of());
    script.insert("q", 5, script.nowMs + 10);
    script.nowMs += 10;
    assertBroken(Invariant.CLAIMERS_SERVED, "@4", () -> script.insert("other", 6));
    assertBroken(
        Invariant.CLAIMERS_SERVED, "@4", () -> script.ledger.onIdle(script.nowMs, Long.MAX_VALUE));
  }

  @Test
  void shouldNoticeAClaimThatJumpsTheQueueOfThoseWhoWait() {
    script.feed(Script.waiting(8, "q", 0).build(), Map.of());
    script.feed(Script.waiting(9, "q", 0).build(), Map.of());
    Task task = script.inserted("q", 5, script.nowMs);
    Result own = script.ok().addInserted(task).build();
    Result other = script.ok().addClaimed(script.claimed(task)).build();
    Modify insertion = Script.insertion("q", 5, script.nowMs).build();
    assertBroken(
        Invariant.WAITERS_IN_TURN,
        "@2",
        () -> script.feed(insertion, Script.answers(4, own, 3, other)));
  }

  @Test
  void shouldNoticeAWaitThatDoesNotEnd() {
    script.feed(Script.waiting(9, "q", script.nowMs + 10).build(), Map.of());
    script.nowMs += 10;
    assertBroken(Invariant.WAITS_END, "@2", () -> script.feed(Tick.getDefaultInstance(), Map.of()));
  }

  @Test
  void shouldNoticeAWrongDeadline() {
    script.feed(Script.waiting(9, "q", script.nowMs + 10).build(), Map.of());
    assertBroken(
        Invariant.WAITS_END,
        "next deadline",
        () -> script.ledger.onIdle(script.nowMs, script.nowMs + 11));
  }

  @Test
  void shouldNoticeATaskThatIsPassedOverAgainAndAgain() {
    script.insert("q", 1);
    Task[] others = new Task[62];
    for (int i = 0; i < others.length; i++) {
      others[i] = script.insert("q", 2 + i);
    }
    assertBroken(
        Invariant.NOBODY_STARVES,
        name(1),
        () -> {
          for (Task other : others) {
            script.take(other);
          }
        });
  }

  @Test
  void shouldLetTheLastOfThoseInLineBeChosen() {
    Task[] due = dueTogether(257);
    script.take(due[255]);
    script.take(due[256]);
    assertThat(script.ledger.taskCount()).isEqualTo(due.length);
  }

  @Test
  void shouldNoticeATaskThatIsChosenBeforeItIsInLine() {
    Task[] due = dueTogether(257);
    assertBroken(Invariant.FAIR_CHOICE, name(257), () -> script.take(due[256]));
  }

  /** Tasks that are due now, each a little later than the one before. */
  private Task[] dueTogether(int count) {
    Task[] tasks = new Task[count];
    for (int i = 0; i < count; i++) {
      tasks[i] = script.insert("q", 1 + i, script.nowMs + 1 + i);
    }
    script.nowMs += count;
    return tasks;
  }

  // Chance.

  @Test
  void shouldBelieveAFairChance() {
    SeededRandom random = new SeededRandom(1);
    Fairness fairness = new Fairness();
    for (int i = 0; i < 400_000; i++) {
      int count = 2 + random.below(9);
      int pick = random.oneIn(2) ? 0 : random.below(count);
      fairness.taskChosen(pick == 0, Math.max(0, pick - 1), count);
      fairness.returnedChosen(pick == 1, 1, count);
      fairness.queueChosen(random.below(3), 3);
    }
    fairness.check();
  }

  @Test
  void shouldNoticeACoinWithAFavourite() {
    SeededRandom random = new SeededRandom(1);
    Fairness fairness = new Fairness();
    assertBroken(
        Invariant.FAIR_CHOICE,
        "heads",
        () -> {
          for (int i = 0; i < 100_000; i++) {
            fairness.taskChosen(random.permille(600), random.below(99), 100);
          }
        });
  }

  @Test
  void shouldNoticeTasksThatComeBackToTheFront() {
    SeededRandom random = new SeededRandom(1);
    Fairness fairness = new Fairness();
    assertBroken(
        Invariant.POISON_DELAYS_ONCE,
        "claimed again",
        () -> {
          for (int i = 0; i < 100_000; i++) {
            int pick = random.oneIn(2) ? 0 : random.below(10);
            fairness.taskChosen(pick == 0, Math.max(0, pick - 1), 10);
            fairness.returnedChosen(pick != 0, 1, 10);
          }
        });
  }

  @Test
  void shouldNoticeACoinThatRemembers() {
    Fairness fairness = new Fairness();
    assertBroken(
        Invariant.FAIR_CHOICE,
        "heads after heads",
        () -> {
          for (int i = 0; i < 100_000; i++) {
            fairness.taskChosen(i % 200 < 101, i % 99, 100);
          }
        });
  }

  @Test
  void shouldBelieveAFairChanceHoweverOftenItIsLookedAt() {
    SeededRandom random = new SeededRandom(2);
    for (int world = 0; world < 200; world++) {
      Fairness fairness = new Fairness();
      for (int i = 0; i < 2_000; i++) {
        int count = 2 + random.below(1 + world % 5);
        fairness.queueChosen(random.below(count), count);
        fairness.check();
      }
    }
  }

  @Test
  void shouldNoticeSoonThatTheFirstQueueAlwaysWins() {
    Fairness fairness = new Fairness();
    for (int i = 0; i < 200; i++) {
      fairness.queueChosen(0, 2 + i % 2);
    }
    assertBroken(Invariant.FAIR_CHOICE, "queues", fairness::check);
  }

  @Test
  void shouldNoticeSoonThatTheLastPlaceIsNeverChosen() {
    SeededRandom random = new SeededRandom(1);
    Fairness fairness = new Fairness();
    assertBroken(
        Invariant.FAIR_CHOICE,
        "places of tasks, the last",
        () -> {
          for (int i = 0; i < 2_100; i++) {
            int pick = random.oneIn(2) ? 0 : random.below(7);
            fairness.taskChosen(pick == 0, Math.max(0, pick - 1), 8);
          }
        });
  }

  @Test
  void shouldNoticeThatTheMiddleIsSeldomChosen() {
    SeededRandom random = new SeededRandom(1);
    Fairness fairness = new Fairness();
    assertBroken(
        Invariant.FAIR_CHOICE,
        "queues",
        () -> {
          for (int i = 0; i < 100_000; i++) {
            int pick = random.below(5);
            boolean isMoved = pick == 2 && random.oneIn(4);
            fairness.queueChosen(isMoved ? 1 + 2 * random.below(2) : pick, 5);
          }
        });
  }

  @Test
  void shouldNoticeAQueueThatIsPreferred() {
    SeededRandom random = new SeededRandom(1);
    Fairness fairness = new Fairness();
    assertBroken(
        Invariant.FAIR_CHOICE,
        "queues",
        () -> {
          for (int i = 0; i < 100_000; i++) {
            fairness.queueChosen(random.permille(530) ? 0 : 1, 2);
          }
        });
  }

  // Log and time.

  @Test
  void shouldNoticeTimeThatGoesBack() {
    script.nowMs--;
    assertBroken(Invariant.TIME_NEVER_BACK, "@2", () -> script.insert("q", 5));
  }

  @Test
  void shouldNoticeARecordThatIsLeftOut() {
    LoggedRecord entry = LoggedRecord.of(Tick.getDefaultInstance(), script.nowMs, 3);
    assertBroken(
        Invariant.NO_GAP,
        "@3",
        () -> script.ledger.onRecord(3, script.nowMs, entry.type(), entry.payload(), 0, 0));
  }

  // Lives.

  @Test
  void shouldNoticeAnotherStateAfterRecovery() {
    script.insert("q", 5);
    script.ledger.onDeath(Ledger.Death.PROCESS);
    assertBroken(
        Invariant.REPLAY_SAME,
        "@2",
        () -> script.ledger.onRecovered(2, script.nowMs, Script.digest(2), 3));
  }

  @Test
  void shouldKnowThatAWaitEndedWhileTheEngineWasDown() {
    Claim claim = Script.waiting(9, "q", script.nowMs + 10).build();
    script.apply(script.machine, claim);
    script.feed(claim, Map.of());
    script.ledger.onDeath(Ledger.Death.PROCESS);
    script.ledger.onRecovered(2);
    script.nowMs += 20;
    CallersGone gone = CallersGone.newBuilder().setAll(true).build();
    script.apply(script.machine, gone);
    script.feed(gone, Map.of(2L, script.answer(ResultCode.RESULT_TIMED_OUT).build()));
    script.ledger.onOpened(script.machine);
    script.insert("q", 5);
    script.feed(claim, script.answer(ResultCode.RESULT_TIMED_OUT));
    assertThat(script.ledger.taskCount()).isOne();
  }

  @Test
  void shouldNoticeAnOpeningThatDoesNotSayThatAllCallersAreGone() {
    script.feed(Script.waiting(9, "q", 0).build(), Map.of());
    script.ledger.onDeath(Ledger.Death.PROCESS);
    script.ledger.onRecovered(2);
    assertBroken(Invariant.GIVEN_BACK, "the opening", () -> script.ledger.onOpened(script.machine));
  }

  @Test
  void shouldNoticeRecordsThatNobodyHasWritten() {
    script.insert("q", 5);
    script.ledger.onDeath(Ledger.Death.PROCESS);
    assertBroken(Invariant.NO_PHANTOM, "@3", () -> script.ledger.onRecovered(3));
  }

  @Test
  void shouldNoticeDamageThatIsServed() {
    script.insert("q", 5);
    script.ledger.onDeath(Ledger.Death.PROCESS);
    script.ledger.onDamage(Long.MAX_VALUE);
    assertBroken(
        Invariant.DAMAGE_NEVER_SERVED,
        "@2",
        () -> script.ledger.onRecovered(2, script.nowMs, 1, 2));
  }

  @Test
  void shouldNoticeDamageThatIsCutOff() {
    script.insert("q", 5);
    script.ledger.onForced(2);
    script.ledger.onDeath(Ledger.Death.POWER);
    script.ledger.onDamage(Long.MAX_VALUE);
    assertBroken(Invariant.DAMAGE_NEVER_SERVED, "@2", () -> script.ledger.onRecovered(1));
  }

  @Test
  void shouldNoticeAnEndThatIsNotFound() {
    script.insert("q", 5);
    script.ledger.onDeath(Ledger.Death.PROCESS);
    assertBroken(Invariant.OPEN_FINDS_END, "@2", () -> script.ledger.onRecovered(1));
  }

  @Test
  void shouldNoticeAReplyThatLeavesTooEarly() {
    script.insert("q", 5);
    script.ledger.onForced(1);
    assertBroken(Invariant.DURABLE_REPLY, "@2", () -> script.ledger.onReplyLeft(2));
  }

  // Counts and bounds.

  @Test
  void shouldNoticeATaskThatStandsOtherwise() {
    script.apply(script.machine, Script.insertion("q", 5, script.nowMs - 1).build());
    script.insert("q", 5);
    assertBroken(Invariant.LISTING_COMPLETE, name(5), () -> script.ledger.full(script.machine, 0));
  }

  @Test
  void shouldNoticeAWrongCount() {
    script.feed(Script.waiting(9, "q", 0).build(), Map.of());
    assertBroken(
        Invariant.STATISTICS_COUNT, "parked claims", () -> script.ledger.full(script.machine, 0));
  }

  @Test
  void shouldNoticeCallersInAnotherOrder() {
    script.apply(script.machine, Script.waiting(9, "q", 0).build());
    script.apply(script.machine, Script.waiting(10, "q", 0).build());
    script.feed(Script.waiting(10, "q", 0).build(), Map.of());
    script.feed(Script.waiting(9, "q", 0).build(), Map.of());
    assertBroken(
        Invariant.CALLERS_IN_ORDER,
        Tasks.name(10, 10),
        () -> script.ledger.full(script.machine, 0));
  }

  @Test
  void shouldNoticeADigestThatDoesNotSumUp() {
    assertBroken(Invariant.CONTENT_SUMS_UP, "content digest", () -> FullCount.requireSum(1, 2));
  }

  @Test
  void shouldNoticeTooMuchMemory() {
    script.ledger.requireMemory(32L << 20, 0);
    assertBroken(
        Invariant.MEMORY_BOUNDED, "the state", () -> script.ledger.requireMemory(1L << 30, 0));
  }

  @Test
  void shouldMeasureMemoryByWhatWasLiveInOneLife() {
    script.feed(Script.deletion(insertLarge(5, 20 << 20)).build(), script.ok());
    long last = script.ledger.sequence();
    for (int i = 0; i < 1_000; i++) {
      script.feed(Tick.getDefaultInstance(), Map.of());
    }
    script.ledger.requireMemory(160 << 20, last - 1);
    assertBroken(
        Invariant.MEMORY_BOUNDED,
        "the state",
        () -> script.ledger.requireMemory(160 << 20, last + 900));
  }

  private Task insertLarge(long low, int bytes) {
    Modify.Builder insertion = Script.insertion("q", low, script.nowMs);
    insertion.getInsertsBuilder(0).getDataBuilder().setValue(ByteString.copyFrom(new byte[bytes]));
    Task task = script.inserted("q", low, script.nowMs);
    Task reportedDocs = task.toBuilder().clearQueue().clearValueKind().clearValue().build();
    script.feed(insertion.build(), script.ok().addInserted(reportedDocs));
    return task;
  }

  @Test
  void shouldMeasureWhatIsLiveByWhatIsLiveNow() {
    Task[] tasks = new Task[10_000];
    for (int i = 0; i < tasks.length; i++) {
      tasks[i] = script.insert("q", 1 + i);
    }
    script.ledger.requireLive(2 << 20);
    for (Task task : tasks) {
      script.feed(Script.deletion(task).build(), script.ok());
    }
    assertBroken(
        Invariant.MEMORY_BOUNDED, "what is live", () -> script.ledger.requireLive(2 << 20));
  }

  @Test
  void shouldNoticeTooMuchDisk() {
    script.ledger.onDiskUse(8 << 20, 2 << 20, 1 << 18);
    assertBroken(
        Invariant.DISK_BOUNDED,
        "the directory",
        () -> script.ledger.onDiskUse(3 << 20, 1 << 18, 1 << 18));
  }

  // Reports.

  @Test
  void shouldTellWhatTouchedTheTask() {
    Task task = script.take(script.insert("q", 5));
    script.insert("other", 6);
    assertBroken(Invariant.ONE_LEASE, name(5), () -> claimOne(script.claimed(task)));
    assertThat(script.ledger.lastCommands(10))
        .hasSize(2)
        .first()
        .asString()
        .startsWith("@2 at " + Script.START_MS + " Modify")
        .contains("insert " + name(5));
    assertThat(script.ledger.lastCommands(10).get(1)).contains("-> " + name(5) + " v1");
  }

  @Test
  void shouldSayTheSameWhateverTheLocale() {
    Locale before = Locale.getDefault();
    Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
    try {
      script.insert("q", 5);
      script.ledger.onDeath(Ledger.Death.PROCESS);
      assertThatThrownBy(() -> script.ledger.onRecovered(2, script.nowMs, 1, 2))
          .hasMessageContaining("time " + Script.START_MS + ",");
    } finally {
      Locale.setDefault(before);
    }
  }

  @Test
  void shouldBreakEachInvariantSomewhere() throws IOException {
    String tests;
    try (Stream<Path> files = Files.walk(Path.of("src/test/java"))) {
      tests = files.filter(Files::isRegularFile).map(InvariantTest::read).collect(joining());
    }
    for (Invariant each : Invariant.values()) {
      assertThat(tests).containsAnyOf("Invariant." + each.name(), '"' + each.label() + '"');
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void shouldNameEachInvariantOnce() {
    Set<String> labels = new HashSet<>();
    for (Invariant each : Invariant.values()) {
      assertThat(labels.add(each.label())).isTrue();
      assertThat(each.label()).matches("[a-z]+(-[a-z]+)*");
      assertThat(each.statement()).endsWith(".");
    }
  }
}

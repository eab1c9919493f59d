package io.entroq.engine.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.codec.effect.EffectFlags;
import io.entroq.codec.effect.EffectKinds;
import io.entroq.codec.result.ResultCodes;
import io.entroq.codec.wire.log.Change;
import io.entroq.codec.wire.log.ChangeMode;
import io.entroq.codec.wire.log.Claim;
import io.entroq.codec.wire.log.DocData;
import io.entroq.codec.wire.log.Fail;
import io.entroq.codec.wire.log.Genesis;
import io.entroq.codec.wire.log.Id;
import io.entroq.codec.wire.log.Insert;
import io.entroq.codec.wire.log.Overflow;
import io.entroq.codec.wire.log.Policy;
import io.entroq.codec.wire.log.TaskData;
import io.entroq.engine.doc.DocView;
import io.entroq.engine.effect.EffectDigest;
import io.entroq.engine.effect.EffectSink;
import io.entroq.engine.task.Bytes;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.agrona.DirectBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What steps say that they do, and in which order. */
class EffectsTest extends StateTestBase {
  private static final long CLIENT = 5;
  private static final int DONE = EffectFlags.REQUESTED | EffectFlags.WAS_IN_FLIGHT;

  private record Effect(long sequence, int index, int kind, long id, int version, String queue) {}

  private record Step(long sequence, long logTimeMs, long by, String byText) {}

  private final List<Effect> effects = new ArrayList<>();

  /** Of each effect. */
  private final List<Integer> flags = new ArrayList<>();

  /** Of each effect on a task. */
  private final List<String> formerQueues = new ArrayList<>();

  /** Of each effect on a policy or a queue. */
  private final List<Long> pauses = new ArrayList<>();

  private final List<Step> steps = new ArrayList<>();
  private int ends;

  private final EffectSink recorder =
      new EffectSink() {
        @Override
        public void onStep(
            long sequence,
            long logTimeMs,
            long byHigh,
            long byLow,
            DirectBuffer byText,
            int offset,
            int length) {
          String text = byText.getStringWithoutLengthUtf8(offset, length);
          steps.add(new Step(sequence, logTimeMs, byHigh ^ byLow, text));
        }

        @Override
        public void onStepEnd(long sequence) {
          assertThat(steps.get(ends++).sequence()).isEqualTo(sequence);
        }

        private void add(Effect effect, int itsFlags) {
          assertThat(effect.sequence()).isEqualTo(steps.get(ends).sequence());
          effects.add(effect);
          flags.add(itsFlags);
        }

        @Override
        public void onTask(
            long sequence,
            int index,
            int kind,
            int flags,
            TaskViewer viewer,
            int slot,
            Bytes formerQueue) {
          Shot shot = Shot.of(viewer.view(slot));
          add(new Effect(sequence, index, kind, shot.id(), shot.version(), shot.queue()), flags);
          formerQueues.add(text(formerQueue));
        }

        @Override
        public void onDoc(long sequence, int index, int kind, int flags, DocView doc) {
          DocShot shot = DocShot.of(doc);
          add(new Effect(sequence, index, kind, doc.idLow(), doc.version(), shot.key()), flags);
        }

        @Override
        public void onPolicy(
            long sequence,
            int index,
            int kind,
            int flags,
            Bytes policy,
            int version,
            long pausedUntilMs) {
          add(new Effect(sequence, index, kind, 0, version, ""), flags);
          pauses.add(pausedUntilMs);
        }

        @Override
        public void onQueue(
            long sequence, int index, int kind, int flags, Bytes name, long untilMs) {
          add(new Effect(sequence, index, kind, 0, 0, text(name)), flags);
          pauses.add(untilMs);
        }
      };

  private static String text(Bytes bytes) {
    byte[] copy = new byte[bytes.length()];
    bytes.buffer().getBytes(bytes.offset(), copy);
    return new String(copy, StandardCharsets.UTF_8);
  }

  @BeforeEach
  void listen() {
    machine.tellEffects(recorder);
  }

  private void forget() {
    effects.clear();
    flags.clear();
    formerQueues.clear();
    pauses.clear();
    steps.clear();
    ends = 0;
  }

  private List<Integer> kinds() {
    return effects.stream().map(Effect::kind).toList();
  }

  private void put(Policy.Builder policy) {
    assertThat(apply(modify(ANN).addPolicyPuts(policy)).code).isEqualTo(ResultCodes.OK);
    forget();
  }

  @Test
  void shouldTellTheEffectsOfAModifyInTheOrderInWhichTheyHappen() {
    for (int i = 1; i <= 4; i++) {
      insert("q", i);
    }
    forget();
    apply(
        modify(BOB)
            .addInserts(insert("r", 5, nowMs))
            .addChanges(change("q", 1, 0, nowMs + 5))
            .addChanges(change("p", 2, 0, nowMs + 5))
            .addChanges(lease(3))
            .addDeletes(ref(4, 0))
            .setThenClaim(Claim.newBuilder().addQueues("r").setLeaseMs(5)));
    long at = machine.sequence();
    assertThat(effects)
        .containsExactly(
            new Effect(at, 0, EffectKinds.INSERTED, 5, 0, "r"),
            new Effect(at, 1, EffectKinds.CHANGED, 1, 1, "q"),
            new Effect(at, 2, EffectKinds.MOVED, 2, 1, "p"),
            new Effect(at, 3, EffectKinds.RENEWED, 3, 1, "q"),
            new Effect(at, 4, EffectKinds.DELETED, 4, 0, "q"),
            new Effect(at, 5, EffectKinds.CLAIMED, 5, 1, "r"));
    assertThat(formerQueues).containsExactly("", "", "q", "", "", "");
    assertThat(flags).containsOnly(EffectFlags.REQUESTED);
    assertThat(steps).containsExactly(new Step(at, nowMs, BOB.getLow(), ""));
    assertThat(ends).isEqualTo(1);
  }

  // Steps, and who asked for them.

  @Test
  void shouldTellOfEachStepThoughItDoesNothing() {
    apply(claim(BOB, "q"));
    later(3);
    assertThat(steps)
        .containsExactly(
            new Step(machine.sequence() - 1, nowMs - 3, BOB.getLow(), ""),
            new Step(machine.sequence(), nowMs, 0, ""));
    assertThat(ends).isEqualTo(2);
    assertThat(effects).isEmpty();
  }

  @Test
  void shouldTellTheNameOfWhoAsked() {
    Id named = Id.newBuilder().setHigh(9).setLow(9).setText("ann@here").build();
    apply(modify(named).addInserts(insert("q", 1, nowMs)));
    apply(claimDocs(named, "users", "k").build());
    assertThat(steps).extracting(Step::byText).containsExactly("ann@here", "ann@here");
  }

  @Test
  void shouldNotTakeWhatOthersGetForWhatWasAskedFor() {
    apply(wait(request(CLIENT, 1), NEVER, "q"));
    forget();
    apply(modify(BOB).addInserts(insert("q", 1, nowMs)));
    assertThat(kinds()).containsExactly(EffectKinds.INSERTED, EffectKinds.CLAIMED);
    assertThat(flags).containsExactly(EffectFlags.REQUESTED, 0);
    assertThat(steps).extracting(Step::by).containsExactly(BOB.getLow());
    assertThat(find(1).claimant()).isEqualTo(ANN.getLow());
  }

  @Test
  void shouldTellWhatTimeDoesAsNobodysRequest() {
    put(Policy.newBuilder().setName("q").setInFlightMax(1));
    insert("q", 1);
    TaskData data = data("q", nowMs).toBuilder().setTtlMs(LEASE_MS + 5).build();
    apply(modify(ANN).addInserts(Insert.newBuilder().setId(task(2)).setData(data)));
    apply(claim(BOB, "q"));
    forget();
    later(LEASE_MS);
    later(5);
    assertThat(effects)
        .extracting(Effect::kind)
        .containsExactlyInAnyOrder(EffectKinds.LAPSED, EffectKinds.EXPIRED);
    assertThat(flags).noneMatch(flag -> (flag & EffectFlags.REQUESTED) != 0);
    assertThat(steps).extracting(Step::by).containsOnly(0L);
  }

  // Tasks that leave.

  /** Nothing is told of a task that is gone: whoever builds a table by effects would have it. */
  @Test
  void shouldTellThatALeaseHasEndedBeforeTheTaskIsGone() {
    put(Policy.newBuilder().setName("q").setInFlightMax(1));
    insert("q", 1);
    apply(claim(BOB, "q"));
    nowMs += LEASE_MS + 1;
    forget();
    // Without a tick, so that the delete is the first to see it.
    apply(modify(BOB).addDeletes(ref(1, 1)));
    assertThat(kinds()).containsExactly(EffectKinds.LAPSED, EffectKinds.DELETED);
    assertThat(flags).containsExactly(0, DONE);
  }

  @Test
  void shouldTellWhetherADeletedTaskWasWorkedOn() {
    insert("q", 1);
    insert("r", 2);
    apply(claim(BOB, "q"));
    forget();
    apply(modify(BOB).addDeletes(ref(1, 1)).addDeletes(ref(2, 0)));
    assertThat(flags).containsExactly(DONE, EffectFlags.REQUESTED);
  }

  @Test
  void shouldTellFromWhichQueueADeadTaskComes() {
    put(Policy.newBuilder().setName("q").setAttemptsMax(1).setDeadQueue("dead"));
    insert("q", 1);
    apply(claim(BOB, "q"));
    forget();
    apply(modify(BOB).addFails(Fail.newBuilder().setId(task(1)).setVersion(1)));
    long at = machine.sequence();
    assertThat(effects)
        .containsExactly(
            new Effect(at, 0, EffectKinds.FAILED, 1, 2, "q"),
            new Effect(at, 1, EffectKinds.DIED, 1, 2, "dead"));
    assertThat(formerQueues).containsExactly("", "q");
  }

  @Test
  void shouldTellFromWhichQueueATaskIsDropped() {
    put(
        Policy.newBuilder()
            .setName("q")
            .setTasksMax(1)
            .setOverflow(Overflow.OVERFLOW_DROP_OLDEST)
            .setDeadQueue("dead"));
    insert("q", 1);
    forget();
    insert("q", 2);
    assertThat(kinds()).containsExactly(EffectKinds.INSERTED, EffectKinds.DIED);
    assertThat(formerQueues).containsExactly("", "q");
  }

  // Work that ends.

  @Test
  void shouldTellHowAChangeEndsWork() {
    for (int i = 1; i <= 4; i++) {
      insert("q" + i, i);
      apply(claim(BOB, "q" + i));
    }
    insert("q5", 5);
    forget();
    apply(
        modify(BOB)
            .addChanges(change("q1", 1, 1, nowMs))
            .addChanges(change("r", 2, 1, nowMs))
            .addChanges(failed("q3", 3))
            .addChanges(failed("r", 4))
            .addChanges(change("q5", 5, 0, nowMs)));
    assertThat(kinds())
        .containsExactly(
            EffectKinds.CHANGED,
            EffectKinds.MOVED,
            EffectKinds.CHANGED,
            EffectKinds.MOVED,
            EffectKinds.CHANGED);
    assertThat(flags)
        .containsExactly(
            DONE,
            DONE,
            DONE | EffectFlags.FAILED,
            DONE | EffectFlags.FAILED,
            EffectFlags.REQUESTED);
    assertThat(formerQueues).containsExactly("", "q2", "", "q4", "");
  }

  private Change failed(String queue, long id) {
    TaskData data = data(queue, nowMs).toBuilder().setAttempt(1).build();
    return Change.newBuilder().setId(task(id)).setVersion(1).setData(data).build();
  }

  @Test
  void shouldTellThatFailuresHavePausedAQueue() {
    put(Policy.newBuilder().setName("q").setBreakerFailures(2).setBreakerPauseMs(700));
    for (int i = 1; i <= 2; i++) {
      insert("q", i);
      Shot claimed = apply(claim(BOB, "q")).claimed.get(0);
      forget();
      apply(
          modify(BOB)
              .addFails(Fail.newBuilder().setId(task(claimed.id())).setVersion(claimed.version())));
      if (i == 1) {
        assertThat(kinds()).containsExactly(EffectKinds.FAILED);
      }
    }
    long at = machine.sequence();
    assertThat(effects)
        .hasSize(2)
        .contains(new Effect(at, 0, EffectKinds.BREAKER_OPENED, 0, 0, "q"));
    assertThat(kinds()).containsExactly(EffectKinds.BREAKER_OPENED, EffectKinds.FAILED);
    assertThat(pauses).containsExactly(nowMs + 700);
  }

  @Test
  void shouldDigestThatFailuresHavePausedAQueue() {
    EffectDigest digest = new EffectDigest();
    digest.onQueue(1, 0, EffectKinds.BREAKER_OPENED, 0, new Bytes(), 700);
    EffectDigest another = new EffectDigest();
    another.onQueue(1, 0, EffectKinds.BREAKER_OPENED, 0, new Bytes(), 701);
    assertThat(digest.value()).isNotZero().isNotEqualTo(another.value());
  }

  @Test
  void shouldDigestTheOrderOfManyEffectsOfOneStep() {
    EffectDigest digest = new EffectDigest();
    machine.tellEffects(digest);
    List<Insert> inserts = LongStream.range(1, 50).mapToObj(id -> insert("q", id, nowMs)).toList();
    apply(modify(ANN).addAllInserts(inserts));
    assertThat(digest.value()).isNotZero();
  }

  @Test
  void shouldTellWhatWaitingClaimsGetAndWhatIsGivenBack() {
    apply(wait(request(CLIENT, 1), NEVER, "q"));
    assertThat(effects).isEmpty();
    insert("q", 1);
    long at = machine.sequence();
    cancel(CLIENT, 1);
    assertThat(effects)
        .containsExactly(
            new Effect(at, 0, EffectKinds.INSERTED, 1, 0, "q"),
            new Effect(at, 1, EffectKinds.CLAIMED, 1, 1, "q"),
            new Effect(at + 1, 0, EffectKinds.GIVEN_BACK, 1, 2, "q"));
    assertThat(steps.get(steps.size() - 1).by()).as("a cancel has no claimant").isZero();
  }

  @Test
  void shouldTellWhoTookATaskBack() {
    insert("q", 1);
    insert("q", 2);
    apply(claim(BOB, "q").setLimit(1));
    long held = find(1).claimant() == BOB.getLow() ? 1 : 2;
    forget();
    apply(modify(ANN).addChanges(takeBack("q", held, 1)).addChanges(takeBack("q", 3 - held, 0)));
    long at = machine.sequence();
    assertThat(effects)
        .containsExactly(
            new Effect(at, 0, EffectKinds.TAKEN_BACK, held, 2, "q"),
            new Effect(at, 1, EffectKinds.TAKEN_BACK, 3 - held, 1, "q"));
    assertThat(flags).containsExactly(DONE, EffectFlags.REQUESTED);
    assertThat(steps.get(steps.size() - 1).by()).isEqualTo(ANN.getLow());
  }

  @Test
  void shouldTellWhatHappensToDocsBeforeWhatHappensToTheirSet() {
    apply(modify(ANN).addDocInserts(doc("users", 1, "k")).addDocInserts(secondOfKey()));
    long at = machine.sequence();
    assertThat(effects)
        .containsExactly(
            new Effect(at, 0, EffectKinds.DOC_INSERTED, 1, 0, "k"),
            new Effect(at, 1, EffectKinds.DOC_INSERTED, 2, 0, "k"),
            new Effect(at, 2, EffectKinds.SET_WRITTEN, 0, 0, "k"));
    assertThat(flags).containsOnly(EffectFlags.REQUESTED);
    forget();
    apply(
        modify(ANN)
            .addDocChanges(doc("users", 1, "k").setVersion(0))
            .addDocDeletes(docRef("users", 2, 0)));
    assertThat(effects)
        .containsExactly(
            new Effect(at + 1, 0, EffectKinds.DOC_CHANGED, 1, 1, "k"),
            new Effect(at + 1, 1, EffectKinds.DOC_DELETED, 2, 1, "k"),
            new Effect(at + 1, 2, EffectKinds.SET_WRITTEN, 0, 1, "k"));
    forget();
    apply(claimDocs(ANN, "users", "k").build());
    assertThat(effects).containsExactly(new Effect(at + 2, 0, EffectKinds.SET_WRITTEN, 0, 2, "k"));
  }

  private static DocData.Builder secondOfKey() {
    return doc("users", 2, "k").setSecondaryKey("second");
  }

  @Test
  void shouldTellNothingOfRequestsThatFailOrComeAgain() {
    insert("q", 1);
    Claim claim = claim(BOB, "q").setIdentity(request(CLIENT, 1)).build();
    apply(claim);
    forget();
    assertThat(apply(claim).code).isEqualTo(ResultCodes.OK);
    assertThat(insert("q", 1).code).isEqualTo(ResultCodes.DEPENDENCY);
    assertThat(effects).isEmpty();
  }

  @Test
  void shouldTellNobodyOnceNobodyListens() {
    machine.tellEffects(null);
    insert("q", 1);
    assertThat(effects).isEmpty();
    assertThat(steps).isEmpty();
  }

  @Test
  void shouldHaveAnotherDigestWhenEffectsHappenInAnotherOrder() {
    assertThat(digest("p", "q")).isNotEqualTo(digest("q", "p")).isEqualTo(digest("p", "q"));
  }

  /** Of one Modify that inserts the same two tasks in this order. */
  private long digest(String first, String second) {
    EffectDigest digest = new EffectDigest();
    try (StateMachine other = new StateMachine(StateMachineConfig.DEFAULT)) {
      applyTo(other, Genesis.newBuilder().setSeed(7).setLevel(Levels.MAX).build());
      other.tellEffects(digest);
      applyTo(
          other,
          modify(ANN)
              .addInserts(insert(first, "p".equals(first) ? 1 : 2, nowMs))
              .addInserts(insert(second, "p".equals(first) ? 2 : 1, nowMs))
              .build());
    }
    return digest.value();
  }

  private static Change lease(long id) {
    return Change.newBuilder()
        .setId(task(id))
        .setMode(ChangeMode.CHANGE_LEASE)
        .setFromQueue("q")
        .setData(TaskData.newBuilder().setQueue("q").setByMs(10))
        .build();
  }
}

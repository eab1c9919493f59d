package io.entroq.engine.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.codec.result.ResultCodes;
import io.entroq.codec.wire.log.Change;
import io.entroq.codec.wire.log.ChangeMode;
import io.entroq.codec.wire.log.Claim;
import io.entroq.codec.wire.log.DocData;
import io.entroq.codec.wire.log.Genesis;
import io.entroq.codec.wire.log.Insert;
import io.entroq.codec.wire.log.TaskData;
import io.entroq.engine.doc.DocView;
import io.entroq.engine.effect.EffectDigest;
import io.entroq.engine.effect.EffectKinds;
import io.entroq.engine.effect.EffectSink;
import io.entroq.engine.task.TaskView;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What steps say that they do, and in which order. */
class EffectsTest extends StateTestBase {
  private static final long CLIENT = 5;

  private record Effect(long sequence, int index, int kind, long id, int version, String queue) {}

  private final List<Effect> effects = new ArrayList<>();

  private final EffectSink recorder =
      new EffectSink() {
        @Override
        public void onTask(long sequence, int index, int kind, TaskView task, long insertSequence) {
          Shot shot = Shot.of(task);
          effects.add(new Effect(sequence, index, kind, shot.id(), shot.version(), shot.queue()));
        }

        @Override
        public void onDoc(long sequence, int index, int kind, DocView doc) {
          DocShot shot = DocShot.of(doc);
          effects.add(new Effect(sequence, index, kind, doc.idLow(), doc.version(), shot.key()));
        }
      };

  @BeforeEach
  void listen() {
    machine.tellEffects(recorder);
  }

  @Test
  void shouldTellTheEffectsOfAModifyInTheOrderInWhichTheyHappen() {
    for (int i = 1; i <= 4; i++) {
      insert("q", i);
    }
    effects.clear();
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
    effects.clear();
    apply(
        modify(ANN)
            .addDocChanges(doc("users", 1, "k").setVersion(0))
            .addDocDeletes(docRef("users", 2, 0)));
    assertThat(effects)
        .containsExactly(
            new Effect(at + 1, 0, EffectKinds.DOC_CHANGED, 1, 1, "k"),
            new Effect(at + 1, 1, EffectKinds.DOC_DELETED, 2, 1, "k"),
            new Effect(at + 1, 2, EffectKinds.SET_WRITTEN, 0, 1, "k"));
    effects.clear();
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
    effects.clear();
    assertThat(apply(claim).code).isEqualTo(ResultCodes.OK);
    assertThat(insert("q", 1).code).isEqualTo(ResultCodes.DEPENDENCY);
    assertThat(effects).isEmpty();
  }

  @Test
  void shouldTellNobodyOnceNobodyListens() {
    machine.tellEffects(null);
    insert("q", 1);
    assertThat(effects).isEmpty();
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

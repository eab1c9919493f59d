package io.entroq.engine.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.codec.result.ItemKinds;
import io.entroq.codec.result.ListNamespacesDecoder;
import io.entroq.codec.result.ResultCodes;
import io.entroq.codec.wire.log.Claim;
import io.entroq.codec.wire.log.DocData;
import io.entroq.codec.wire.log.ListTasks;
import io.entroq.codec.wire.log.Tick;
import io.entroq.engine.listing.NamespaceCursor;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A lease ends, and a task or doc becomes available, in the millisecond of its arrival time: not in
 * the one before, nor in the one after. Each rule that compares the two is tried in all three.
 */
class LeaseEndTest extends StateTestBase {
  private static final int BEFORE = -1;
  private static final int AT = 0;
  private static final int AFTER = 1;

  private final long endMs = nowMs + LEASE_MS;

  /** The time around the end of the lease; no command has come by since it began. */
  private boolean isOverAt(int offsetMs) {
    nowMs = endMs + offsetMs;
    return offsetMs >= 0;
  }

  private void insertHeldByBob(String queue, long id) {
    insert(queue, id);
    assertThat(apply(claim(BOB, queue)).claimed).extracting(Shot::arrivalMs).contains(endMs);
  }

  // Claims.

  @ParameterizedTest
  @ValueSource(ints = {BEFORE, AT, AFTER})
  void shouldBeClaimedByAnotherFromItsEndOn(int offsetMs) {
    insertHeldByBob("q", 1);
    boolean isOver = isOverAt(offsetMs);
    Answer answer = apply(claim(ANN, "q"));
    assertThat(answer.code).isEqualTo(isOver ? ResultCodes.OK : ResultCodes.EMPTY);
    assertThat(answer.claimed).hasSize(isOver ? 1 : 0);
  }

  @ParameterizedTest
  @ValueSource(ints = {BEFORE, AT, AFTER})
  void shouldBeClaimedForTheFirstTimeFromItsArrivalOn(int offsetMs) {
    apply(modify(ANN).addInserts(insert("q", 1, endMs)));
    boolean isOver = isOverAt(offsetMs);
    assertThat(apply(claim(ANN, "q")).claimed).hasSize(isOver ? 1 : 0);
  }

  @ParameterizedTest
  @ValueSource(ints = {BEFORE, AT, AFTER})
  void shouldBeClaimedBesideTasksOfAnotherQueueFromItsEndOn(int offsetMs) {
    insertHeldByBob("q", 1);
    insert("other", 2);
    boolean isOver = isOverAt(offsetMs);
    assertThat(apply(claim(ANN, "q", "other").setLimit(5)).claimed).hasSize(isOver ? 2 : 1);
  }

  @ParameterizedTest
  @ValueSource(ints = {BEFORE, AT, AFTER})
  void shouldBeClaimedBesideAvailableTasksOfItsQueueFromItsEndOn(int offsetMs) {
    insertHeldByBob("q", 1);
    insert("q", 2);
    boolean isOver = isOverAt(offsetMs);
    assertThat(apply(claim(ANN, "q").setLimit(5)).claimed).hasSize(isOver ? 2 : 1);
  }

  @ParameterizedTest
  @ValueSource(ints = {BEFORE, AT, AFTER})
  void shouldBeChosenBesideAvailableTasksOfItsQueueFromItsEndOn(int offsetMs) {
    // The seed is fixed, so is the outcome.
    Set<Long> taken = new HashSet<>();
    for (int round = 0; round < 40; round++) {
      insertHeldByBob("q" + round, 2L * round + 2);
      insert("q" + round, 2L * round + 3);
    }
    boolean isOver = isOverAt(offsetMs);
    for (int round = 0; round < 40; round++) {
      taken.add(apply(claim(ANN, "q" + round)).claimed.get(0).id() % 2);
    }
    assertThat(taken).isEqualTo(isOver ? Set.of(0L, 1L) : Set.of(1L));
  }

  @ParameterizedTest
  @ValueSource(ints = {BEFORE, AT, AFTER})
  void shouldBeClaimedWithACommitFromItsEndOn(int offsetMs) {
    insertHeldByBob("q", 1);
    boolean isOver = isOverAt(offsetMs);
    Claim then = Claim.newBuilder().addQueues("q").setLeaseMs(LEASE_MS).build();
    assertThat(apply(modify(ANN).setThenClaim(then)).claimed).hasSize(isOver ? 1 : 0);
  }

  // Changes.

  @ParameterizedTest
  @ValueSource(ints = {BEFORE, AT, AFTER})
  void shouldBeDeletedByAnotherFromItsEndOn(int offsetMs) {
    insertHeldByBob("q", 1);
    boolean isOver = isOverAt(offsetMs);
    Answer answer = apply(modify(ANN).addDeletes(ref(1, 1)));
    assertThat(answer.code).isEqualTo(isOver ? ResultCodes.OK : ResultCodes.DEPENDENCY);
    assertThat(answer.failures).hasSize(isOver ? 0 : 1).allMatch(Answer.Failure::claimed);
  }

  @ParameterizedTest
  @ValueSource(ints = {BEFORE, AT, AFTER})
  void shouldBeChangedByAnotherFromItsEndOn(int offsetMs) {
    insertHeldByBob("q", 1);
    boolean isOver = isOverAt(offsetMs);
    Answer answer = apply(modify(ANN).addChanges(change("q", 1, 1, nowMs)));
    assertThat(answer.code).isEqualTo(isOver ? ResultCodes.OK : ResultCodes.DEPENDENCY);
    assertThat(answer.failures).hasSize(isOver ? 0 : 1).allMatch(Answer.Failure::claimed);
  }

  @ParameterizedTest
  @ValueSource(ints = {BEFORE, AT, AFTER})
  void shouldBeRenewedByItsHolderAsLongAsNobodyElseHasTakenIt(int offsetMs) {
    insertHeldByBob("q", 1);
    nowMs = endMs + offsetMs;
    assertThat(apply(modify(BOB).addChanges(change("q", 1, 1, nowMs + LEASE_MS))).code)
        .isEqualTo(ResultCodes.OK);
    assertThat(find(1).claimant()).isEqualTo(BOB.getLow());
    assertThat(queues(nowMs).get("q").held()).isEqualTo(1);
    assertThat(queues(nowMs + LEASE_MS - 1).get("q").held()).isEqualTo(1);
    assertThat(queues(nowMs + LEASE_MS).get("q").held()).isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {BEFORE, AT, AFTER})
  void shouldBeItsChangersWhileItsNewArrivalIsAhead(int offsetMs) {
    insert("q", 1);
    nowMs = endMs;
    apply(modify(BOB).addChanges(change("q", 1, 0, nowMs + offsetMs)));
    boolean isHeld = offsetMs > 0;
    assertThat(find(1).claimant()).isEqualTo(isHeld ? BOB.getLow() : NOBODY.getLow());
    assertThat(queues(nowMs).get("q").available()).isEqualTo(isHeld ? 0 : 1);
    assertThat(apply(claim(ANN, "q")).claimed).hasSize(isHeld ? 0 : 1);
  }

  // Reads.

  @Test
  void shouldCountAsAvailableFromItsEndOn() {
    insertHeldByBob("q", 1);
    apply(modify(ANN).addInserts(insert("q", 2, endMs)));
    insert("q", 3);
    Figures running = new Figures(3, 1, 1, 2, 1, 1);
    Figures over = new Figures(3, 3, 0, 0, 0, 1);
    assertThat(queues(endMs + BEFORE)).isEqualTo(Map.of("q", running));
    assertThat(queues(endMs + AT)).isEqualTo(Map.of("q", over));
    assertThat(queues(endMs + AFTER)).isEqualTo(Map.of("q", over));
  }

  @ParameterizedTest
  @ValueSource(ints = {BEFORE, AT, AFTER})
  void shouldBeListedForOthersFromItsEndOn(int offsetMs) {
    insertHeldByBob("q", 1);
    boolean isOver = isOverAt(offsetMs);
    ListTasks.Builder query = ListTasks.newBuilder().setQueue("q");
    assertThat(list(query.setClaimant(ANN).build())).hasSize(isOver ? 1 : 0);
    assertThat(list(query.setClaimant(BOB).build())).hasSize(1);
  }

  // Claims that wait.

  @Test
  void shouldGoToAWaitingClaimAtItsEnd() {
    insertHeldByBob("q", 1);
    long parked = park(NEVER);
    assertThat(machine.nextDeadlineMs()).isEqualTo(endMs);
    nowMs = endMs + BEFORE;
    apply(Tick.getDefaultInstance());
    assertThat(said.of(parked)).isNull();
    nowMs = endMs;
    apply(Tick.getDefaultInstance());
    assertThat(said.of(parked).claimed).extracting(Shot::id).containsExactly(1L);
  }

  @Test
  void shouldGoToAWaitingClaimWhenItIsChangedToArriveNow() {
    insertHeldByBob("q", 1);
    long parked = park(NEVER);
    apply(modify(BOB).addChanges(change("q", 1, 1, nowMs + 1)));
    assertThat(said.of(parked)).isNull();
    assertThat(machine.nextDeadlineMs()).isEqualTo(nowMs + 1);
    apply(modify(BOB).addChanges(change("q", 1, 2, nowMs)));
    assertThat(said.of(parked).claimed).extracting(Shot::id).containsExactly(1L);
  }

  @Test
  void shouldEndAWaitAtItsDeadline() {
    long parked = park(endMs);
    assertThat(machine.nextDeadlineMs()).isEqualTo(endMs);
    nowMs = endMs + BEFORE;
    apply(Tick.getDefaultInstance());
    assertThat(said.of(parked)).isNull();
    nowMs = endMs;
    apply(Tick.getDefaultInstance());
    assertThat(said.of(parked).code).isEqualTo(ResultCodes.TIMED_OUT);
  }

  @Test
  void shouldWaitOnlyIfTheDeadlineIsAhead() {
    assertThat(apply(wait(request(1, 1), nowMs + BEFORE, "q")).code)
        .isEqualTo(ResultCodes.TIMED_OUT);
    assertThat(apply(wait(request(2, 1), nowMs + AT, "q")).code).isEqualTo(ResultCodes.TIMED_OUT);
    assertThat(apply(wait(request(3, 1), nowMs + AFTER, "q"))).isNull();
  }

  // Docs.

  @ParameterizedTest
  @ValueSource(ints = {BEFORE, AT, AFTER})
  void shouldLetOthersHaveADocFromItsEndOn(int offsetMs) {
    holdDoc();
    boolean isOver = isOverAt(offsetMs);
    assertThat(heldDocs(nowMs)).isEqualTo(isOver ? 0 : 1);
    Answer claimed = apply(claimDocs(ANN, "users", "k").build());
    assertThat(claimed.code).isEqualTo(isOver ? ResultCodes.OK : ResultCodes.DEPENDENCY);
  }

  @ParameterizedTest
  @ValueSource(ints = {BEFORE, AT, AFTER})
  void shouldLetOthersChangeADocFromItsEndOn(int offsetMs) {
    holdDoc();
    boolean isOver = isOverAt(offsetMs);
    DocData.Builder change = doc("users", 1, "").setVersion(1).setArrivalMs(nowMs);
    Answer changed = apply(modify(ANN).addDocChanges(change));
    assertThat(changed.code).isEqualTo(isOver ? ResultCodes.OK : ResultCodes.DEPENDENCY);
    assertThat(changed.failures)
        .isEqualTo(
            isOver ? List.of() : List.of(new Answer.Failure(ItemKinds.DOC_CHANGE, 0, true, 1)));
  }

  @ParameterizedTest
  @ValueSource(ints = {BEFORE, AT, AFTER})
  void shouldHoldADocWhileItsNewArrivalIsAhead(int offsetMs) {
    apply(modify(ANN).addDocInserts(doc("users", 1, "k")));
    DocData.Builder change = doc("users", 1, "").setArrivalMs(nowMs + offsetMs);
    apply(modify(BOB).addDocChanges(change));
    boolean isHeld = offsetMs > 0;
    assertThat(findDoc("users", 1).claimant()).isEqualTo(isHeld ? BOB.getLow() : NOBODY.getLow());
    assertThat(heldDocs(nowMs)).isEqualTo(isHeld ? 1 : 0);
  }

  private void holdDoc() {
    apply(modify(ANN).addDocInserts(doc("users", 1, "k")));
    apply(claimDocs(BOB, "users", "k").build());
    assertThat(findDoc("users", 1).arrivalMs()).isEqualTo(endMs);
  }

  private int heldDocs(long atMs) {
    ListNamespacesDecoder query = new ListNamespacesDecoder();
    query.wrap(new UnsafeBuffer(new byte[0]), 0, 0);
    List<Integer> held = new ArrayList<>();
    machine.listNamespaces(
        new NamespaceCursor(query),
        atMs,
        Integer.MAX_VALUE,
        (name, offset, length, docs, claimed) -> held.add(claimed));
    return held.get(0);
  }

  private long park(long deadlineMs) {
    assertThat(apply(wait(request(1, 1), deadlineMs, "q"))).isNull();
    return machine.sequence();
  }
}

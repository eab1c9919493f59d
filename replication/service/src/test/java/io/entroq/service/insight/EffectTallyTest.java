package io.entroq.service.insight;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.codec.effect.EffectFlags;
import io.entroq.codec.effect.EffectKinds;
import io.entroq.codec.wire.edge.TaskFailure;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What each kind of effect counts for. */
class EffectTallyTest {
  private static final long MS = 1_700_000_000_000L;
  private static final int WAS = EffectFlags.WAS_IN_FLIGHT;
  private static final int IS = EffectFlags.IN_FLIGHT;
  private static final int FAILED = EffectFlags.FAILED;

  private final EffectTally tally = new EffectTally(new RateBook(100, 100), new WorkerBook(10, 10));

  private void tell(int kind, int flags, String id, String queue, String former, String claimant) {
    ToldStep.by(MS, "me").task(kind, flags, id, queue, former, claimant).to(tally);
  }

  private void claim(String id, String queue, String claimant) {
    ToldStep.by(MS, claimant)
        .task(EffectKinds.CLAIMED, IS, id, queue, "", claimant, MS + 1_000, "")
        .to(tally);
  }

  /** What was counted of a queue, without what was not. */
  private Map<Event, Long> counts(String queue) {
    return tally.rates(
        rates -> {
          RateEntry entry = queue.isEmpty() ? rates.all() : rates.find(queue);
          Map<Event, Long> counts = new TreeMap<>();
          Arrays.stream(Event.values())
              .filter(event -> entry.total(event) > 0)
              .forEach(event -> counts.put(event, entry.total(event)));
          return counts;
        });
  }

  private long growth(String queue) {
    return tally.rates(rates -> rates.find(queue).trend.growth(rates.minute(), 1));
  }

  private WorkerBook.Worker worker(String name) {
    return tally.workers(
        book ->
            book.workers().stream()
                .filter(worker -> worker.name.equals(name))
                .findFirst()
                .orElseThrow());
  }

  @Test
  void shouldCountALifeThatEndsWell() {
    tell(EffectKinds.INSERTED, 0, "t", "q", "", "");
    claim("t", "q", "w");
    assertThat(worker("w").held()).isEqualTo(1);
    tell(EffectKinds.RENEWED, WAS | IS, "t", "q", "", "w");
    tell(EffectKinds.DELETED, WAS, "t", "q", "", "w");
    assertThat(counts("q"))
        .isEqualTo(Map.of(Event.INSERTED, 1L, Event.CLAIMED, 1L, Event.DONE, 1L));
    assertThat(counts("")).isEqualTo(counts("q"));
    assertThat(worker("w").held()).isZero();
    assertThat(worker("w").count(Event.DONE)).isEqualTo(1);
  }

  @Test
  void shouldNotTakeADeletionOfAnIdleTaskForWork() {
    tell(EffectKinds.INSERTED, 0, "t", "q", "", "");
    tell(EffectKinds.DELETED, 0, "t", "q", "", "");
    assertThat(counts("q")).isEqualTo(Map.of(Event.INSERTED, 1L));
  }

  @Test
  void shouldTakeAChangeThatEndsWorkForItsEnd() {
    claim("t", "q", "w");
    tell(EffectKinds.CHANGED, WAS | IS, "t", "q", "", "w");
    assertThat(counts("q")).isEqualTo(Map.of(Event.CLAIMED, 1L));
    tell(EffectKinds.CHANGED, WAS, "t", "q", "", "");
    assertThat(counts("q")).isEqualTo(Map.of(Event.CLAIMED, 1L, Event.DONE, 1L));
    tell(EffectKinds.CHANGED, 0, "t", "q", "", "");
    assertThat(counts("q")).isEqualTo(Map.of(Event.CLAIMED, 1L, Event.DONE, 1L));
  }

  @Test
  void shouldCountAMoveWhereTheTaskWasAndWhereItIs() {
    claim("t", "from", "w");
    tell(EffectKinds.MOVED, WAS, "t", "to", "from", "");
    assertThat(counts("from")).isEqualTo(Map.of(Event.CLAIMED, 1L, Event.DONE, 1L));
    assertThat(counts("to")).isEqualTo(Map.of(Event.INSERTED, 1L));
    assertThat(worker("w").held()).isZero();
  }

  @Test
  void shouldCountFailuresAndTellOfThem() {
    claim("t", "q", "w");
    ToldStep.by(MS + 5, "w").task(EffectKinds.FAILED, 0, "t", "q", "", "", 0, "no disk").to(tally);
    assertThat(counts("q")).isEqualTo(Map.of(Event.CLAIMED, 1L, Event.FAILED, 1L));
    assertThat(worker("w").count(Event.FAILED)).isEqualTo(1);
    TaskFailure failure =
        TaskFailure.newBuilder()
            .setTaskId("t")
            .setQueue("q")
            .setAttempt(1)
            .setErr("no disk")
            .setTimeMs(MS + 5)
            .setClaimant("w")
            .build();
    assertThat(tally.failures("q", 10)).containsExactly(failure);
    assertThat(tally.failures("", 10)).containsExactly(failure);
    assertThat(tally.failures("other", 10)).isEmpty();
    ToldStep.at(MS + 5).task(EffectKinds.DIED, 0, "t", "dead", "q", "", 0, "no disk").to(tally);
    assertThat(tally.failures("q", 10))
        .containsExactly(failure.toBuilder().setDeadQueue("dead").build());
    assertThat(counts("q")).isEqualTo(Map.of(Event.CLAIMED, 1L, Event.FAILED, 1L, Event.DEAD, 1L));
    assertThat(counts("dead")).isEqualTo(Map.of(Event.INSERTED, 1L));
    boolean isDead = tally.rates(rates -> rates.find("dead").isDead);
    assertThat(isDead).isTrue();
  }

  @Test
  void shouldTakeAMoveToADeadQueueForADeath() {
    claim("t", "q", "w");
    ToldStep.by(MS, "w")
        .task(EffectKinds.MOVED, WAS | FAILED, "t", "q/err", "q", "", 0, "bad")
        .to(tally);
    assertThat(counts("q")).isEqualTo(Map.of(Event.CLAIMED, 1L, Event.FAILED, 1L, Event.DEAD, 1L));
    assertThat(tally.failures("q", 1).get(0).getDeadQueue()).isEqualTo("q/err");
    assertThat(growth("q/err")).isEqualTo(1);
    tell(EffectKinds.MOVED, 0, "t", "q", "q/err", "");
    assertThat(counts("q/err")).isEqualTo(Map.of(Event.INSERTED, 1L));
    assertThat(growth("q/err")).isZero();
    tally.markDead("morgue");
    tell(EffectKinds.MOVED, 0, "t", "morgue", "q", "");
    assertThat(counts("q")).containsEntry(Event.DEAD, 2L);
  }

  @Test
  void shouldCountLapsesAndOtherDeaths() {
    claim("t", "q", "w");
    ToldStep.at(MS).task(EffectKinds.LAPSED, 0, "t", "q", "", "w").to(tally);
    ToldStep.at(MS).task(EffectKinds.EXPIRED, 0, "t", "q", "", "").to(tally);
    tell(EffectKinds.DROPPED, 0, "u", "q", "", "");
    assertThat(counts("q")).isEqualTo(Map.of(Event.CLAIMED, 1L, Event.LAPSED, 1L, Event.DEAD, 2L));
    assertThat(worker("w").count(Event.LAPSED)).isEqualTo(1);
    assertThat(worker("w").held()).isZero();
  }

  @Test
  void shouldNotCountWhatIsGivenBack() {
    claim("t", "q", "w");
    tell(EffectKinds.GIVEN_BACK, WAS, "t", "q", "", "");
    assertThat(counts("q")).isEqualTo(Map.of(Event.CLAIMED, 1L));
    assertThat(worker("w").held()).isZero();
  }

  @Test
  void shouldKnowWhoEndsWhatWasClaimedBefore() {
    ToldStep.by(MS, "w").task(EffectKinds.DELETED, WAS, "t", "q", "", "w").to(tally);
    assertThat(worker("w").count(Event.DONE)).isEqualTo(1);
    assertThat(worker("w").held()).isZero();
  }

  @Test
  void shouldTellWhoHoldsWhat() {
    claim("t", "q", "w");
    claim("u", "q", "w");
    claim("u", "q", "v");
    tell(EffectKinds.RENEWED, WAS | IS, "t", "q", "", "w");
    Map<String, List<WorkerBook.Held>> held =
        tally.workers(book -> book.held(Set.of("w", "v"), 20));
    assertThat(held.get("w")).extracting(task -> task.id.v1Text()).containsExactly("t");
    assertThat(held.get("v")).extracting(task -> task.id.v1Text()).containsExactly("u");
    tally.interrupt();
    assertThat(worker("w").held()).isZero();
    held = tally.workers(book -> book.held(Set.of("w"), 20));
    assertThat(held).isEmpty();
  }

  @Test
  void shouldForgetWorkersThatWereNotSeenForLongAndKnowNoMoreThanItMay() {
    for (int i = 0; i < 50; i++) {
      ToldStep.at(MS + i)
          .task(EffectKinds.CLAIMED, IS, "t" + i, "q", "", "w" + i, MS + 9_000, "")
          .to(tally);
    }
    List<String> names =
        tally.workers(book -> book.workers().stream().map(worker -> worker.name).toList());
    assertThat(names).hasSizeLessThanOrEqualTo(10).contains("w49").doesNotContain("w0");
    ToldStep.at(MS + 99).task(EffectKinds.LAPSED, 0, "t0", "q", "", "w0").to(tally);
    assertThat(counts("q")).containsEntry(Event.LAPSED, 1L);
  }

  @Test
  void shouldMarkAGapFromWhatWasSeenLastToWhatIsSeenNext() {
    tally.interrupt();
    tell(EffectKinds.INSERTED, 0, "t", "q", "", "");
    assertThat(tally.rates(RateBook::gaps)).as("before the first").isEmpty();
    tally.interrupt();
    tally.onMark(7, MS + 4_000);
    tally.onMark(8, MS + 5_000);
    assertThat(tally.rates(RateBook::gaps)).containsExactly(new RateBook.Gap(MS, MS + 4_000));
  }

  @Test
  void shouldShowTheBeginOfALongError() {
    String err = "é".repeat(150);
    ToldStep.by(MS, "w").task(EffectKinds.FAILED, 0, "t", "q", "", "", 0, err).to(tally);
    assertThat(tally.failures("q", 1).get(0).getErr()).isEqualTo("é".repeat(100));
    ToldStep.by(MS, "w").task(EffectKinds.FAILED, 0, "t", "q", "", "", 0, "x" + err).to(tally);
    assertThat(tally.failures("q", 1).get(0).getErr()).isEqualTo("x" + "é".repeat(99));
  }

  @Test
  void shouldKeepSomeFailuresOfEachQueue() {
    for (int i = 0; i < 2_000; i++) {
      ToldStep.by(MS, "w")
          .task(EffectKinds.FAILED, 0, "t" + i, i == 0 ? "rare" : "often", "", "", 0, "e")
          .to(tally);
      // So that the queue has points before its first failure is kept.
      tally.rates(RateBook::size);
      if (i == 0) {
        ToldStep.by(MS, "w").task(EffectKinds.FAILED, 0, "again", "rare", "", "", 0, "e").to(tally);
      }
    }
    assertThat(tally.failures("", 5_000)).hasSize(1_000);
    assertThat(tally.failures("rare", 10)).isNotEmpty();
    assertThat(tally.failures("often", 10)).hasSize(10);
  }

  @Test
  void shouldCountAMoveThoughRoomIsMadeForItsQueues() {
    RateBook rates = new RateBook(20, 20);
    EffectTally full = new EffectTally(rates, new WorkerBook(10, 10));
    for (int i = 0; i < 19; i++) {
      ToldStep.by(MS, "me").task(EffectKinds.INSERTED, 0, "t" + i, "q" + i, "", "").to(full);
    }
    ToldStep.by(MS + 1_000, "me").task(EffectKinds.MOVED, 0, "t", "to", "from", "").to(full);
    long inserted = full.rates(book -> book.find("to").total(Event.INSERTED));
    assertThat(inserted).isEqualTo(1);
  }
}

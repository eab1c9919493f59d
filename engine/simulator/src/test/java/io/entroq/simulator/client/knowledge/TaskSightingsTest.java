package io.entroq.simulator.client.knowledge;

import static io.entroq.simulator.check.Broken.assertBroken;
import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.simulator.check.Invariant;
import io.entroq.simulator.virtual.SeededRandom;
import org.junit.jupiter.api.Test;

class TaskSightingsTest {
  private static final long FIRST = 1;
  private static final long SECOND = 2;

  private final TaskSightings sightings = new TaskSightings();
  private final TaskIds ids = new TaskIds(new SeededRandom(1));
  private final KnownTask id = new KnownTask();

  TaskSightingsTest() {
    ids.fresh(id, false, false);
  }

  private KnownTask task(int version, int claims, long untilMs) {
    KnownTask task = new KnownTask().copyContent(id);
    task.copyId(id);
    task.version = version;
    task.claims = claims;
    task.arrivalMs = untilMs;
    return task;
  }

  private void claimed(KnownTask task, long sinceMs, long call) {
    sightings.claimed(task, sinceMs, call, true);
  }

  @Test
  void shouldTakeOneLeaseBehindAnother() {
    claimed(task(1, 1, 200), 100, FIRST);
    claimed(task(2, 2, 300), 200, SECOND);
  }

  @Test
  void shouldTakeLeasesThatAreHeardOfInTheWrongOrder() {
    claimed(task(2, 2, 300), 200, SECOND);
    claimed(task(1, 1, 200), 100, FIRST);
  }

  @Test
  void shouldRefuseTwoLeasesAtATime() {
    claimed(task(1, 1, 200), 100, FIRST);

    assertBroken(Invariant.ONE_LEASE, () -> claimed(task(2, 2, 299), 199, SECOND));
  }

  @Test
  void shouldRefuseTwoLeasesAtATimeThatAreHeardOfInTheWrongOrder() {
    claimed(task(2, 2, 299), 199, SECOND);

    assertBroken(Invariant.ONE_LEASE, () -> claimed(task(1, 1, 200), 100, FIRST));
  }

  @Test
  void shouldRefuseThatAForeignerWritesUnderALease() {
    claimed(task(1, 1, 200), 100, FIRST);

    assertBroken(Invariant.ONE_LEASE, () -> claimed(task(3, 2, 299), 199, SECOND));
  }

  @Test
  void shouldTakeThatAClaimIsGivenBack() {
    claimed(task(1, 1, 200), 100, FIRST);
    claimed(task(3, 1, 300), 110, SECOND);
  }

  @Test
  void shouldTakeThatTheHolderWrites() {
    KnownTask held = task(1, 1, 200);
    claimed(held, 100, FIRST);
    sightings.touched(held);
    claimed(task(3, 2, 300), 110, SECOND);
  }

  @Test
  void shouldHoldARenewedLeaseForOneThatRuns() {
    KnownTask held = task(1, 1, 200);
    claimed(held, 100, FIRST);
    sightings.touched(held);
    sightings.renewed(task(2, 1, 400), 150, FIRST + 2);

    assertBroken(Invariant.ONE_LEASE, () -> claimed(task(3, 2, 500), 399, SECOND));
  }

  @Test
  void shouldTakeTheSameReplyOnceMore() {
    claimed(task(1, 1, 200), 100, FIRST);
    sightings.claimed(task(1, 1, 200), 100, FIRST, false);
  }

  @Test
  void shouldRefuseThatTwoGetOneVersion() {
    claimed(task(1, 1, 200), 100, FIRST);

    assertBroken(Invariant.VERSIONS_BY_ONE, () -> claimed(task(1, 1, 200), 100, SECOND));
  }

  @Test
  void shouldRefuseThatTimeGoesBack() {
    claimed(task(1, 1, 100), 100, FIRST);

    assertBroken(Invariant.TIME_NEVER_BACK, () -> claimed(task(2, 2, 99), 99, SECOND));
  }

  @Test
  void shouldRefuseThatADeletedTaskIsClaimed() {
    KnownTask held = task(1, 1, 200);
    claimed(held, 100, FIRST);
    sightings.touched(held);
    sightings.deleted(held);

    sightings.claimed(held, 100, FIRST, false);
    assertBroken(Invariant.NO_PHANTOM, () -> claimed(task(2, 2, 400), 300, SECOND));
  }

  @Test
  void shouldRefuseThatOneVersionIsCommittedTwice() {
    KnownTask held = task(1, 1, 200);
    claimed(held, 100, FIRST);
    sightings.deleted(held);

    assertBroken(Invariant.COMMITTED_ONCE, () -> sightings.deleted(held));
  }

  @Test
  void shouldTakeThatAUsedIdBeginsAnew() {
    ids.reused(id);
    KnownTask held = task(7, 3, 200);
    claimed(held, 100, FIRST);
    sightings.deleted(held);
    id.generation++;
    claimed(task(1, 1, 300), 110, SECOND);
  }

  @Test
  void shouldSayNothingOfTasksThatMayBeInsertedTwice() {
    ids.fresh(id, true, false);
    claimed(task(1, 1, 200), 100, FIRST);
    claimed(task(1, 1, 200), 100, SECOND);
  }

  @Test
  void shouldFindWhatIsLeased() {
    KnownTask found = new KnownTask();
    assertThat(sightings.findLeased(new SeededRandom(2), 100, found)).isZero();
    claimed(task(1, 1, 200), 100, FIRST);

    assertThat(sightings.findLeased(new SeededRandom(2), 199, found)).isEqualTo(200);
    assertThat(found.idHigh).isEqualTo(id.idHigh);
    assertThat(found.version).isOne();
    assertThat(sightings.findLeased(new SeededRandom(2), 200, found)).isZero();
  }
}

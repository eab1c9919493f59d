package io.entroq.cluster.retention;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** What is kept for which member, and when the next snapshot is due. */
class RetentionHoldTest {
  private static final long NONE = -1;

  @Test
  void shouldRequireTheLogThatTheSlowestMemberNeeds() {
    assertThat(need(100, 300, 200)).isEqualTo(of(held(100, 100, 100), 0, 1));
    assertThat(need(100, 300, 200).position()).isEqualTo(100);
    assertThat(need(300, NONE, 300).position()).isZero();
    assertThat(need(NONE, NONE, NONE).position()).isZero();
  }

  @Test
  void shouldNotWaitForeverForAMinority() {
    RequiredLog away = of(held(900, 100, 800), 2_000, 1_000);
    assertThat(away.position()).isEqualTo(800);
    assertThat(away.lagging()).containsExactly(1);
    RequiredLog never = of(held(NONE, 900, 900), 2_000, 1_000);
    assertThat(never.position()).isEqualTo(900);
    assertThat(never.lagging()).containsExactly(0);
  }

  @Test
  void shouldKeepAllLogForUnknownMembers() {
    RequiredLog little = RequiredLog.of(held(NONE, 900, 900), 999_500, 1_000_000, 1_000, Set.of());
    assertThat(little.position()).isZero();
    assertThat(little.lagging()).isEmpty();
    RequiredLog much =
        RequiredLog.of(held(NONE, 999_900, 999_900), 998_500, 1_000_000, 1_000, Set.of());
    assertThat(much.position()).isEqualTo(999_900);
    assertThat(much.lagging()).containsExactly(0);
  }

  @Test
  void shouldKeepNoLogForALaggingMemberUntilItReports() {
    RequiredLog still = RequiredLog.of(held(NONE, 900, 900), 900, 1_000, 1_000, Set.of(0));
    assertThat(still.position()).isEqualTo(900);
    assertThat(still.lagging()).containsExactly(0);
    RequiredLog back = RequiredLog.of(held(950, 990, 990), 900, 1_000, 1_000, Set.of(0));
    assertThat(back.position()).isEqualTo(950);
    assertThat(back.lagging()).isEmpty();
  }

  @Test
  void shouldAlwaysKeepWhatAMajorityNeeds() {
    assertThat(of(held(100, 900, 100), 1_000_000, 1_000).position()).isEqualTo(100);
    assertThat(of(held(NONE, NONE, 900), 1_000_000, 1_000).position()).isZero();
    assertThat(of(held(100, 100, 100), 1_000_000, 1_000).lagging()).isEmpty();
    RequiredLog five = of(held(100, NONE, 500, 600, 700), 1_000_000, 1_000);
    assertThat(five.position()).isEqualTo(500);
    assertThat(five.lagging()).containsExactly(0, 1);
  }

  @Test
  void shouldKeepTwoSnapshotsAndTheLogAfterTheOlder() {
    RetentionHold usual = RetentionHold.of(snapshots(100, 200, 300), 300);
    assertThat(positions(usual)).containsExactly(200L, 300L);
    assertThat(usual.logPosition()).isEqualTo(200);
    assertThat(usual.others(snapshots(100, 200, 300))).hasSize(1);
  }

  @Test
  void shouldKeepAllLogUntilThereAreTwoSnapshots() {
    assertThat(RetentionHold.of(snapshots(100), 100).logPosition()).isZero();
    assertThat(RetentionHold.of(List.of(), 100).logPosition()).isZero();
    assertThat(RetentionHold.of(List.of(), 100).needs(0)).isTrue();
  }

  @Test
  void shouldKeepTheNewestCommonSnapshot() {
    RetentionHold disputed = RetentionHold.of(snapshots(100, 200, 300, 400, 500), 250);
    assertThat(positions(disputed)).containsExactly(200L, 400L, 500L);
    assertThat(disputed.logPosition()).isEqualTo(200);
  }

  @Test
  void shouldNotNeedRecordingsBetweenKeptSnapshots() {
    RetentionHold disputed = RetentionHold.of(snapshots(100, 200, 300, 400, 500), 250);
    assertThat(LongStream.of(200, 201, 400, 401, 500, 501).allMatch(disputed::needs)).isTrue();
    assertThat(LongStream.of(100, 101, 300, 301).noneMatch(disputed::needs)).isTrue();
    assertThat(disputed.needs(502)).as("one that is being written").isTrue();
  }

  @Test
  void shouldKeepLogForOthersBeforeItsOwnSnapshots() {
    RetentionHold lagging = RetentionHold.of(snapshots(400, 500), 250);
    assertThat(positions(lagging)).containsExactly(400L, 500L);
    assertThat(lagging.logPosition()).isEqualTo(250);
  }

  @Test
  void shouldTakeSnapshotsByBytesAndByTime() {
    SnapshotSchedule schedule = new SnapshotSchedule(limits());
    assertThat(schedule.isDue(at(0, 0, 65_536, true, 0), false, 0)).isTrue();
    assertThat(schedule.isDue(at(0, 0, 65_535, true, 0), false, 0)).isFalse();
    assertThat(schedule.isDue(at(0, 1_000, 1, true, 0), false, 0)).isTrue();
    assertThat(schedule.isDue(at(0, 1_000, 1, false, 0), false, 0)).as("nothing written").isFalse();
  }

  @Test
  void shouldTakeSnapshotsThatFreeLogWhileTheDiskIsLow() {
    SnapshotSchedule schedule = new SnapshotSchedule(limits());
    assertThat(schedule.isDue(low(8_192, 0), false, 0)).isTrue();
    assertThat(schedule.isDue(low(8_191, 0), false, 0)).isFalse();
    assertThat(schedule.isDue(low(19_999, 10_000), false, 0))
        .as("takes more than it frees")
        .isFalse();
    assertThat(schedule.isDue(low(20_000, 10_000), false, 0)).isTrue();
    assertThat(schedule.isDue(low(0, 0), true, 0)).as("requested by another member").isTrue();
  }

  private static SnapshotSchedule.Situation low(long logBytes, long bytes) {
    return new SnapshotSchedule.Situation(1_000, 0, 1_000, false, bytes, 0, logBytes);
  }

  @Test
  void shouldTakeFewerSnapshotsOfLargeStates() {
    SnapshotSchedule schedule = new SnapshotSchedule(limits());
    assertThat(schedule.isDue(at(0, 0, 100_000, true, 1_000_000), false, 0)).isFalse();
    assertThat(schedule.isDue(at(0, 0, 500_000, true, 1_000_000), false, 0)).isTrue();
  }

  @Test
  void shouldLeaveTimeForCommands() {
    SnapshotSchedule schedule = new SnapshotSchedule(limits());
    schedule.onRequested(at(0, 0, 70_000, true, 0), 0);
    SnapshotSchedule.Situation taken =
        new SnapshotSchedule.Situation(70_000, 0, 1_000_000, true, 0, millis(100), 0);
    assertThat(schedule.isDue(taken, false, millis(999))).isFalse();
    assertThat(schedule.isDue(taken, false, millis(1_000))).isTrue();
  }

  @Test
  void shouldDelayTheNextRequestAfterAFailure() {
    SnapshotSchedule schedule = new SnapshotSchedule(limits());
    SnapshotSchedule.Situation due = at(0, 0, 70_000, true, 0);
    schedule.onRequested(due, 0);
    assertThat(schedule.isDue(due, false, millis(29_999))).isFalse();
    assertThat(schedule.isDue(due, false, millis(30_000))).isTrue();
  }

  @Test
  void shouldRefuseLimitsOutOfRange() {
    assertThatThrownBy(() -> new Retention(1, Duration.ofSeconds(1), 1 << 20))
        .hasMessageContaining("snapshotLogBytes must be at least 65,536, is 1");
    assertThatThrownBy(() -> new Retention(1 << 20, Duration.ZERO, 1 << 30))
        .hasMessageContaining("snapshotInterval");
    assertThatThrownBy(() -> new Retention(1 << 20, Duration.ofSeconds(1), 1 << 21))
        .hasMessageContaining("logBytesMax must be at least 4 times");
  }

  private static Retention limits() {
    return new Retention(65_536, Duration.ofSeconds(1), 1 << 20);
  }

  private static long millis(long ms) {
    return TimeUnit.MILLISECONDS.toNanos(ms);
  }

  private static SnapshotSchedule.Situation at(
      long position, long ageMs, long commit, boolean hasWritten, long bytes) {
    return new SnapshotSchedule.Situation(position, ageMs, commit, hasWritten, bytes, 0, 0);
  }

  private static RequiredLog need(long... held) {
    return of(held(held), 1_000, 1_000_000);
  }

  private static RequiredLog of(List<Long> held, long commitPosition, long bytesMax) {
    return RequiredLog.of(held, 0, commitPosition, bytesMax, Set.of());
  }

  private static List<Long> held(long... positions) {
    return LongStream.of(positions).boxed().toList();
  }

  private static List<RaftSnapshot> snapshots(long... positions) {
    return LongStream.of(positions)
        .mapToObj(position -> new RaftSnapshot(position, position, position, position + 1, 0, 1))
        .toList();
  }

  private static List<Long> positions(RetentionHold hold) {
    return hold.snapshots().stream().map(RaftSnapshot::position).toList();
  }
}

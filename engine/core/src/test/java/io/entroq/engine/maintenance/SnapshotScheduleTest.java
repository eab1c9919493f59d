package io.entroq.engine.maintenance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class SnapshotScheduleTest {
  private static final long MIB = 1 << 20;

  private final SnapshotSchedule schedule = new SnapshotSchedule(MaintenanceConfig.DEFAULT);

  @Test
  void shouldWaitForTheLogBytesWhenLittleIsLive() {
    assertThat(schedule.isDueByBytes(256 * MIB - 1, 0)).isFalse();
    assertThat(schedule.isDueByBytes(256 * MIB, 0)).isTrue();
    assertThat(schedule.isDueByBytes(256 * MIB, 512 * MIB)).isTrue();
  }

  @Test
  void shouldWaitForHalfOfWhatIsLiveWhenThatIsMore() {
    assertThat(schedule.isDueByBytes(499 * MIB, 1000 * MIB)).isFalse();
    assertThat(schedule.isDueByBytes(500 * MIB, 1000 * MIB)).isTrue();
  }

  @Test
  void shouldBeDueWhenALargeStateHasGone() {
    assertThat(schedule.isDueByHeld(2_500 * MIB, 0, false)).isTrue();
    assertThat(schedule.isDueByHeld(2_500 * MIB, 1_000 * MIB, false)).isFalse();
  }

  @Test
  void shouldNotBeDueByWhatTwoSnapshotsAndTheirLogMayHold() {
    assertThat(schedule.isDueByHeld(2 * 256 * MIB, 0, false)).isFalse();
    long live = 4_000 * MIB;
    assertThat(schedule.isDueByHeld(2 * live + 2 * (live / 2), live, false)).isFalse();
  }

  @Test
  void shouldBeDueOnALowDiskWhenMoreLogGoesThanTheSnapshotTakes() {
    assertThat(schedule.isDueByLowDisk(64 * MIB, 63 * MIB)).isTrue();
    assertThat(schedule.isDueByLowDisk(64 * MIB, 64 * MIB)).isFalse();
    assertThat(schedule.isDueByLowDisk(63 * MIB, 0)).isFalse();
  }

  @Test
  void shouldWantBackWhatNoTwoSnapshotsExplainWhenTheDiskIsLow() {
    assertThat(schedule.isDueByHeld(65 * MIB, 0, true)).isTrue();
    assertThat(schedule.isDueByHeld(64 * MIB, 0, true)).isFalse();
    assertThat(schedule.isDueByHeld(2_064 * MIB, 1_000 * MIB, true)).isFalse();
  }

  @Test
  void shouldCountWhatIsHeldBehindTheOlderSnapshot() {
    RetainedSnapshots kept = new RetainedSnapshots(10, 1_000, 500, 300);
    assertThat(kept.newestSequence()).isEqualTo(10);
    assertThat(kept.logBytesAfterNewest(0)).isEqualTo(300);
    assertThat(kept.heldBytes(0)).isEqualTo(1_800);

    kept.add(20, 2_000, 700);
    assertThat(kept.newestSequence()).isEqualTo(20);
    assertThat(kept.logBytesAfterNewest(700)).isZero();
    assertThat(kept.heldBytes(700)).isEqualTo(1_000 + 2_000 + 1_000);

    kept.add(30, 100, 900);
    assertThat(kept.heldBytes(1_000)).isEqualTo(2_000 + 100 + 300);
  }

  @Test
  void shouldRefuseAConfigurationOutOfRange() {
    assertThatThrownBy(() -> config(1, Duration.ofSeconds(1), 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("snapshotLogBytes is 1");
    assertThatThrownBy(() -> config(MIB, Duration.ZERO, 0))
        .hasMessageContaining("snapshotInterval");
    assertThatThrownBy(() -> config(MIB, Duration.ofSeconds(1), -1))
        .hasMessageContaining("readerBytesMax");
  }

  private static MaintenanceConfig config(long logBytes, Duration interval, long readerBytes) {
    return new MaintenanceConfig(logBytes, interval, readerBytes, HistoryPolicy.OFF);
  }
}

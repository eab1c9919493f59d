package io.entroq.cluster.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** A majority decides which state is right; without one, none is. */
class SnapshotReportsTest {
  private static final StateDigest GOOD = new StateDigest(10, 0x1234, 0x5678);
  private static final StateDigest BAD = new StateDigest(10, 0x1235, 0x5678);
  private static final StateDigest WORSE = new StateDigest(10, 0x1236, 0x5678);

  private final List<StateDivergence> alarms = new ArrayList<>();
  private final SnapshotReports reports = new SnapshotReports(0, 3, alarms::add);

  @Test
  void shouldKnowWhichMembersHoldWhat() {
    reports.onOwnSnapshot(100, GOOD);
    say(0, 100, GOOD);
    say(2, 100, GOOD);
    assertThat(reports.held().positions()).containsExactly(100L, SnapshotReports.NONE, 100L);
    assertThat(alarms).isEmpty();
  }

  @Test
  void shouldAcceptReportsOfUnknownSnapshots() {
    reports.onOwnSnapshot(200, GOOD);
    say(1, 100, BAD);
    assertThat(reports.held().positions().get(1)).isEqualTo(100);
    say(1, 50, BAD);
    assertThat(reports.held().positions().get(1)).isEqualTo(100);
    assertThat(alarms).isEmpty();
  }

  @Test
  void shouldStopWhenMajorityContradicts() {
    reports.onOwnSnapshot(100, BAD);
    say(1, 100, GOOD);
    assertThat(alarms).hasSize(1);
    assertThat(alarms.get(0).minority()).isEmpty();
    assertThatThrownBy(() -> say(2, 100, GOOD))
        .isInstanceOf(DivergedException.class)
        .hasMessageContaining("the state of member 0 differs")
        .hasMessageContaining("0000000000001235");
    assertThat(alarms.get(1).minority()).containsExactly(0);
    assertThat(reports.held().divergences()).isEqualTo(1);
  }

  @Test
  void shouldContinueWhenMajorityAgrees() {
    reports.onOwnSnapshot(100, GOOD);
    say(1, 100, BAD);
    say(2, 100, GOOD);
    assertThat(alarms.get(1).minority()).isEqualTo(Set.of(1));
    assertThat(reports.held().positions()).containsExactly(-1L, -1L, 100L);
  }

  @Test
  void shouldContinueWithoutMajority() {
    reports.onOwnSnapshot(100, GOOD);
    say(1, 100, BAD);
    say(2, 100, WORSE);
    assertThat(alarms).hasSize(2);
    assertThat(alarms.get(1).minority()).isEmpty();
  }

  @Test
  void shouldNotCompareWithItsOwnReport() {
    reports.onOwnSnapshot(100, GOOD);
    say(0, 100, BAD);
    assertThat(alarms).isEmpty();
    assertThat(reports.held().positions().get(0)).isEqualTo(SnapshotReports.NONE);
    say(0, 100, GOOD);
    assertThat(reports.held().positions().get(0)).isEqualTo(100);
  }

  @Test
  void shouldAcceptCorrectedReports() {
    reports.onOwnSnapshot(100, GOOD);
    say(1, 100, BAD);
    say(1, 100, BAD);
    say(1, 100, GOOD);
    assertThat(alarms).hasSize(1);
    assertThat(reports.held().positions().get(1)).isEqualTo(100);
  }

  @Test
  void shouldForgetOldSnapshots() {
    for (int i = 1; i <= 100; i++) {
      reports.onOwnSnapshot(i, GOOD);
    }
    assertThat(reports.held().digests()).hasSize(8).containsKey(100L);
  }

  @Test
  void shouldReadWhatItWrites() {
    SnapshotReport report = new SnapshotReport(2, 1L << 40, GOOD);
    UnsafeBuffer buffer = new UnsafeBuffer(new byte[SnapshotReport.BYTES]);
    report.write(buffer);
    assertThat(SnapshotReport.matches(buffer, 0, SnapshotReport.BYTES)).isTrue();
    assertThat(SnapshotReport.read(buffer, 0, 3)).contains(report);
  }

  @Test
  void shouldIgnoreUnreadableReports() {
    UnsafeBuffer buffer = new UnsafeBuffer(new byte[SnapshotReport.BYTES]);
    new SnapshotReport(2, 1, GOOD).write(buffer);
    assertThat(SnapshotReport.matches(buffer, 0, SnapshotReport.BYTES - 1)).isFalse();
    assertThat(SnapshotReport.read(buffer, 0, 2)).isEmpty();
    new SnapshotReport(-1, 1, GOOD).write(buffer);
    assertThat(SnapshotReport.read(buffer, 0, 3)).isEmpty();
    new SnapshotReport(1, -1, GOOD).write(buffer);
    assertThat(SnapshotReport.read(buffer, 0, 3)).isEmpty();
    new SnapshotReport(1, 1, GOOD).write(buffer);
    buffer.putByte(2, (byte) 2);
    assertThat(SnapshotReport.read(buffer, 0, 3)).isEmpty();
    buffer.putShort(0, (short) 0x5045);
    assertThat(SnapshotReport.matches(buffer, 0, SnapshotReport.BYTES)).isFalse();
  }

  private void say(int member, long position, StateDigest digest) {
    reports.onReport(new SnapshotReport(member, position, digest));
  }
}

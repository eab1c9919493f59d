package io.entroq.cluster.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.engine.maintenance.SnapshotStats;
import io.entroq.engine.snapshot.Manifest;
import org.junit.jupiter.api.Test;

/** Counts snapshots and measures their pauses. */
class SnapshotMeterTest {
  private final SnapshotMeter meter = new SnapshotMeter();

  @Test
  void shouldCountCompleteSnapshots() {
    meter.onSnapshotBegin(1_000);
    meter.onSent(7, 500);
    assertThat(meter.stats()).isEqualTo(SnapshotStats.NONE);
    meter.onSnapshotEnd(5_001_000);
    meter.settle(meter.begun(), 1);
    assertThat(meter.stats())
        .isEqualTo(new SnapshotStats(1, 0, 7, 500, 5_000_000, 5_000_000, 5, 0));
  }

  @Test
  void shouldCountSentButIncompleteSnapshotsAsFailed() {
    meter.onLoaded(5, 400);
    meter.onSnapshotBegin(1_000);
    meter.onSent(7, 500);
    meter.onSnapshotEnd(1_100);
    meter.settle(meter.begun(), 0);
    assertThat(meter.stats()).isEqualTo(new SnapshotStats(0, 1, 5, 400, 100, 100, 0, 0));
    meter.settle(meter.begun(), 0);
    assertThat(meter.stats().failed()).isEqualTo(1);
  }

  @Test
  void shouldReportLastAndLongestPause() {
    meter.onSnapshotBegin(0);
    meter.onSent(7, 500);
    meter.onSnapshotEnd(300);
    meter.settle(meter.begun(), 1);
    meter.onSnapshotBegin(1_000);
    meter.onSnapshotEnd(1_100);
    meter.settle(meter.begun(), 1);
    assertThat(meter.stats()).isEqualTo(new SnapshotStats(1, 1, 7, 500, 100, 300, 0, 0));
  }

  @Test
  void shouldNotCountSnapshotsBegunLater() {
    meter.onSnapshotBegin(0);
    meter.onSent(7, 500);
    meter.onSnapshotEnd(300);
    long begun = meter.begun();
    meter.onSnapshotBegin(1_000);
    meter.settle(begun, 1);
    assertThat(meter.stats()).isEqualTo(new SnapshotStats(1, 0, 7, 500, 300, 300, 0, 0));
  }

  @Test
  void shouldKnowTheLoadedSnapshot() {
    meter.onLoaded(7, 500);
    assertThat(meter.stats()).isEqualTo(new SnapshotStats(0, 0, 7, 500, 0, 0, 0, 0));
  }

  @Test
  void shouldCountASnapshotOnceThoughItIsNeitherRecordedNorImaged() {
    meter.onSnapshotBegin(0);
    meter.onBegin();
    meter.onFailed();
    meter.onSnapshotEnd(100);
    meter.settle(meter.begun(), 0);
    assertCounts(0, 1);
    image(7);
    meter.settle(meter.begun(), 1);
    assertCounts(1, 1);
    assertThat(meter.stats().sequence()).isEqualTo(7);
  }

  @Test
  void shouldCountASnapshotWithItsImage() {
    meter.onSnapshotBegin(0);
    meter.onBegin();
    meter.onSnapshotEnd(100);
    meter.settle(meter.begun(), 1);
    assertCounts(0, 0);
    meter.onWritten(manifest(7), 1_000_000);
    meter.settle(meter.begun(), 1);
    assertCounts(1, 0);
  }

  @Test
  void shouldNotCountASnapshotWhoseImageHasFailed() {
    meter.onSnapshotBegin(0);
    meter.onBegin();
    meter.onSnapshotEnd(100);
    meter.settle(meter.begun(), 1);
    meter.onFailed();
    image(7);
    meter.settle(meter.begun(), 2);
    assertCounts(1, 1);
  }

  @Test
  void shouldNotCountAnImageWithoutASnapshot() {
    image(7);
    meter.settle(meter.begun(), 0);
    assertCounts(0, 1);
    image(8);
    image(9);
    meter.settle(meter.begun(), 1);
    assertCounts(1, 2);
  }

  private void image(long sequence) {
    meter.onSnapshotBegin(0);
    meter.onBegin();
    meter.onWritten(manifest(sequence), 1_000_000);
    meter.onSnapshotEnd(100);
  }

  private static Manifest manifest(long sequence) {
    return new Manifest(sequence, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1);
  }

  private void assertCounts(long taken, long failed) {
    assertThat(meter.stats().taken()).isEqualTo(taken);
    assertThat(meter.stats().failed()).isEqualTo(failed);
  }
}

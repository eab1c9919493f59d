package io.entroq.cluster.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.engine.figures.SnapshotFigures;
import org.junit.jupiter.api.Test;

/** For how long snapshots hold commands up. */
class SnapshotMeterTest {
  private final SnapshotMeter meter = new SnapshotMeter();

  @Test
  void shouldCountTheWaitForTheArchiveToo() {
    meter.onSnapshotBegin(1_000);
    meter.passedOn(7, 500);
    assertThat(meter.figures()).isEqualTo(new SnapshotFigures(1, 0, 7, 500, 0, 0, 0, 0));
    meter.onSnapshotEnd(5_001_000);
    assertThat(meter.figures())
        .isEqualTo(new SnapshotFigures(1, 0, 7, 500, 5_000_000, 5_000_000, 5, 0));
  }

  @Test
  void shouldTellLastAndLongest() {
    meter.onSnapshotBegin(0);
    meter.passedOn(7, 500);
    meter.onSnapshotEnd(300);
    meter.onSnapshotBegin(1_000);
    meter.failed();
    meter.onSnapshotEnd(1_100);
    assertThat(meter.figures()).isEqualTo(new SnapshotFigures(1, 1, 7, 500, 100, 300, 0, 0));
  }

  @Test
  void shouldKnowTheOneThatWasFound() {
    meter.begunWith(7, 500);
    assertThat(meter.figures()).isEqualTo(new SnapshotFigures(0, 0, 7, 500, 0, 0, 0, 0));
  }
}

package io.entroq.examples.mapreduce;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class AuditTest {
  private final Audit audit = new Audit();

  @Test
  void shouldFindNothingWhenEachTaskLeftOneMarker() {
    audit.add(2, List.of(new Marker(1, 1), new Marker(0, 1)));
    assertThat(audit.committed()).isEqualTo(2);
    assertThat(audit.lost()).isZero();
    assertThat(audit.committedTwice()).isZero();
    assertThat(audit.redeliveries()).isZero();
  }

  @Test
  void shouldCountTasksWithoutAMarkerAsLost() {
    audit.add(3, List.of(new Marker(1, 1)));
    assertThat(audit.lost()).isEqualTo(2);
  }

  @Test
  void shouldCountTasksWithMoreMarkersAsCommittedTwice() {
    audit.add(2, List.of(new Marker(0, 1), new Marker(1, 1), new Marker(0, 2)));
    assertThat(audit.committedTwice()).isEqualTo(1);
    assertThat(audit.lost()).isZero();
  }

  @Test
  void shouldAddUpClaimsBeyondTheFirst() {
    audit.add(2, List.of(new Marker(0, 4), new Marker(1, 1)));
    audit.addQuarantined(3);
    assertThat(audit.redeliveries()).isEqualTo(5);
    assertThat(audit.quarantined()).isEqualTo(1);
  }
}

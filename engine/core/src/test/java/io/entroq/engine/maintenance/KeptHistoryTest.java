package io.entroq.engine.maintenance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.engine.maintenance.KeptHistory.Point;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class KeptHistoryTest {
  private static final long MINUTE_MS = 60_000;

  /** In this log a record has a MiB. */
  private static final long RECORD_BYTES = 1 << 20;

  private static List<Long> kept(HistoryPolicy policy, List<Point> past, Point needed) {
    return new KeptHistory(policy, (from, to) -> (to - from) * RECORD_BYTES)
        .of(past, needed, needed.logTimeMs() + 10 * MINUTE_MS).stream()
            .map(Point::sequence)
            .toList();
  }

  /** A point after so many minutes; the log grows by 10 MiB a minute. */
  private static Point after(int minutes) {
    return new Point(10L * minutes, minutes * MINUTE_MS, 0);
  }

  /** Points every ten minutes, up to a time before the newest two. */
  private static List<Point> past(int minutes) {
    return IntStream.rangeClosed(0, minutes / 10).mapToObj(i -> after(10 * i)).toList();
  }

  @Test
  void shouldKeepNothingUnlessAsked() {
    assertThat(kept(HistoryPolicy.OFF, past(100), after(110))).isEmpty();
  }

  @Test
  void shouldKeepAPointAnHour() {
    List<Point> large =
        past(180).stream()
            .map(point -> new Point(point.sequence(), point.logTimeMs(), 1L << 30))
            .toList();
    assertThat(kept(HistoryPolicy.ofAge(Duration.ofDays(7)), large, after(190)))
        .containsExactly(0L, 600L, 1_200L, 1_800L);
  }

  @Test
  void shouldKeepAPointAGibibyteOfLog() {
    assertThat(keptOfBusyLog(600 * RECORD_BYTES)).containsExactly(0L, 1_024L);
  }

  @Test
  void shouldKeepSmallPointsCloser() {
    assertThat(keptOfBusyLog(250 * RECORD_BYTES)).containsExactly(0L, 500L, 1_024L);
    assertThat(keptOfBusyLog(251 * RECORD_BYTES)).containsExactly(0L, 600L);
    assertThat(keptOfBusyLog(1)).containsExactly(0L, 256L, 600L, 1_024L);
  }

  /**
   * @param bytes of each snapshot
   */
  private static List<Long> keptOfBusyLog(long bytes) {
    List<Point> busy = new ArrayList<>();
    busy.add(new Point(0, 0, 0));
    for (int sequence : new int[] {256, 500, 600, 1_024}) {
      busy.add(new Point(sequence, busy.size(), bytes));
    }
    return kept(HistoryPolicy.ofAge(Duration.ofDays(7)), busy, new Point(1_100, 3, 0));
  }

  @Test
  void shouldKeepPointsCloserIfLittleIsKept() {
    HistoryPolicy hour = HistoryPolicy.ofAge(Duration.ofHours(1));
    assertThat(kept(hour, past(180), after(190))).containsExactly(1_400L, 1_600L, 1_800L);
    assertThat(kept(HistoryPolicy.ofBytes(400 << 20), past(50), after(60)))
        .as("100 MiB are ten minutes")
        .containsExactly(200L, 300L, 400L, 500L);
  }

  @Test
  void shouldReachBackToTheTimeAskedFor() {
    HistoryPolicy day = HistoryPolicy.ofAge(Duration.ofDays(1));
    List<Point> past = past(3 * 24 * 60);
    Point needed = after(3 * 24 * 60 + 10);
    long first = kept(day, past, needed).get(0);
    // The newest is at 3 days and 20 minutes.
    assertThat(first / 10).isLessThanOrEqualTo(2 * 24 * 60 + 20).isGreaterThan(2 * 24 * 60 - 60);
  }

  @Test
  void shouldNeverKeepMoreBytesThanAskedFor() {
    List<Point> large = List.of(new Point(0, 0, 0), new Point(1, 1, 300), new Point(2, 2, 300));
    Point needed = new Point(3, 3, 300);
    HistoryPolicy policy = new HistoryPolicy(Duration.ofDays(1), 3 * RECORD_BYTES + 600);
    assertThat(kept(policy, large, needed)).containsExactly(0L, 1L, 2L);
    policy = new HistoryPolicy(Duration.ofDays(1), 3 * RECORD_BYTES + 599);
    assertThat(kept(policy, large, needed)).containsExactly(1L, 2L);
    policy = new HistoryPolicy(Duration.ofDays(1), RECORD_BYTES);
    assertThat(kept(policy, large, needed)).isEmpty();
  }

  @Test
  void shouldChooseTheSameAgainAsTimePasses() {
    HistoryPolicy day = HistoryPolicy.ofAge(Duration.ofDays(1));
    List<Point> there = new ArrayList<>();
    for (int minutes = 0; minutes < 3 * 24 * 60; minutes += 10) {
      List<Long> kept = kept(day, there, after(minutes));
      there.removeIf(point -> !kept.contains(point.sequence()));
      there.add(after(minutes));
    }
    // One for each 300 MiB, which are half an hour.
    assertThat(there).hasSizeBetween(48, 51);
    assertThat(there.get(0).logTimeMs()).isLessThanOrEqualTo(2 * 24 * 60 * MINUTE_MS);
  }

  @Test
  void shouldRefuseAPolicyOutOfRange() {
    assertThatThrownBy(() -> HistoryPolicy.ofBytes(-1)).hasMessageContaining("bytes");
    assertThatThrownBy(() -> HistoryPolicy.ofAge(Duration.ofMillis(-1)))
        .hasMessageContaining("age");
    assertThat(HistoryPolicy.ofBytes(1).hasAge()).isFalse();
    assertThat(HistoryPolicy.OF_CONSOLE.hasAge()).isTrue();
  }
}

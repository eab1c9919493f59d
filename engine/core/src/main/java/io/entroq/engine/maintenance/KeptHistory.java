package io.entroq.engine.maintenance;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongBinaryOperator;

/** Chooses which old snapshots are kept for the history. The log is kept from the oldest on. */
final class KeptHistory {
  private final HistoryPolicy policy;

  /** The bytes of log between two snapshots, given their sequences. */
  private final LongBinaryOperator logBytes;

  KeptHistory(HistoryPolicy policy, LongBinaryOperator logBytes) {
    this.policy = policy;
    this.logBytes = logBytes;
  }

  /**
   * A snapshot, or the beginning of the log.
   *
   * @param sequence 0: the beginning
   * @param logTimeMs of that record
   * @param bytes of the snapshot
   */
  record Point(long sequence, long logTimeMs, long bytes) {}

  /**
   * Returns the points to keep, oldest first.
   *
   * @param past all points before {@code needed}, oldest first
   * @param needed is kept anyway, with the log from there on
   * @param nowMs the log time from which ages are counted, in milliseconds since the epoch
   */
  List<Point> of(List<Point> past, Point needed, long nowMs) {
    if (!policy.isOn()) {
      return List.of();
    }
    List<Point> kept = thinned(past);
    while (!kept.isEmpty() && (isTooOld(kept, needed, nowMs) || isTooLarge(kept, needed))) {
      kept.remove(0);
    }
    return kept;
  }

  private List<Point> thinned(List<Point> past) {
    List<Point> kept = new ArrayList<>();
    Point last = null;
    for (Point point : past) {
      if (last == null
          || point.logTimeMs - last.logTimeMs >= policy.gapMs()
          || logBytes.applyAsLong(last.sequence, point.sequence) >= policy.gapBytes(point.bytes)) {
        kept.add(point);
        last = point;
      }
    }
    return kept;
  }

  /** Whether the states of the wanted time are after the second point. */
  private boolean isTooOld(List<Point> kept, Point needed, long nowMs) {
    Point second = kept.size() > 1 ? kept.get(1) : needed;
    return policy.hasAge() && nowMs - second.logTimeMs >= policy.age().toMillis();
  }

  private boolean isTooLarge(List<Point> kept, Point needed) {
    long bytes = logBytes.applyAsLong(kept.get(0).sequence, needed.sequence);
    for (Point point : kept) {
      bytes += point.bytes;
    }
    return bytes > policy.bytes();
  }
}

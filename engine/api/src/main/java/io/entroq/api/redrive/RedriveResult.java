package io.entroq.api.redrive;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a redrive did, in tasks. Immutable.
 *
 * @param examined tasks that it looked at
 * @param matched those that the filter selected
 * @param moved those that are back in a queue
 * @param held skipped because they are claimed or not due
 * @param changed skipped because they have changed or no longer exist
 * @param unplaced skipped because nothing says where they came from
 * @param full skipped because the queue to move them to is full, by that queue
 */
public record RedriveResult(
    long examined,
    long matched,
    long moved,
    long held,
    long changed,
    long unplaced,
    Map<String, Long> full) {
  /** Before the first task. */
  public static final RedriveResult NOTHING = new RedriveResult(0, 0, 0, 0, 0, 0, Map.of());

  /** Sorts the queues by name. */
  public RedriveResult {
    full = Collections.unmodifiableSortedMap(new TreeMap<>(full));
  }

  /** This and an examined task. */
  RedriveResult withExamined(boolean isMatch) {
    return new RedriveResult(
        examined + 1, matched + (isMatch ? 1 : 0), moved, held, changed, unplaced, full);
  }

  /** This, with a matching task that cannot be moved. */
  RedriveResult withUnplaced() {
    return new RedriveResult(examined, matched, moved, held, changed, unplaced + 1, full);
  }

  /** This, with more tasks that stay because the queue to move them to is full. */
  RedriveResult withFull(String queue, long tasks) {
    SortedMap<String, Long> more = new TreeMap<>(full);
    more.merge(queue, tasks, Long::sum);
    return new RedriveResult(examined, matched, moved, held, changed, unplaced, more);
  }

  /** This and a batch. */
  RedriveResult with(Batch batch) {
    return new RedriveResult(
        examined,
        matched,
        moved + batch.done(),
        held + batch.held(),
        changed + batch.changed(),
        unplaced,
        full);
  }
}

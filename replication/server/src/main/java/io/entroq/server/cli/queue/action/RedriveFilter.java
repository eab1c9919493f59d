package io.entroq.server.cli.queue.action;

import io.entroq.api.Task;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Selects tasks of a quarantine. Immutable.
 *
 * @param errText text in the error; empty: any
 * @param olderThan least time since the last change, which put the task into quarantine
 * @param newerThan most time since then
 */
public record RedriveFilter(
    String errText, Optional<Duration> olderThan, Optional<Duration> newerThan) {
  /**
   * Whether a task is selected.
   *
   * @param now the time of the queue
   */
  boolean matches(Task task, Instant now) {
    Duration age = Duration.between(task.modified(), now);
    return task.err().contains(errText)
        && olderThan.map(least -> age.compareTo(least) >= 0).orElse(true)
        && newerThan.map(most -> age.compareTo(most) <= 0).orElse(true);
  }
}

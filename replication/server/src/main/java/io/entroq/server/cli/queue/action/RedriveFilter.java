package io.entroq.server.cli.queue.action;

import io.entroq.api.Task;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Selects quarantined tasks.
 *
 * @param errText text that the error must contain; may be empty
 * @param olderThan minimum time since the task was quarantined, which was its last change
 * @param newerThan maximum time since then
 */
public record RedriveFilter(
    String errText, Optional<Duration> olderThan, Optional<Duration> newerThan) {
  /**
   * Whether a task is selected.
   *
   * @param now the queue's current time
   */
  boolean matches(Task task, Instant now) {
    Duration age = Duration.between(task.modified(), now);
    return task.err().contains(errText)
        && olderThan.map(min -> age.compareTo(min) >= 0).orElse(true)
        && newerThan.map(max -> age.compareTo(max) <= 0).orElse(true);
  }
}

package io.entroq.server.cli.queue.action;

import io.entroq.api.Task;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Which tasks of a quarantine are meant. Immutable.
 *
 * @param errText what has to stand in the text of the error; empty: anything
 * @param olderThan how long ago the task was last written to, which is when it came into
 *     quarantine, at least; empty: any time
 * @param newerThan the same, at most
 */
public record RedriveFilter(
    String errText, Optional<Duration> olderThan, Optional<Duration> newerThan) {
  /**
   * Whether a task is meant.
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

package io.entroq.server.cli.queue.action;

import io.entroq.server.cli.queue.options.TaskName;
import java.util.List;

/**
 * What to move, and where. Immutable.
 *
 * @param from the quarantine queue
 * @param names only these tasks; empty: all
 * @param limit most tasks to move; 0: all
 * @param ratePerSecond tasks per second; 0: no limit
 * @param claimant empty: a random one
 */
public record RedrivePlan(
    String from,
    String to,
    List<TaskName> names,
    RedriveFilter filter,
    long limit,
    double ratePerSecond,
    boolean isDryRun,
    String claimant) {
  /** Copies the list. */
  public RedrivePlan {
    names = List.copyOf(names);
  }
}

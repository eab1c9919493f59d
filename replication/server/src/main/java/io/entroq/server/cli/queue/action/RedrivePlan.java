package io.entroq.server.cli.queue.action;

import io.entroq.server.cli.queue.options.TaskName;
import java.util.List;

/**
 * What to move, and where.
 *
 * @param from the quarantine queue
 * @param names only these tasks; empty: all
 * @param limit maximum number of tasks to move; 0: all
 * @param ratePerSecond tasks per second; 0: no limit
 * @param claimant may be empty, for a random one
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
  public RedrivePlan {
    names = List.copyOf(names);
  }
}

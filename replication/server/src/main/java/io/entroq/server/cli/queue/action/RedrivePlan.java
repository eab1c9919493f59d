package io.entroq.server.cli.queue.action;

import io.entroq.server.cli.queue.options.TaskName;
import java.util.List;

/**
 * What is to be moved from where to where. Immutable.
 *
 * @param from the queue of the quarantine
 * @param to where the tasks go
 * @param names the tasks that are meant; none: all of the queue
 * @param filter which of them
 * @param limit how many at most; 0: all
 * @param ratePerSecond how many a second; 0: as many as can be
 * @param isDryRun whether nothing is to be moved
 * @param claimant in whose name to ask; empty: in that of the queue
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

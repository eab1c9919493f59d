package io.entroq.server.cli.queue.print;

import io.entroq.api.QueueStats;
import java.util.Collection;
import java.util.List;

/**
 * Statistics of queues, as a table with the columns of EntroQ's own tool (contract 3.7) and ours.
 */
public final class StatsTable {
  private StatsTable() {}

  /** The lines of the table. */
  public static List<String> lines(Collection<QueueStats> queues) {
    TextTable table =
        new TextTable("QUEUE", "SIZE", "FUTURE", "AVAILABLE", "CLAIMED", "MAX CLAIMS", "OLDEST");
    for (QueueStats queue : queues) {
      table.row(
          queue.name(),
          queue.tasks(),
          queue.future(),
          queue.available(),
          queue.claimed(),
          queue.maxClaims(),
          queue.oldestAvailableAge().map(AgeText::of).orElse("-"));
    }
    return table.lines();
  }
}

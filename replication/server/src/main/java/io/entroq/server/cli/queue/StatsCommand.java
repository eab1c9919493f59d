package io.entroq.server.cli.queue;

import io.entroq.api.QueueStats;
import java.util.Collection;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The {@code stats} command. */
@Command(
    name = "stats",
    header = "Print statistics of queues as a table.",
    description = {
      "",
      "Prints a line per queue, by name: the number of tasks; how many of them are not due and"
          + " were never claimed, are available, or are claimed; the highest claim count of a task;"
          + " and how long the oldest available task has been waiting. A queue without tasks does"
          + " not exist.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  entroq stats --data data",
      "  entroq stats --data data -q inbox -q inbox/err --json",
      "  entroq stats -s localhost:37706 --rules",
      "",
      "Exit status: 0 if it succeeded; 1 if not; 2 if the command line is wrong."
    })
final class StatsCommand extends StatsListing {
  @Option(
      names = {"-j", "--json"},
      description = "Print a JSON object, as `entroq qs` does.")
  private boolean isJson;

  @Option(
      names = "--rules",
      description =
          "Print what the rules of queues let happen: tasks that a claim would get now, tasks in"
              + " flight, leases that ended without an outcome, dead tasks (moved or deleted), and"
              + " until when the queue is paused or waits for its rate.")
  private boolean showsRules;

  @Override
  void show(Collection<QueueStats> queues) {
    if (isJson) {
      showJson(queues);
    } else if (showsRules) {
      showRules(queues);
    } else {
      showTable(queues);
    }
  }
}

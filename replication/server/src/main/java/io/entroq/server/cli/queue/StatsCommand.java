package io.entroq.server.cli.queue;

import io.entroq.api.QueueStats;
import java.util.Collection;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The {@code stats} command. */
@Command(
    name = "stats",
    header = "Says how queues stand, as a table.",
    description = {
      "",
      "Prints a line for each queue, by name: how many tasks it has, how many of them are not due and"
          + " were never claimed, are available, are not due and were claimed, the most claims of any of"
          + " them, and for how long the oldest available one has been. A queue without tasks does not"
          + " exist.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  entroq stats --data data",
      "  entroq stats --data data -q inbox -q inbox/err --json",
      "",
      "Exit status: 0 if all went well; 1 if not; 2 if the command line is wrong."
    })
final class StatsCommand extends StatsListing {
  @Option(
      names = {"-j", "--json"},
      description = "Print a JSON object instead, as the qs command does.")
  private boolean isJson;

  @Override
  void show(Collection<QueueStats> queues) {
    if (isJson) {
      showJson(queues);
    } else {
      showTable(queues);
    }
  }
}

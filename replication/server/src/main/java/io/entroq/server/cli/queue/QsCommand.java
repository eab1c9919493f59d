package io.entroq.server.cli.queue;

import io.entroq.api.QueueStats;
import io.entroq.server.cli.queue.options.JsonValuesOption;
import java.util.Collection;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The {@code qs} command. */
@Command(
    name = "qs",
    header = "Print statistics of queues as JSON.",
    description = {
      "",
      "Prints one JSON object with a member per queue: the number of tasks, and how many are"
          + " available, claimed and not due yet; oldestAvailableMs is how long the oldest"
          + " available task has been waiting. A queue without tasks does not exist. `entroq"
          + " stats` prints the same as a table.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  entroq qs --data data",
      "  entroq qs --data data -p mail/ | jq 'map(.size) | add'",
      "",
      "Exit status: 0 if it succeeded; 1 if not; 2 if the command line is wrong."
    })
final class QsCommand extends StatsListing {
  @Mixin JsonValuesOption jsonValues;

  @Override
  void show(Collection<QueueStats> queues) {
    showJson(queues);
  }
}

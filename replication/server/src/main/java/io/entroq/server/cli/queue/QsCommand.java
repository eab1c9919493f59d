package io.entroq.server.cli.queue;

import io.entroq.api.QueueStats;
import io.entroq.server.cli.queue.options.JsonValuesOption;
import java.util.Collection;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The {@code qs} command. */
@Command(
    name = "qs",
    header = "Says how queues stand, as JSON.",
    description = {
      "",
      "Prints one JSON object with a member for each queue: how many tasks it has, and how many of them"
          + " are available, claimed and in the future; oldestAvailableMs is for how long the oldest"
          + " available one has been. A queue without tasks does not exist. The stats command prints"
          + " the same as a table.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  entroq qs --data data",
      "  entroq qs --data data -p mail/ | jq 'map(.size) | add'",
      "",
      "Exit status: 0 if all went well; 1 if not; 2 if the command line is wrong."
    })
final class QsCommand extends StatsListing {
  @Mixin JsonValuesOption jsonValues;

  @Override
  void show(Collection<QueueStats> queues) {
    showJson(queues);
  }
}

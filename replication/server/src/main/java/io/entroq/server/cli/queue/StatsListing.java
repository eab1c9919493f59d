package io.entroq.server.cli.queue;

import io.entroq.api.EntroQ;
import io.entroq.api.QueueQuery;
import io.entroq.api.QueueStats;
import io.entroq.server.cli.queue.options.QueueNameConverter;
import io.entroq.server.cli.queue.print.StatsJson;
import io.entroq.server.cli.queue.print.StatsTable;
import io.entroq.tools.log.JsonLines;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;
import picocli.CommandLine.Option;

/** A command that says how queues stand. */
abstract class StatsListing extends TargetCommand {
  @Option(
      names = {"-p", "--prefix"},
      paramLabel = "PREFIX",
      description = "Queues whose names begin like this; may be given several times.")
  private List<String> prefixes = List.of();

  @Option(
      names = {"-q", "--queue"},
      paramLabel = "QUEUE",
      converter = QueueNameConverter.class,
      description = "The queue of this name; may be given several times. Default: every queue.")
  private List<String> names = List.of();

  @Option(
      names = {"-n", "--limit"},
      paramLabel = "N",
      description = "How many queues at most, whichever; 0 for all. Default: 0.")
  private int limit;

  @Override
  final void checkOptions() {
    if (limit < 0) {
      throw misused("-n %d is below 0".formatted(limit));
    }
  }

  @Override
  final int run(EntroQ queue) {
    QueueQuery query = new QueueQuery(prefixes, names, limit);
    show(new TreeMap<>(queue.queueStats(query)).values());
    return STATUS_OK;
  }

  /** Prints them, which are sorted by name. */
  abstract void show(Collection<QueueStats> queues);

  final void showJson(Collection<QueueStats> queues) {
    try (JsonLines lines = json()) {
      lines.value(json -> StatsJson.write(json, queues));
    }
  }

  final void showTable(Collection<QueueStats> queues) {
    StatsTable.lines(queues).forEach(this::print);
  }
}

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

/** A command that prints statistics of queues. */
abstract class StatsListing extends TargetCommand {
  @Option(
      names = {"-p", "--prefix"},
      paramLabel = "PREFIX",
      description = "Queues whose names start with this; repeatable.")
  private List<String> prefixes = List.of();

  @Option(
      names = {"-q", "--queue"},
      paramLabel = "QUEUE",
      converter = QueueNameConverter.class,
      description = "Queue with this name; repeatable. Default: all.")
  private List<String> names = List.of();

  @Option(
      names = {"-n", "--limit"},
      paramLabel = "N",
      description = "Most queues, in no order; 0: all. Default: 0.")
  private int limit;

  @Override
  final void checkOptions() {
    if (limit < 0) {
      throw misused("-n %d must not be negative".formatted(limit));
    }
  }

  @Override
  final int run(EntroQ queue) {
    QueueQuery query = new QueueQuery(prefixes, names, limit);
    show(new TreeMap<>(queue.queueStats(query)).values());
    return STATUS_OK;
  }

  /** Prints them; they are sorted by name. */
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

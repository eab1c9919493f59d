package io.entroq.server.cli.queue;

import io.entroq.api.EntroQ;
import io.entroq.api.QueueQuery;
import io.entroq.api.QueueStats;
import io.entroq.server.cli.queue.options.QueueNameConverter;
import io.entroq.server.cli.queue.print.AgeText;
import io.entroq.server.cli.queue.print.TextTable;
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
      description = "Maximum number of queues, chosen arbitrarily; 0: all. Default: 0.")
  private int limit;

  @Override
  final void checkOptions() {
    if (limit < 0) {
      throw usageError("-n %d must not be negative".formatted(limit));
    }
  }

  @Override
  final boolean isReading() {
    return true;
  }

  @Override
  final int run(EntroQ queue) {
    QueueQuery query = new QueueQuery(prefixes, names, limit);
    show(new TreeMap<>(queue.queueStats(query)).values());
    return STATUS_OK;
  }

  /** Prints the queues, which are sorted by name. */
  abstract void show(Collection<QueueStats> queues);

  /** Prints a JSON object by name: the members of EntroQ's own tool (contract 3.7) and the age. */
  final void showJson(Collection<QueueStats> queues) {
    try (JsonLines lines = json()) {
      lines.line(
          json -> {
            for (QueueStats queue : queues) {
              json.writeObjectFieldStart(queue.name());
              json.writeStringField("name", queue.name());
              json.writeNumberField("size", queue.tasks());
              json.writeNumberField("claimed", queue.claimed());
              json.writeNumberField("available", queue.available());
              json.writeNumberField("future", queue.future());
              json.writeNumberField("maxClaims", queue.maxClaims());
              if (queue.oldestAvailableAge().isPresent()) {
                json.writeNumberField(
                    "oldestAvailableMs", queue.oldestAvailableAge().get().toMillis());
              }
              json.writeEndObject();
            }
          });
    }
  }

  /** Prints the columns of EntroQ's own tool (contract 3.7) and the age. */
  final void showTable(Collection<QueueStats> queues) {
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
    table.lines().forEach(this::print);
  }
}

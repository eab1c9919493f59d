package io.entroq.server.cli.queue;

import com.fasterxml.jackson.core.JsonGenerator;
import io.entroq.api.EntroQ;
import io.entroq.api.QueueQuery;
import io.entroq.api.QueueStats;
import io.entroq.server.cli.queue.options.QueueNameConverter;
import io.entroq.server.cli.queue.print.AgeText;
import io.entroq.server.cli.queue.print.TextTable;
import io.entroq.tools.log.JsonLines;
import java.io.IOException;
import java.time.Instant;
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

  private boolean hasRules;

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
    hasRules = queue.hasPolicies();
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
              if (hasRules) {
                writeRules(json, queue);
              }
              json.writeEndObject();
            }
          });
    }
  }

  /** What the rules of a queue do; the members of times only if they apply. */
  private static void writeRules(JsonGenerator json, QueueStats queue) throws IOException {
    json.writeNumberField("inFlight", queue.inFlight());
    json.writeNumberField("claimable", queue.claimable());
    json.writeNumberField("lapsed", queue.lapsed());
    json.writeNumberField("dead", queue.dead());
    json.writeNumberField("bytes", queue.bytes());
    if (queue.pausedUntil().isPresent()) {
      json.writeStringField("pausedUntil", end(queue.pausedUntil().get()));
    }
    if (queue.nextStart().isPresent()) {
      json.writeStringField("nextStart", queue.nextStart().get().toString());
    }
  }

  private static String end(Instant time) {
    return time.equals(Instant.MAX) ? "resumed" : time.toString();
  }

  /** Prints what the rules of queues let happen. */
  final void showRules(Collection<QueueStats> queues) {
    TextTable table =
        new TextTable(
            "QUEUE",
            "AVAILABLE",
            "CLAIMABLE",
            "IN FLIGHT",
            "LAPSED",
            "DEAD",
            "PAUSED UNTIL",
            "NEXT START");
    for (QueueStats queue : queues) {
      table.row(
          queue.name(),
          queue.available(),
          queue.claimable(),
          queue.inFlight(),
          queue.lapsed(),
          queue.dead(),
          queue.pausedUntil().map(StatsListing::end).orElse("-"),
          queue.nextStart().map(Instant::toString).orElse("-"));
    }
    table.lines().forEach(this::print);
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

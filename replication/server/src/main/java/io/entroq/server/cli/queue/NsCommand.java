package io.entroq.server.cli.queue;

import io.entroq.api.EntroQ;
import io.entroq.api.NamespaceQuery;
import io.entroq.api.NamespaceStats;
import io.entroq.server.cli.queue.print.TextTable;
import io.entroq.tools.log.JsonLines;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The {@code ns} command. */
@Command(
    name = "ns",
    aliases = "namespaces",
    header = "Print statistics of namespaces.",
    description = {
      "",
      "Prints a table with the number of docs of each namespace and how many are claimed. A"
          + " namespace without docs does not exist.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  entroq ns --data data",
      "  entroq ns -s localhost:37706 -p config/ -j",
      "",
      "Exit status: 0 if it succeeded; 1 if not; 2 if the command line is wrong."
    })
final class NsCommand extends TargetCommand {
  @Option(
      names = {"-p", "--prefix"},
      paramLabel = "PREFIX",
      description = "Namespaces whose names start with this; repeatable.")
  private List<String> prefixes = List.of();

  @Option(
      names = {"-n", "--namespace"},
      paramLabel = "NAMESPACE",
      description = "Namespace with this name; repeatable. Default: all.")
  private List<String> names = List.of();

  @Option(
      names = {"-l", "--limit"},
      paramLabel = "N",
      description = "Maximum number of namespaces, chosen arbitrarily; 0: all. Default: 0.")
  private int limit;

  @Option(
      names = {"-j", "--json"},
      description = "Print a JSON object with one member per namespace.")
  private boolean isJson;

  @Override
  void checkOptions() {
    if (limit < 0) {
      throw usageError("-l %d must not be negative".formatted(limit));
    }
  }

  @Override
  boolean isReading() {
    return true;
  }

  @Override
  int run(EntroQ queue) {
    NamespaceQuery query = new NamespaceQuery(prefixes, names, limit);
    Collection<NamespaceStats> namespaces = new TreeMap<>(queue.namespaces(query)).values();
    if (isJson) {
      showJson(namespaces);
    } else {
      showTable(namespaces);
    }
    return STATUS_OK;
  }

  private void showJson(Collection<NamespaceStats> namespaces) {
    try (JsonLines lines = json()) {
      lines.line(
          json -> {
            for (NamespaceStats namespace : namespaces) {
              json.writeObjectFieldStart(namespace.name());
              json.writeStringField("name", namespace.name());
              json.writeNumberField("size", namespace.docs());
              json.writeNumberField("claimed", namespace.claimed());
              json.writeEndObject();
            }
          });
    }
  }

  /** Prints the columns of EntroQ's own tool (contract 3.7). */
  private void showTable(Collection<NamespaceStats> namespaces) {
    TextTable table = new TextTable("NAMESPACE", "SIZE", "CLAIMED");
    for (NamespaceStats namespace : namespaces) {
      table.row(namespace.name(), namespace.docs(), namespace.claimed());
    }
    table.lines().forEach(this::print);
  }
}

package io.entroq.server.cli.queue;

import com.fasterxml.jackson.core.JsonGenerator;
import io.entroq.api.EntroQ;
import io.entroq.api.Policies;
import io.entroq.server.cli.queue.print.RulesJson;
import io.entroq.server.cli.queue.print.TextTable;
import io.entroq.server.cli.queue.rules.RulesChange;
import io.entroq.tools.log.JsonLines;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Option;

/** Lists entries of some kinds, by kind and name. */
abstract class RulesLsCommand extends RulesCommand {
  @Option(
      names = "--starting-with",
      paramLabel = "TEXT",
      description = "Only names that begin with this.")
  private String prefix = "";

  @Option(
      names = {"-j", "--json"},
      description = "Print one JSON object, a file for `entroq policy apply`.")
  private boolean isJson;

  private final List<Policies.Kind> kinds;

  RulesLsCommand(List<Policies.Kind> kinds) {
    this.kinds = kinds;
  }

  @Override
  final boolean isReading() {
    return true;
  }

  @Override
  final int work(EntroQ queue) {
    List<Policies.Entry> entries = new ArrayList<>();
    for (Policies.Kind kind : kinds) {
      List<Policies.Entry> ofKind =
          new ArrayList<>(queue.policies().list(Policies.Query.of(kind).startingWith(prefix)));
      ofKind.sort(Comparator.comparing(entry -> entry.target().name()));
      entries.addAll(ofKind);
    }
    if (isJson) {
      showJson(entries);
    } else {
      showTable(entries);
    }
    return STATUS_OK;
  }

  private void showJson(List<Policies.Entry> entries) {
    try (JsonLines lines = json()) {
      lines.line(
          json -> {
            json.writeArrayFieldStart("policies");
            for (Policies.Entry entry : entries) {
              writeObject(json, entry);
            }
            json.writeEndArray();
          });
    }
  }

  private static void writeObject(JsonGenerator json, Policies.Entry entry) throws IOException {
    json.writeStartObject();
    RulesJson.write(json, entry);
    json.writeEndObject();
  }

  private void showTable(List<Policies.Entry> entries) {
    TextTable table = new TextTable("KIND", "NAME", "VERSION", "IN FLIGHT", "PAUSED", "RULES");
    for (Policies.Entry entry : entries) {
      Policies.Kind kind = entry.target().kind();
      table.row(
          kind.name().toLowerCase(Locale.ROOT),
          entry.target().name(),
          entry.version(),
          kind == Policies.Kind.LIMITER ? entry.inFlight() : "-",
          RulesJson.pause(entry),
          RulesChange.summary(entry));
    }
    table.lines().forEach(this::print);
  }
}

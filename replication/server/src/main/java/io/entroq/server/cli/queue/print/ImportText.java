package io.entroq.server.cli.queue.print;

import io.entroq.api.Policies;
import io.entroq.server.cli.queue.rules.RulesChange;
import io.entroq.tools.importing.CopyStats;
import io.entroq.tools.importing.ImportVerification;
import io.entroq.tools.importing.Inventory;
import io.entroq.tools.importing.PolicyImport;
import io.entroq.tools.importing.UnitDifference;
import io.entroq.tools.importing.UnitName;
import io.entroq.tools.importing.UnitName.Kind;
import io.entroq.tools.terminal.Quantity;
import java.util.ArrayList;
import java.util.List;

/** The output of an import. */
public final class ImportText {
  private ImportText() {}

  /** What would be copied: a line per queue, namespace and policy, then a total. */
  public static List<String> plan(
      Inventory inventory, PolicyImport policies, String from, String to) {
    TextTable table = new TextTable("WHAT", "NAME", "SIZE");
    inventory.sizes().forEach((name, size) -> table.row(name.kind().word(), name.name(), size));
    List<String> lines = new ArrayList<>(table.lines());
    policies.entries().forEach(entry -> lines.add(line(entry)));
    lines.add(
        "Would copy %s%s from %s to %s."
            .formatted(
                counts(
                    inventory.items(Kind.QUEUE),
                    inventory.units(Kind.QUEUE),
                    inventory.items(Kind.NAMESPACE),
                    inventory.units(Kind.NAMESPACE)),
                policies.entries().isEmpty() ? "" : " and " + policies.count(),
                from,
                to));
    return lines;
  }

  private static String line(Policies.Entry entry) {
    String pause = entry.pausedUntil().isPresent() ? ", paused " + RulesJson.pause(entry) : "";
    return "%s: %s%s".formatted(entry.target(), RulesChange.summary(entry), pause);
  }

  /** The lines of policies and limiters that differ, as a put of the source's would change them. */
  public static List<String> differences(List<PolicyImport.Difference> differences) {
    return differences.stream()
        .map(each -> new RulesChange(each.there(), each.rules()).line())
        .toList();
  }

  /** What was written of policies, limiters and pauses. */
  public static List<String> written(PolicyImport.Written written) {
    return List.of(
        "Copied %s and %s."
            .formatted(rules(written.rules()), Quantity.of(written.pauses(), "pause")));
  }

  /** So many policies and limiters, in words. */
  public static String rules(int number) {
    return Quantity.of(number, "policy or limiter", "policies and limiters");
  }

  /** What was copied, and a line for each of the first items that the target refused. */
  public static List<String> copied(CopyStats stats, Inventory inventory) {
    long notInserted =
        inventory.items(Kind.QUEUE)
            + inventory.items(Kind.NAMESPACE)
            - stats.inserted(Kind.QUEUE)
            - stats.inserted(Kind.NAMESPACE)
            - stats.refused();
    List<String> lines = new ArrayList<>();
    lines.add(
        "Copied %s and %s%s%s."
            .formatted(
                Quantity.of(stats.inserted(Kind.QUEUE), "task"),
                Quantity.of(stats.inserted(Kind.NAMESPACE), "doc"),
                notInserted > 0 ? "; %,d already existed or are gone".formatted(notInserted) : "",
                stats.refused() > 0
                    ? "; %,d were refused by the target".formatted(stats.refused())
                    : ""));
    stats.refusals().forEach(refusal -> lines.add("  " + refusal));
    if (stats.refusals().size() < stats.refused()) {
      lines.add("  ...");
    }
    return lines;
  }

  /** The comparison of source and target, with the differences. */
  public static List<String> compared(ImportVerification comparison) {
    TextTable table =
        new TextTable("WHAT", "NAME", "SOURCE", "TARGET", "MISSING", "DIFFERENT", "EXTRA");
    for (UnitDifference row : comparison.reportedUnits()) {
      UnitName name = row.unit();
      table.row(
          name.kind().word(),
          name.name(),
          row.atSource(),
          row.atTarget(),
          row.missing(),
          row.different(),
          row.extra());
    }
    List<String> lines = new ArrayList<>(table.lines());
    long shown = comparison.reportedUnits().size();
    long all = comparison.units(Kind.QUEUE) + comparison.units(Kind.NAMESPACE);
    if (shown < all) {
      lines.add("and %,d more".formatted(all - shown));
    }
    lines.addAll(comparison.differences());
    if (comparison.isEqual()) {
      lines.add(
          "Source and target are equal: %s."
              .formatted(
                  counts(
                      comparison.items(Kind.QUEUE),
                      comparison.units(Kind.QUEUE),
                      comparison.items(Kind.NAMESPACE),
                      comparison.units(Kind.NAMESPACE))));
    }
    return lines;
  }

  private static String counts(long tasks, long queues, long docs, long namespaces) {
    return "%s in %s and %s in %s"
        .formatted(
            Quantity.of(tasks, "task"),
            Quantity.of(queues, "queue"),
            Quantity.of(docs, "doc"),
            Quantity.of(namespaces, "namespace"));
  }
}
